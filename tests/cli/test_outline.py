"""Outlines of whole jobs on the local web."""

import pytest

TWO_THINGS = (
    "When does the Marrowby tram line 7 open, and what does error E47 of a Brightwell dishwasher mean?"
)
FIRST_QUERIES = 2
"""The words of the question, and the question as it was asked."""


def leaves_of(document):
    return [leaf for section in document["outline"] for leaf in section["leaves"]]


@pytest.mark.long
def test_the_second_part_of_a_question_gets_a_search_and_an_answer_of_its_own(research):
    report = research("run", TWO_THINGS, "--json").json
    opening, error = leaves_of(report)
    quotes = {one["id"]: one["quote"] for one in report["evidence"]}
    assert (opening["state"], error["state"]) == ("filled", "filled")
    assert any("14 March 2027" in quotes[id_] for id_ in opening["evidence"])
    assert any("E47" in quotes[id_] for id_ in error["evidence"])
    assert not set(opening["evidence"]) & set(error["evidence"])
    queries = report["run"]["queries"]
    assert any("Brightwell" in query and "Marrowby" not in query for query in queries[1:]), queries
    assert len(queries) <= FIRST_QUERIES + 2
    assert not any("Not found" in warning for warning in report["warnings"])
    state = research("status", report["job"], "--state").out
    assert "## Outline\n### 1 When does the Marrowby tram line 7 open?\n- 1.1 " in state


@pytest.mark.long
def test_a_simple_question_has_one_sub_question_and_no_search_for_parts(research):
    report = research("run", "How do I grow ember fern from spores?", "--json").json
    (leaf,) = leaves_of(report)
    assert leaf["state"] == "filled"
    assert len(report["run"]["queries"]) <= FIRST_QUERIES + 1


@pytest.mark.long
def test_a_given_outline_is_kept_and_what_is_not_to_be_had_says_why(research, tmp_path):
    file = tmp_path / "outline.md"
    file.write_text("# Tower\n- How tall is it?\n- Who painted its ceiling?\n# Past\n- Who designed it?\n")
    report = research("run", "the Skelder lighthouse", "--outline", str(file), "--json").json
    assert [section["title"] for section in report["outline"]] == ["Tower", "Past"]
    leaves = leaves_of(report)
    assert [leaf["question"] for leaf in leaves] == [
        "How tall is it?", "Who painted its ceiling?", "Who designed it?",
    ]  # fmt: skip
    tall, ceiling, designed = leaves
    assert tall["state"] == "filled"
    assert ceiling["state"] != "filled" or ceiling["evidence"]
    assert designed["evidence"]
    missing = " ".join(report["warnings"])
    for leaf in leaves:
        assert (leaf["question"].rstrip("?") in missing) == (not leaf["evidence"])
