"""Memory, follow-up questions, replays and own files: whole jobs on the local web."""

import pytest

pytestmark = pytest.mark.long

GOAL = "How do I grow ember fern from spores?"
NEW_PART = "What pH does the soil of the ember fern have?"
SIMILAR = "What does growing ember fern from spores need?"


@pytest.fixture(scope="module")
def asked(new_research, tmp_path_factory):
    """A data folder with one finished job, and its report."""
    research = new_research(tmp_path_factory.mktemp("memory"))
    answer = research("run", GOAL, "--json")
    assert answer.code == 0, answer.err
    return research, answer.json


def test_a_replay_makes_the_same_report_without_the_network(asked):
    research, report = asked
    replayed = research("replay", report["job"], "--json")
    assert replayed.code == 0, replayed.err
    assert replayed.json["same"], research("replay", report["job"], "--diff").out
    assert replayed.json["not_recorded"] == []
    assert replayed.json["report"]["report_markdown"] == report["report_markdown"]
    assert research("replay", "nosuchjobaaa").code == 2
    assert [entry["job"] for entry in research("list", "--json").json] == [report["job"]]


def test_findings_are_searched_by_meaning_and_the_index_is_made_anew(asked):
    research, report = asked
    found = research("memory", "search", "spores of the ember fern", "--json", "--limit", "3").json
    assert found["by"] == "meaning"
    assert {hit["job"] for hit in found["hits"]} == {report["job"]}
    assert len(found["hits"]) == 3
    assert "ember" in found["hits"][0]["finding"]["quote"].lower()
    assert research("memory", "search", "ember fern", "--job", "other", "--json").code == 2
    assert research("memory", "search", "ember fern", "--since", "2999-01-01").code == 1
    assert research("memory", "search", " ").code == 2
    assert " findings" in research("memory", "rebuild").out


def test_a_second_question_on_the_subject_uses_what_is_known_and_fetches_less(asked, new_research, tmp_path):
    research, first = asked
    second = research("run", SIMILAR, "--json").json
    without = new_research(tmp_path)("run", SIMILAR, "--json").json
    fetched = [report["metrics"]["pages_fetched"] for report in (second, without)]
    assert fetched[0] <= 0.6 * fetched[1], fetched
    remembered = [entry for entry in second["evidence"] if entry["remembered_from"]]
    assert {entry["remembered_from"] for entry in remembered} == {first["job"]}
    assert second["metrics"]["searches"] >= 1  # what is known stands beside the search, never in its place
    alone = research("run", SIMILAR, "--json", "--no-memory").json
    assert not any(entry["remembered_from"] for entry in alone["evidence"])


def test_a_follow_up_question_knows_the_job_that_it_is_about(asked):
    research, report = asked
    answer = research("ask", report["job"], "How much light does it need?", "--json", "--max-searches", "1")
    assert answer.code in (0, 3), answer.err
    assert any(entry["remembered_from"] == report["job"] for entry in answer.json["evidence"])
    assert research("ask", "nosuchjobaaa", "And why?").code == 2


def test_a_report_is_extended_by_a_sub_question_and_keeps_what_it_has(asked):
    research, report = asked
    answer = research("extend", report["job"], NEW_PART, "--json")
    assert answer.code in (0, 3), answer.err
    own, new = answer.json["outline"]
    assert [leaf["question"] for leaf in own["leaves"]] == [
        leaf["question"] for section in report["outline"] for leaf in section["leaves"]
    ]
    quotes = {entry["id"]: entry for entry in answer.json["evidence"]}
    before = {entry["id"]: entry["quote"] for entry in report["evidence"]}
    answers = [leaf["evidence"] for section in report["outline"] for leaf in section["leaves"]]
    assert [[quotes[id_]["quote"] for id_ in leaf["evidence"]] for leaf in own["leaves"]] == [
        [before[id_] for id_ in ids] for ids in answers
    ]
    assert {quotes[id_]["remembered_from"] for leaf in own["leaves"] for id_ in leaf["evidence"]} == {
        report["job"]
    }
    assert new["leaves"][0]["state"] == "filled"
    assert "4.5 to 5.5" in answer.json["report_markdown"]
    assert research("extend", "nosuchjobaaa", "And why?").code == 2
    assert research("extend", report["job"], " ").code == 2
    assert research("extend", report["job"], *(f"What is part {n}?" for n in range(20))).code == 2


def test_a_file_of_the_caller_is_read_before_any_search_and_cited_by_its_name(asked, tmp_path):
    research, _ = asked
    path = tmp_path / "minutes.md"
    path.write_text("# Minutes\n\nThe committee chose the Zelkova pump, which runs for 12 minutes.\n")
    answer = research("run", "How long does the Zelkova pump run?", "--file", str(path), "--json")
    assert answer.code == 0, answer.err
    assert "12 minutes" in answer.json["claims"][0]["text"]
    assert answer.json["sources"][0]["url"] == "file:///minutes.md"
    assert "your file" in answer.json["report_markdown"]
    assert str(tmp_path) not in answer.out.replace(str(research.home), "")
    assert research("run", "grass", "--file", str(tmp_path / "none.md")).code == 2
