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


def of(text, *quotes, context=(), asked=()):
    source = CitedText([piece for quote in quotes for piece in sentences_of(quote)], context)
    return Statement(text, source, WEIGHTS, asked=asked)


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


SEQUENCES = (
    "Sequence data is not replicated. The data in serial columns will of course be replicated as part of the table, "
    "but the sequence itself would still show the start value on the subscriber."
)
SOFT = "Does not touch the index file or the working tree at all, but resets the head to the commit, as all modes do."
TABLE = "X U A B --soft (disallowed) --mixed X B B --hard B B B"


def test_a_sentence_that_sums_up_a_denial_and_what_is_not_denied_says_no_opposite():
    told = (
        "Logical replication does not replicate sequence data: the values in serial columns are replicated as part of "
        "the table, but the sequence itself would still show the start value on the subscriber."
    )
    assert verdict(told, SEQUENCES) == "supported"
    # of two denials of one sentence, one is left out
    assert judge_statement(
        of(
            "Nobody says that the schema is copied by the server.",
            "Nobody says that the schema isn't copied by the server.",
        )
    ).is_wrong
    # another word of the quote denies something else
    assert judge_statement(
        of("Without users it is not near that.", "Without users it is near that.")
    ).is_wrong
    lie = told.replace("does not replicate", "replicates").replace("would still show", "would not show")
    assert judge_statement(of(lie, SEQUENCES)).is_wrong


def test_what_a_far_clause_denies_is_no_opposite_and_what_the_same_clause_denies_is():
    assert not of("Marrowby has trams, and nobody walks.", "Trams run there; it is known.").differs_in_sign
    assert of("Marrowby never has trams, it is said.", "Trams run there; it is known.").differs_in_sign


@pytest.mark.parametrize(
    ("text", "quote", "is_sure"),
    [
        # a copy of the quote with one word more or less, and other words for it
        ("The initial schema can always be copied by hand using pg_dump --schema-only.", PAGE[1], True),
        (
            "Before any of this, pg_dump makes a copy of the initial schema, by hand and with --schema-only.",
            PAGE[1],
            False,
        ),
        ("Subscribers lag behind the publisher by up to 30 seconds.", PAGE[2], True),
        (
            "Behind its publisher a subscriber that is only reading lags up to 30 seconds, and that is all.",
            PAGE[2],
            False,
        ),
        # what nobody has read, behind and before what the quote says
        (f"{PAGE[0].rstrip('.')}, because the original supplier went bankrupt.", PAGE[0], True),
        (f"Because the original supplier went bankrupt, {PAGE[0]}", PAGE[0], True),
        # when it is so, in words of another quote of the job
        (f"With a tram ticket that costs euros, {PAGE[0].lower()}", PAGE[0], False),
    ],
)
def test_a_reader_is_asked_about_every_remark_and_overrules_those_that_code_cannot_see_for_sure(
    text, quote, is_sure
):
    judged = judge_statement(of(text, quote))
    assert judged.verdict in ("partly", "qualified")
    assert judged.is_uncertain
    assert judged.told("supported") == (judged.verdict if is_sure else "supported")


def test_an_option_stands_in_a_quote_or_above_it_or_in_the_question_or_is_missing():
    text = "`tool reset --soft` does not touch the index file or the working tree at all."
    assert of(text, SOFT).options == {"--soft"}
    assert judge_statement(of(text, SOFT)).told("supported") == "partly"
    assert verdict(text, SOFT, context=("tool(1)", "Options > --soft")) == "supported"
    assert not of(text, SOFT, asked={"--soft"}).options
    # the reader asked about both, and the quote is about the other one
    assert of(text, SOFT, context=("tool(1)", "Options > --mixed"), asked={"--soft", "--mixed"}).options


def test_a_row_of_a_table_that_has_the_code_of_a_sentence_is_left_to_a_reader():
    text = "`tool reset --soft` is disallowed while the index has unmerged entries."
    judged = judge_statement(of(text, TABLE, context=("tool-reset(1)",)))
    assert (judged.verdict, judged.is_wrong, judged.is_uncertain) == ("partly", False, True)
    other = of(text.replace("--soft", "--keep"), TABLE, context=("tool-reset(1)",))
    assert judge_statement(other).told("supported") != "supported"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The Kestrel costs 89 crowns.", "The Dunlin costs 89 crowns and the Kestrel costs 129 crowns."),
        ("The mill is older than the abbey.", "The abbey is older than the mill."),
        ("Harrow bought Wexley.", "Wexley bought Harrow."),
        ("The plan is free.", "The plan is free for up to five users."),
        ("The standby accepts writes.", "The standby accepts reads, and the primary accepts writes."),
        ("The pump works down to 25 °C.", "The pump works down to -25 °C."),
        ("Use -l to show hidden files.", "Use -a to show hidden files and -l to show the long format."),
        ("Many visitors liked it.", "Many visitors liked it less than last year."),
    ],
)
def test_whatever_is_no_whole_clause_of_its_quote_is_left_to_a_reader(text, quote):
    assert judge_statement(of(text, quote)).is_uncertain


@pytest.mark.parametrize(
    "text",
    [
        "Use -a to show hidden files and -l to show the long format.",
        "Use -a to show hidden files",
        "It shows the long format. Use -a to show hidden files.",
    ],
)
def test_whole_clauses_of_a_quote_need_no_reader(text):
    quote = "It shows the long format. Use -a to show hidden files and -l to show the long format."
    judged = judge_statement(of(text, quote))
    assert judged.verdict == "supported"
    assert not judged.is_uncertain


def test_an_inference_that_no_reader_has_judged_could_not_be_checked():
    judged = judge_statement(of("This suggests that the schema has to be copied by hand.", PAGE[1]))
    assert judged.verdict == "could_not_check"
    assert judged.told("supported") == "supported"


def test_an_inference_is_always_left_to_a_reader_unless_its_numbers_or_names_are_wrong():
    told = "This suggests a copy of the schema with pg_dump first, as nothing else brings DDL to subscribers."
    judged = judge_statement(of(told, *PAGE[:2]))
    assert (judged.is_wrong, judged.is_uncertain, judged.told("supported")) == (False, True, "supported")
    assert judge_statement(of(f"This suggests that {PAGE[0].lower()}", PAGE[0])).is_uncertain
    assert judge_statement(
        of("This suggests that Clara Whitlow copies the schema with pg_dump.", *PAGE[:2])
    ).is_cut
    assert judge_statement(
        of("This suggests that the schema takes 45 seconds with pg_dump.", *PAGE[:2])
    ).is_cut
    assert (
        judge_statement(of("This suggests a monthly payment plan for parcels.", PAGE[3])).verdict
        == "not_found"
    )


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (
            "Since the pump can drain as well, do not use it unless you want to empty the tank.",
            "Do not use the pump unless you actually want to empty the tank.",
        ),
        (
            "The fix is easy because the pump knows to skip tanks that are already full.",
            "Then the fix is easy because the pump knows to skip tanks that are already full (unless --all is given).",
        ),
    ],
)
def test_what_only_some_clause_may_deny_is_left_to_a_reader(text, quote):
    judged = judge_statement(of(text, quote))
    assert judged.verdict == "supported" or (judged.is_uncertain and judged.told("supported") == "supported")
