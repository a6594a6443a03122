"""How a report about the benchmark's web is judged."""

from benchmarks.reporting.report_web.scoring import (
    cited_sentences,
    scored,
    segments,
    states_whole,
)
from benchmarks.reporting.report_web.world import LocalQuestion, Stale
from research_crawler.demo.demo_questions import Fact
from tests.cases import each_case

OLD, NEW = "http://127.0.22.2:8080/old", "http://127.0.22.9:8080/new"
FARE = Fact(id="fare", statement="", accept=(r"4\.10",), urls=(NEW,))
QUESTION = LocalQuestion(
    id="q",
    goal="What does it cost?",
    half="open",
    facts=(FARE,),
    stale=Stale(accept=(r"3\.20",), dated=("when it opened",)),
    sides=((r"\b46\b",), (r"\b52\b",)),
)


def report(answer, **changes):
    sources = [{"n": 1, "url": OLD, "other_urls": []}, {"n": 2, "url": NEW, "other_urls": []}]
    evidence = [
        {"id": "E1", "quote": "A ride is 3.20 crowns.", "url": OLD},
        {"id": "E2", "quote": "A ride costs 4.10 crowns, a day ticket 11.", "url": NEW},
    ]
    text = f"# What does it cost?\n\n## Answer\n\n{answer}\n\n## Research Journey\n\nSearched.\n"
    given = {
        "report_markdown": text,
        "sources": sources,
        "evidence": evidence,
        "contradictions": [],
        "exit_code": 0,
    }
    return {**given, "claims": [], "phase1": {"sources": [OLD, NEW]}, **changes}


@each_case(
    ("answer", "found"),
    [
        ("It costs 4.10 crowns. [2]", 1),
        ("It costs 4.10 crowns. [1][2]", 1),
        ("It costs 4.10 crowns. [1]", 0),
        ("It costs 4.10 crowns.", 0),
        ("It opened. [2] It costs 4.10 crowns. [1]", 0),
        ("| Ticket | Fare |\n|---|---|\n| Single | 4.10 [2] |", 1),
    ],
)
def test_a_fact_counts_only_with_the_citation_of_a_page_that_states_it(answer, found):
    assert scored(QUESTION, report(answer)).found == found


@each_case(
    ("answer", "is_stale"),
    [
        ("A ride is 3.20 crowns. [1]", True),
        ("It was 3.20 crowns when it opened. [1]", False),
        ("A ride is 3.20 crowns (as of 2023). [1]", False),
        ("**Opening, 2023-05-27**\n\nA ride is 3.20 crowns. [1]", False),
        ("**Opening**\n\nA ride is 3.20 crowns. [1]", True),
    ],
)
def test_an_outdated_value_must_show_its_age(answer, is_stale):
    assert bool(scored(QUESTION, report(answer)).stale) is is_stale


def test_both_sides_of_a_contradiction_may_stand_in_two_sentences():
    assert scored(QUESTION, report("There were 46. [1] There were 52. [2]")).shows_both_sides


def test_a_page_that_the_job_did_not_read_is_noticed():
    unread = report("It costs 4.10 crowns. [2]", phase1={"sources": [OLD]})
    assert scored(QUESTION, unread).unread == [NEW]


@each_case(
    ("text", "is_whole"),
    [
        ("A ride costs 4.10 crowns, a day ticket 11.", True),
        ("A ride costs 4.10 crowns", True),
        ("A ride costs 4.20 crowns, a day ticket 11.", False),
        ("A ride costs 4.10 crowns, and everybody agrees that this is far too much for it.", False),
        ("new.example: “A ride costs 4.10 crowns, a day ticket 11.”", True),
    ],
)
def test_a_sentence_is_supported_if_a_quote_has_all_of_it(text, is_whole):
    assert states_whole(text, ["A ride costs 4.10 crowns, a day ticket 11."]) is is_whole


def test_cited_sentences_are_found_wherever_they_stand():
    claim = {"text": "A ride costs 4.10 crowns.", "evidence": ["E2"]}
    deep = report("", sections=[{"title": "t", "claims": [claim], "table": {"rows": [{"cells": [claim]}]}}])
    assert [text for text, _ in cited_sentences(deep)] == [claim["text"]]


def test_a_link_of_a_page_is_no_citation():
    answer = "See [4](http://a.example/). It costs 4.10 crowns. [2]"
    assert [piece.urls for piece in segments(answer, report(""))] == [frozenset({NEW})]


@each_case(
    ("cause", "changes", "claims"),
    [
        ("not read", {"phase1": {"sources": [OLD]}}, []),
        ("not quoted", {"evidence": [{"id": "E1", "quote": "A ride is 3.20 crowns.", "url": OLD}]}, []),
        ("not chosen", {}, [{"written": "A ride is cheap.", "shown": False}]),
        ("cut by the checks", {}, [{"written": "A ride costs 4.10 crowns.", "shown": False}]),
    ],
)
def test_a_missed_fact_is_told_with_the_place_where_it_was_lost(cause, changes, claims):
    assert scored(QUESTION, report("Rides are cheap. [2]", **changes), claims).missed == {"fare": cause}
