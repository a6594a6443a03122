"""What formats are made of: quotes at their marks, and the text around them."""

from research_crawler.services.exports.manuscript import Context, Manuscript, context_of, shortened_quote
from tests.services.exports.samples import report_with

PAGE = "# Pumps\n\nOther words.\n\nFirst this. **The quote.** Then [that](https://b.example/x).\n\nMore.\n\n## Fans"


def test_the_context_of_a_quote_is_the_text_around_it_under_its_heading_without_marks():
    start = PAGE.index("The quote.")
    assert context_of(PAGE, start, start + len("The quote.")) == Context(
        "Other words. First this.", "Then that. More."
    )


def test_long_context_is_cut_at_a_word_and_says_so():
    text = "word " * 200 + "QUOTE " + "other " * 200
    start = text.index("QUOTE")
    context = context_of(text, start, start + 5)
    assert context.before.startswith("… word")
    assert context.after.endswith("other …")
    assert len(context.before) < 250


def test_a_quote_that_fills_the_page_has_no_context():
    assert context_of("A.", 0, 2) == Context("", "")


def test_a_link_before_a_quote_is_not_cut_in_its_address():
    page = "[a](https://b.example/" + "x" * 2_990 + ")\n\nBefore. Quote."
    start = page.index("Quote.")
    assert context_of(page, start, start + 6) == Context("Before.", "")


def test_a_quote_of_a_table_or_of_code_is_its_cells_and_its_lines():
    assert (
        shortened_quote("| Weight | 387 g |\n|---|---|\n| Burrs | 38 mm |")
        == "Weight | 387 g | Burrs | 38 mm"
    )
    assert shortened_quote("```sh\ngit rebase --abort *x*\n```") == "git rebase --abort *x*"


def test_a_very_long_quote_is_cut():
    assert len(shortened_quote("word " * 900)) < 910


def test_a_sentence_that_is_not_recorded_gets_the_first_quotes_of_its_source():
    manuscript = Manuscript(report_with())
    assert [piece.id for piece in manuscript.quotes_at("Nobody wrote this", 2)] == ["E3"]
    assert manuscript.quotes_at("Nobody wrote this", 7) == []


def test_an_introduced_quote_finds_its_evidence():
    manuscript = Manuscript(report_with())
    found = manuscript.quotes_at("It is recommended by name: “A fan blows air.”", 1)
    assert [piece.quote.strip() for piece in found] == ["A fan blows air."]
