from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.languages import language as language_module
from research_crawler.text.languages import words as words_module
from research_crawler.text.languages.language import LANGUAGES, detect, language_of
from research_crawler.text.languages.words import terms
from tests.cases import each_case

TEXTS = {
    "en": "What is the best way to the station?",
    "de": "Was ist der beste Weg zum Bahnhof?",
    "fr": "Quel est le meilleur chemin pour la gare ?",
    "es": "¿Cuál es el mejor camino para la estación?",
    "it": "Qual è il percorso migliore per la stazione?",
    "nl": "Wat is de beste weg naar het station?",
    "pt": "Qual é o melhor caminho para a estação?",
    "pl": "Jak najlepiej dojść na dworzec, czy jest to daleko?",
}


@each_case("language", LANGUAGES)
def test_a_language_is_told_by_its_function_words(language):
    assert detect(TEXTS[language]) == language
    assert detect("Kestrel 300", default=language) == language


@each_case(
    ("question", "language"),
    [
        ("Was kostet Vento 3?", "de"),
        ("Quelle pierre à pizza choisir ?", "fr"),
        ("¿Tienes un Evento?", "es"),
        ("Como funciona o protocolo HTTPS?", "pt"),
        ("Hoeveel provincies telt België?", "nl"),
        ("What does Vento 3 weigh?", "en"),
        ("Can you die of ALS?", "en"),
    ],
)
def test_the_language_of_a_question_is_told_though_it_has_hardly_a_function_word(question, language):
    assert detect(question) == language


@each_case("name", ["Die Hard 2 cast", "Der Spiegel editor", "La La Land", "Al Gore", "Le Mans"])
def test_a_name_shows_no_language(name):
    assert detect(name, "") == ""


@each_case("language", LANGUAGES)
def test_each_language_has_its_data(language):
    known = language_of(language)
    assert len(known.stop_words) > 100
    assert set(known.months.values()) == set(range(1, 13))
    assert known.negations
    assert known.abbreviations
    assert all(word == word.lower() for word in known.stop_words | known.negations | known.abbreviations)


@given(st.text(alphabet='aB3.!?… "”)»\nMr') | st.text(), st.sampled_from((*LANGUAGES, "xx")))
def test_splitting_loses_nothing(text, language):
    spans = language_of(language).sentence_spans(text)
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    between = [text[a:b] for (_, a), (b, _) in zip([(0, 0), *spans], [*spans, (len(text), 0)], strict=True)]
    assert not "".join(between).strip()


def test_words_have_the_same_stems_whichever_threads_ask_for_them_at_once():
    words = [
        f"{begin}{end}"
        for begin in ("hero", "nation", "relat", "gener")
        for end in ("ing", "ations", "ically")
    ]
    texts = [
        " ".join(f"{word}{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}s" for word in words) for n in range(400)
    ]
    alone = [terms(text) for text in texts]
    language_module._stem.cache_clear()
    words_module._terms.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        together = [list(threads.map(terms, texts)) for _ in range(3)]
    assert together == [alone] * 3
