"""Values are read by type, each as the text writes it."""

from hypothesis import given
from hypothesis import strategies as st

from planner.columns.value_readers import AskedWords, stated_values
from research_crawler.core.models.jobs.columns import COLUMN_TYPES, ColumnSpec
from research_crawler.core.models.web.pages import Link
from tests.cases import each_case


def read(kind, text, *, asked=(), language="en", territory="", links=(), **more):
    column = ColumnSpec(name="c", type=kind, **more)
    found = stated_values(
        column,
        text,
        asked=AskedWords(frozenset(asked)),
        language=language,
        territory=territory,
        links=links,
    )
    return [(one.value, one.unit) for one in found]


@each_case(
    ("kind", "text", "more", "expected"),
    [
        ("money", "It costs €1,899 with lights.", {}, [(1899.0, "EUR")]),
        ("money", "Er kostet 1.899,50 €.", {"language": "de", "territory": "DE"}, [(1899.5, "EUR")]),
        ("money", "It weighs 12 kg.", {}, []),
        ("money", "It costs $12 or €11.", {"unit": "eur"}, [(11.0, "EUR")]),
        ("number", "It weighs 17.5 kg and costs €20.", {"unit": "kg"}, [(17.5, "kg")]),
        ("number", "It weighs 17,500 g.", {"unit": "kg"}, [(17.5, "kg")]),
        ("number", "Reichweite 1.200 km", {"unit": "km", "language": "de"}, [(1200.0, "km")]),
        ("number", "Range 1.200 km", {"unit": "km"}, [(1.2, "km")]),
        ("number", "It has 48,000 visitors a year.", {"unit": "visitors"}, [(48000.0, "visitors")]),
        ("number", "The kit has 32 precision driver bits.", {"unit": "bits"}, [(32.0, "bits")]),
        ("number", "It opened in 1998.", {}, []),
        ("money", "Price: 44890 KZT", {}, [(44890.0, "KZT")]),
        ("money", "Die Fahrt kostet 50 Kronen.", {"language": "de"}, [(50.0, "")]),
        ("money", "Die Fahrt kostet 50 Kronen.", {"language": "de", "territory": "CZ"}, [(50.0, "CZK")]),
        ("money", "Il coûte 120 couronnes suédoises.", {"language": "fr"}, [(120.0, "SEK")]),
        ("money", "Der Weg hat 50 Kurven.", {"language": "de"}, []),
        ("yes_no", "Availability: in stock", {}, [(True, "")]),
        ("yes_no", "Availability: out of stock", {}, [(False, "")]),
        ("date", "It opened on 3 July 1974.", {}, [("1974-07-03", "")]),
        ("date", "It opened in May 2006.", {}, [("2006-05", "")]),
        ("date", "Seit 12.09.2015 offen", {}, [("2015-09-12", "")]),
        ("date", "Sold since 3/4/2020.", {}, [("2020", "")]),
        ("yes_no", "Foldable: yes", {}, [(True, "")]),
        ("yes_no", "Foldable | ✗", {}, [(False, "")]),
        ("yes_no", "Faltbar: nein", {"language": "de"}, [(False, "")]),
        ("yes_no", "The frame cannot be folded.", {"asked": {"fold"}}, [(False, "")]),
        ("yes_no", "Nicht faltbar", {"asked": {"faltbar"}, "language": "de"}, [(False, "")]),
        ("yes_no", "Tarn sans batterie", {"asked": {"batteri"}, "language": "fr"}, [(False, "")]),
        ("yes_no", "The frame folds, but it is not light.", {"asked": {"fold"}}, [(True, "")]),
        (
            "choice",
            "A quiet mid-drive motor drives it.",
            {"choices": ["hub motor", "mid-drive motor"]},
            [("mid-drive motor", "")],
        ),
        ("choice", "Very large.", {"choices": ["large", "very large"]}, [("very large", "")]),
        ("choice", "It is enlarged.", {"choices": ["large", "small"]}, []),
        ("url", "See https://a.example/x(y), please.", {}, [("https://a.example/x", "")]),
        ("url", "Visit www.a.example.", {}, [("https://www.a.example", "")]),
        ("email", "Write to sales@a.example.", {}, [("sales@a.example", "")]),
        ("text", "Founder: Jane Doe.", {"asked": {"founder"}}, [("Jane Doe", "")]),
    ],
)
def test_a_value_is_read_as_its_type(kind, text, more, expected):
    assert read(kind, text, **more) == expected


def test_the_target_of_a_link_is_a_url_where_its_text_stands():
    links = [Link(url="https://a.example/m.pdf", text="the manual"), Link(url="https://b.example", text="here"),
             Link(url="https://c.example", text="here")]  # fmt: skip
    assert read("url", "You can download the manual here.", links=links) == [("https://a.example/m.pdf", "")]


def test_a_bound_and_an_ambiguous_day_are_not_sure():
    column = ColumnSpec(name="c", type="number", unit="kg")
    (value,) = stated_values(
        column, "It carries up to 120 kg.", asked=AskedWords(), language="en", territory=""
    )
    assert not value.is_sure


@given(st.text(max_size=120), st.sampled_from(COLUMN_TYPES))
def test_any_text_can_be_read_and_a_value_stands_in_it(text, kind):
    column = ColumnSpec(name="c", type=kind, choices=["yes", "a b"] if kind == "choice" else [])
    for one in stated_values(column, text, asked=AskedWords(), language="", territory=""):
        assert one.shown in text or kind == "yes_no"


@each_case("digits", ["9" * 200, "9" * 400, "9" * 5_000, "1" + ",000" * 200])
def test_a_number_that_no_computer_can_count_with_is_no_value(digits):
    for kind, unit in (
        ("number", ""),
        ("number", "kg"),
        ("number", "boxes"),
        ("money", ""),
        ("money", "EUR"),
    ):
        column = ColumnSpec(name="c", type=kind, unit=unit)
        for text in (f"It has {digits} kg.", f"It costs €{digits}.", f"{digits} boxes"):
            found = stated_values(column, text, asked=AskedWords(), language="en", territory="DE")
            assert not [one for one in found if one.value > 1e15]
