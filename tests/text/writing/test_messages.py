"""What code writes into reports, in every language of reports."""

import string

from research_crawler.core.models.reports.report_parts import LISTED_PARTS
from research_crawler.text.writing.markdown import escape_markdown
from research_crawler.text.writing.messages import REPORT_LANGUAGES, Messages, catalogue
from tests.cases import each_case


def fields(template):
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_each_language_has_each_message_with_the_same_values():
    for key, texts in catalogue().items():
        assert set(texts) == set(REPORT_LANGUAGES), key
        for language, text in texts.items():
            assert text.strip(), (key, language)
            # A number may be left out of its own plural form, as in `{n:page|pages}`.
            assert fields(text) == fields(texts["en"]), (key, language)
            assert text.endswith(".") == texts["en"].endswith("."), (key, language)


def test_every_list_of_the_report_has_its_heading():
    for part in LISTED_PARTS:
        assert Messages("en")(part.key) == part.title


@each_case(
    ("language", "n", "text"),
    [
        ("en", 1, "page 4"),
        ("en", 2, "pages 4"),
        ("de", 2, "Seiten 4"),
        ("pl", 1, "strona 4"),
        ("pl", 3, "strony 4"),
        ("pl", 5, "strony 4"),
    ],
)
def test_a_number_chooses_the_form_of_its_word(language, n, text):
    assert Messages(language)("pages", n=n, numbers="4") == text


def test_polish_has_three_forms():
    assert [Messages("pl")("offers_of", host="a.pl", n=n) for n in (1, 2, 5, 22)] == [
        "a.pl: 1 oferta",
        "a.pl: 2 oferty",
        "a.pl: 5 ofert",
        "a.pl: 22 oferty",
    ]


@each_case("language", ["sv", "", "xx", "en-GB"])
def test_other_languages_get_english(language):
    assert Messages(language)("answer") == "Answer"


def test_a_regional_code_is_its_language():
    assert Messages("pt-BR")("answer") == "Resposta"
    assert Messages("de").word("in_stock") == "auf Lager"
    assert Messages("de").word("some_thing") == "some thing"


def test_values_are_not_read_as_templates():
    assert (
        Messages("en")("missing", items=escape_markdown("{n:a|b} {0}"))
        == "Missing or uncertain: {n:a|b} {0}."
    )


def test_days_and_quotations_are_written_as_the_language_does():
    german, english = Messages("de"), Messages("en")
    assert [german.day("2026-10-19"), english.day("2026-10-19"), german.day("2026-10")] == [
        "19.10.2026", "2026-10-19", "2026-10",
    ]  # fmt: skip
    assert (german("quoted", text="a {b}"), english("quoted", text="a")) == ("„a {b}“", "“a”")
