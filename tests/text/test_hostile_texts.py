import time

from research_crawler.text.languages.dates import dates
from research_crawler.text.languages.language import detect, language_of
from research_crawler.text.languages.names import names_in
from research_crawler.text.languages.numbers import figures
from research_crawler.text.languages.words import content_words, terms
from research_crawler.text.questions.question import parse_question
from tests.cases import each_case

SIZE = 20_000
PIECES = ("a-", "A/", "1.", "1,", "1 ", "1,000 ", "J. ", ". ", "...", " ", "\u00a0", "May ", "3 May ", "12/", "two ",
          "km ", "“", "who ", "a'", "1 to ", "half and a ", "$", "x. X")  # fmt: skip


@each_case("piece", PIECES)
def test_a_page_made_of_one_piece_is_read_at_once(piece):
    text = piece * (SIZE // len(piece))
    started = time.process_time()
    for read in (terms, figures, dates, names_in, content_words, parse_question):
        read(text, "en")
    detect(text)
    language_of("de").sentence_spans(text)
    assert time.process_time() - started < 3
