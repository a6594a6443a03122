import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.verify.cited_text import CitedText, sentences_of
from planner.verify.coverage import WordWeights, word_set
from planner.verify.ladder import judge_statement, without_last_clause
from planner.verify.statement import Statement

PAGE = (
    "The database schema and DDL commands are not replicated.",
    "The initial schema can be copied by hand using pg_dump --schema-only.",
    "Most subscribers may lag behind the publisher by up to 30 seconds.",
    "The Marrowby tram opened on 3 May 1998 and a ticket costs 2.40 euros, said Clara Whitlow.",
)
WEIGHTS = WordWeights(map(word_set, PAGE))


def of(text, *quotes, context=()):
    source = CitedText([piece for quote in quotes for piece in sentences_of(quote)], context)
    return Statement(text, source, WEIGHTS)


def verdict(text, *quotes, context=()):
    return judge_statement(of(text, *quotes, context=context)).verdict


def test_a_statement_in_the_words_of_its_quote_is_supported():
    assert verdict(PAGE[0], PAGE[0]) == "supported"
    assert verdict("A ticket for the Marrowby tram costs 2.40 euros.", PAGE[3]) == "supported"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Schema and DDL commands are replicated.", PAGE[0]),
        ("The initial schema cannot be copied by hand with pg_dump.", PAGE[1]),
        ("A ticket for the Marrowby tram costs 2.80 euros.", PAGE[3]),
        ("The Marrowby tram opened on 3 May 1999.", PAGE[3]),
    ],
)
def test_the_opposite_another_number_or_another_date_is_contradicted(text, quote):
    judged = judge_statement(of(text, quote))
    assert judged.verdict == "contradicted"
    assert judged.is_cut
    assert not judged.is_uncertain


def test_a_lie_is_cut_whether_the_model_sees_one_sentence_or_two():
    lie = "Yes: it copies all DDL."
    for quotes in (PAGE[:1], PAGE[:2], (f"{PAGE[0]} {PAGE[1]}",)):
        judged = judge_statement(of(lie, *quotes))
        assert judged.is_cut
        assert not judged.is_uncertain


def test_a_name_that_the_quote_lacks_is_cut_unless_it_names_what_the_page_is_about():
    swapped = judge_statement(of("The Marrowby tram opened on 3 May 1998, said Edwin Crale.", PAGE[3]))
    assert (swapped.verdict, swapped.is_cut) == ("partly", True)
    text = "In Fenwick the subscribers of Marrowby may lag behind the publisher by up to 30 seconds."
    assert judge_statement(of(text, PAGE[2])).is_cut
    assert not judge_statement(of(text, PAGE[2], context=["Fenwick and Marrowby: replication"])).is_cut


@pytest.mark.parametrize("host", ["192.168.2.14", "web2.example", "127.0.0.1"])
def test_a_statement_may_name_the_host_of_its_source_and_no_other(host):
    text = f"According to {host}, a ticket for the Marrowby tram costs 2.40 euros."
    assert verdict(text, PAGE[3], context=("Trams", host)) == "supported"
    assert verdict(text, PAGE[3], context=("Trams", "10.1.2.3")) != "supported"


def test_a_number_in_a_title_proves_nothing():
    text = "A ticket for the Marrowby tram costs 2.80 euros."
    assert verdict(text, PAGE[3], context=("2.80", "a.example")) == "contradicted"


def test_a_statement_that_leaves_a_limit_out_is_qualified_and_never_contradicted():
    judged = judge_statement(of("Subscribers lag behind the publisher by up to 30 seconds.", PAGE[2]))
    assert (judged.verdict, judged.is_cut) == ("qualified", False)
    assert "the source says 'may'" in judged.reasons


def test_a_quote_about_something_else_is_not_found():
    assert verdict("Subscribers need a monthly payment plan for their parcels.", PAGE[3]) == "not_found"


def test_a_statement_in_another_language_could_not_be_checked_but_its_numbers_are():
    text = "Eine Fahrkarte für die Straßenbahn kostet nicht mehr als {} Euro, und das ist die Regel."
    assert (
        verdict(text.format("2,40"), "It is said that a ticket for the tram is 2.40 euros.")
        == "could_not_check"
    )
    assert judge_statement(
        of(text.format("2,80"), "It is said that a ticket for the tram is 2.40 euros.")
    ).is_cut


def test_an_added_clause_is_dropped_and_the_rest_stays():
    added = f"{PAGE[0].rstrip('.')}, and experts agree that this ruined several companies."
    assert judge_statement(of(added, PAGE[0])).verdict != "supported"
    assert without_last_clause(of(added, PAGE[0])) == PAGE[0]
    assert without_last_clause(of("Schema and DDL commands are replicated, and it is fast.", PAGE[0])) == ""


def test_meaning_can_only_save_a_statement_from_being_not_found():
    far = of("Table definitions stay out of the stream.", PAGE[0])
    assert judge_statement(far).verdict == "not_found"
    assert judge_statement(far, cosine=0.0).verdict == "not_found"
    near = judge_statement(far, cosine=1.0)
    assert near.verdict in ("partly", "not_found")


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_compared(text, quote):
    judged = judge_statement(of(text, quote))
    assert judged.is_wrong or judged.support == judged.support
    without_last_clause(of(text, quote))


@given(st.sampled_from(PAGE), st.integers(min_value=100, max_value=9999))
def test_no_invented_number_passes(quote, number):
    text = f"{quote.rstrip('.')}, an increase of {number} percent."
    assert judge_statement(of(text, quote)).is_cut


def test_a_sentence_may_say_in_which_month_its_page_reported_it_and_no_other():
    quote, published = "On 12 December the sleeping cars will roll again.", ["2026-09-11"]
    told = "12 December was the day of the sleeping cars that was named in September 2026."
    assert not of(told, quote, context=published).dates
    assert of(told.replace("September", "August"), quote, context=published).dates
    assert of("On 11 September 2026 the sleeping cars will roll again.", quote, context=published).dates
    assert not of(
        "In September, the sleeping cars were to roll on 12 December.", quote, context=published
    ).names
    assert of("In August, the sleeping cars were to roll on 12 December.", quote, context=published).names
