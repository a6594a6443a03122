"""Which words of a sentence are names that its source must have."""

import pytest

from planner.verify.cited_text import CitedText
from planner.verify.coverage import WordWeights, word_set
from planner.verify.ladder import judge_statement
from planner.verify.names import names_of
from planner.verify.statement import Statement


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ab einigen hundert Einträgen in der Datei ist mit Verlangsamungen zu rechnen.", set()),
        (
            "Gestern hat Erika Mustermann PostgreSQL gelobt.",
            {"erika", "mustermann", "postgresql"},
        ),
        ("The file was written by Erika for Debian.", {"erika", "debian"}),
    ],
)
def test_a_german_noun_is_no_name(text: str, names: set[str]) -> None:
    assert names_of(text) == names


def test_a_german_sentence_on_an_english_page_is_left_to_a_reader() -> None:
    source = [
        "You can expect to see slowdowns once you get above a few hundred entries in the password file."
    ]
    text = "Ab einigen hundert Einträgen in der Passwortdatei ist mit Verlangsamungen zu rechnen."
    judged = judge_statement(
        Statement(text, CitedText(source), WordWeights(map(word_set, source)), frozenset())
    )
    assert (judged.verdict, judged.is_cut, judged.is_uncertain) == ("could_not_check", False, True)


def test_a_german_sentence_in_other_nouns_than_its_german_page_is_not_cut_for_them() -> None:
    source = ["Ab einigen hundert Zeilen in der Passwortdatei wird der Server bei jeder Anfrage langsamer."]
    text = "Ab einigen hundert Zeilen in der Passwortdatei wird der Server bei jedem Zugriff langsamer."
    judged = judge_statement(
        Statement(text, CitedText(source), WordWeights(map(word_set, source)), frozenset())
    )
    assert not judged.is_cut


def test_a_short_german_sentence_is_read_as_german_where_the_report_is() -> None:
    source = [
        "It first takes into account the most specific entries, then the more generic ones that apply to all packages."
    ]
    weights = WordWeights(map(word_set, source))
    text = "Speziellere Einträge gelten vor allgemeineren."
    judged = judge_statement(Statement(text, CitedText(source), weights, language="de"))
    assert (judged.verdict, judged.is_cut, judged.is_uncertain) == ("could_not_check", False, True)
    wrong = judge_statement(
        Statement("Über 1500 gilt die neuere.", CitedText(source), weights, language="de")
    )
    assert wrong.is_cut
