"""A model's sentence without the citations and addresses that it made up."""

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.writing.citation_marks import strip_citations
from tests.cases import each_case

URL = "https://evil.example/x"


@each_case(
    ("text", "left"),
    [
        ("Heat moves [1][2].", "Heat moves."),
        ("Evidence [E1, E4] says so", "Evidence says so"),
        ("It moves.【3†source】", "It moves."),
        ("See [the docs](https://x.example/a_(b)) now.", "See the docs now."),
        ("It costs $5 (https://shop.example/x).", "It costs $5."),
        ("![alt](http://x.example/i.png) text", "alt text"),
        ("visit www.evil.example now", "visit now"),
        ("a <https://x.example/> b", "a b"),
        ("A fan helps [7], see https://evil.example/.", "A fan helps, see."),
        ("two\nlines\x00here", "two lineshere"),
        ("[[1]1] x", "x"),
        ("[ht[1]tps://evil.example]", "[ht tps://evil.example]"),
    ],
)
def test_a_sentence_loses_addresses_and_citation_marks_of_its_own(text, left):
    assert strip_citations(text) == left


@each_case(
    "text",
    [
        "Put it into any .htaccess file.",
        "It runs on .NET 8 and on .NET 9.",
        "The value ... is left out , as a rule ; really !",
        "Nom : la valeur ; vraiment ?",
        "Take ( or leave ) it.",
        'Use a[i], a[0:2], {x} and dict["k"].',
    ],
)
def test_other_text_stays_as_it_is(text):
    assert strip_citations(text) == text


def test_marks_and_addresses_of_the_source_stay():
    quote = "Set argv[1] to https://docs.example/a_b, or x[2] = [1, 5]; see www.docs.example."
    assert strip_citations(quote, [quote]) == quote
    assert strip_citations(f"Do this [1]: {quote} {URL}", [quote]) == f"Do this: {quote}"


def test_an_address_at_the_end_of_code_that_a_source_has_stays():
    text = "Enable it, for example with `a2ensite www.docs.example`."
    assert strip_citations(text, ["Enable it with a2ensite www.docs.example."]) == text


def test_an_address_that_a_source_has_is_not_a_way_to_another_one():
    assert (
        strip_citations("See https://a.example/evil now.", ["Read https://a.example/ first."]) == "See now."
    )


@given(st.text(), st.text())
def test_nothing_is_added_to_what_the_sources_have(text, source):
    left = strip_citations(text, [source])
    assert strip_citations(left, [source]) == left
    assert strip_citations(source, [source]) == " ".join(strip_citations(source, [source]).split())


@given(st.text(st.sampled_from("[]1E,; .w:/htps()!x\n【】"), max_size=60))
def test_no_mark_or_address_survives_without_a_source(text):
    left = strip_citations(text)
    assert strip_citations(left) == left
    assert "https://" not in left or not any(part.startswith("https:/") and part[7:] for part in left.split())
