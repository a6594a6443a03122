import contextlib
import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.answers import (
    ExtractorAnswer,
    PlannerAnswer,
    ProductAnswer,
    ScorerAnswer,
    SecondReaderAnswer,
    VerifierAnswer,
    parse_answer,
)
from prompts.report_answers import ReportAnswer
from research_crawler.core.brain_errors import BadAnswer
from tests.cases import each_case

JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)
ALL = (PlannerAnswer, ScorerAnswer, ExtractorAnswer, ReportAnswer)


@each_case(
    "text",
    [
        '{"action": "search", "query": "lamps", "reason": "why"}',
        '```json\n{"action": "search", "query": "lamps", "reason": "why"}\n```',
        'Sure! {"action": "search", "query": "lamps", "reason": "why",}',
        '{"action": "search", "query": ["lamps"], "reason": "why"',
    ],
)
def test_fenced_and_broken_json_is_repaired(text):
    answer = parse_answer(PlannerAnswer, text)
    assert (answer.action, answer.query, answer.reason) == ("search", "lamps", "why")


@each_case("text", ["", "I would rather not.", "[]", '{"action": "dance"}', "{" * 50])
def test_a_text_that_is_not_an_answer_is_refused(text):
    with pytest.raises(BadAnswer):
        parse_answer(PlannerAnswer, text)


def test_one_or_several_urls_are_accepted():
    assert parse_answer(PlannerAnswer, '{"action": "visit", "urls": "R1", "missing": null}').urls == ["R1"]


@pytest.mark.parametrize("score", [-0.1, 1.5, 8])
def test_a_score_outside_of_the_range_fails_the_answer(score):
    with pytest.raises(BadAnswer, match="score"):
        parse_answer(ScorerAnswer, json.dumps([{"id": "R1", "score": score}]))


@pytest.mark.parametrize("wrap", [lambda a: a, lambda a: {"results": a}, lambda a: {"scored": a}])
def test_labels_may_be_an_array_or_an_object_with_an_array(wrap):
    entries = [{"id": 1, "score": 0.9, "type": "forum", "priority": "must_visit"}, {"id": "R2"}]
    answer = parse_answer(ScorerAnswer, json.dumps(wrap(entries)))
    assert [(entry.id, entry.score) for entry in answer.results] == [("1", 0.9)]


def test_an_extraction_that_is_cut_off_keeps_its_complete_entries():
    text = (
        '{"relevance": 0.8, "confidence": 0.5, "key_facts": [{"claim": "a", "quote": "b"}, {"claim": "c", "qu'
    )
    answer = parse_answer(ExtractorAnswer, text)
    assert [entry.claim for entry in answer.key_facts] == ["a"]


@pytest.mark.parametrize("model", ALL)
@given(JSON)
def test_any_json_is_an_answer_or_refused(model, value):
    with contextlib.suppress(BadAnswer):
        parse_answer(model, json.dumps(value))


@given(st.text())
def test_any_text_is_an_answer_or_refused(text):
    with contextlib.suppress(BadAnswer):
        parse_answer(ExtractorAnswer, text)


@each_case("labels", [True, 3, 0.5, "R1", {"id": "R1"}, None])
def test_labels_that_are_no_list_are_left_out(labels):
    answer = parse_answer(PlannerAnswer, json.dumps({"action": "done", "labels": labels}))
    assert answer.labels == []


@each_case("text", ["{" * 20_000, "[{" * 10_000, '{"a": [' * 3_000, '{"a": "b" ' * 4_000, "x" * 300_000])
def test_a_text_that_no_answer_can_be_is_refused_at_once(text):
    begun = time.process_time()
    with pytest.raises(BadAnswer, match=r"nested too deeply|longer than any answer"):
        parse_answer(PlannerAnswer, text)
    assert time.process_time() - begun < 1


FLAT = [
    # as one is told
    (ReportAnswer, {"answer": [{"text": "A.", "evidence": ["E1"]}]}, "answer.0.evidence.0", "E1"),
    # one value for a list, a number for a text, null for what is left out
    (ReportAnswer, {"answer": [{"text": "A.", "evidence": "E1"}]}, "answer.0.evidence.0", "E1"),
    (ReportAnswer, {"answer": [{"text": "A.", "evidence": [1]}]}, "answer.0.evidence.0", "1"),
    (ReportAnswer, {"answer": [{"text": "A.", "evidence": None}]}, "answer.0.evidence", []),
    (ReportAnswer, {"answer": {"text": "A.", "evidence": ["E1"]}}, "answer.0.text", "A."),
    (ReportAnswer, {"answer": "A."}, "answer.0.text", "A."),
    (ReportAnswer, [{"text": "A.", "evidence": ["E1"]}], "answer.0.text", "A."),
    (ReportAnswer, {"answer": ["A."], "certainty": None, "table": None}, "certainty.text", ""),
    (PlannerAnswer, {"action": "Search", "query": "lamps here"}, "action", "search"),
    (PlannerAnswer, {"query": "lamps here"}, "action", "search"),
    (PlannerAnswer, {"urls": "R1"}, "action", "visit"),
    (PlannerAnswer, {"action": "visit", "urls": [1]}, "urls.0", "1"),
    (PlannerAnswer, {"action": "done", "analysis": "ok", "evaluation": 0.5}, "analysis", None),
    (ExtractorAnswer, {"key_facts": [{"claim": "a", "quote": "b"}]}, "relevance", 0.5),
    (ExtractorAnswer, {"relevance": 0.9, "key_facts": []}, "confidence", 0.9),
    (ExtractorAnswer, {"relevance": "0.9", "confidence": "high"}, "confidence", 0.9),
    (ExtractorAnswer, {"relevance": 1, "confidence": 1, "key_facts": ["b"]}, "key_facts.0.quote", "b"),
    (ExtractorAnswer, {"relevance": 1, "key_facts": {"quote": "b"}}, "key_facts.0.claim", "b"),
    (ExtractorAnswer, [{"claim": "a", "quote": "b"}], "key_facts.0.claim", "a"),
    (
        VerifierAnswer,
        {"statements": [{"id": "S1", "verdict": "Not said"}]},
        "statements.0.verdict",
        "not_said",
    ),
    (VerifierAnswer, [{"id": 1, "verdict": "supported"}], "statements.0.id", "1"),
    (SecondReaderAnswer, [{"id": "S1", "words": None}], "statements.0.words", ""),
    (ProductAnswer, {"name": None, "price": 12, "availability": "In stock"}, "availability", "in_stock"),
]
WRAPPED = {
    "bare": "{}",
    "fenced": "```json\n{}\n```",
    "with a word before it": "Sure, here it is:\n{}",
    "with a word before and behind it": "Here:\n```\n{}\n```\nI hope that helps!",
    "a comma too many": "{},",
}


@each_case("wrapping", WRAPPED)
@each_case(("model", "data", "path", "value"), FLAT)
def test_a_small_models_answer_is_read_as_it_was_meant(model, data, path, value, wrapping):
    text = json.dumps(data)
    if wrapping == "a comma too many":
        text = re.sub(r"([\]}])$", r",\1", text)
    else:
        text = WRAPPED[wrapping].replace("{}", text)
    found = parse_answer(model, text)
    for step in path.split("."):
        found = found[int(step)] if step.isdigit() else getattr(found, step)
    assert found == value


@each_case(
    ("model", "data"),
    [
        (PlannerAnswer, {"action": "dance"}),
        (PlannerAnswer, {"query": "lamps", "sections": ["S1"]}),  # either could be meant
        (ExtractorAnswer, {}),
        (ExtractorAnswer, {"relevance": 8, "confidence": 9}),
        (VerifierAnswer, {"S1": "supported"}),
        (ReportAnswer, {"text": "A."}),
        (ReportAnswer, []),
        (ReportAnswer, "A."),
        (VerifierAnswer, "Hi"),
    ],
)
def test_an_answer_that_could_mean_several_things_or_nothing_is_refused(model, data):
    with pytest.raises(BadAnswer):
        parse_answer(model, json.dumps(data))


def test_queries_and_pages_without_an_action_mean_both():
    meant = parse_answer(PlannerAnswer, '{"query": "lamps", "urls": ["R1"]}')
    assert meant.action == "search_and_visit"


def test_a_text_longer_than_any_answer_is_refused_unread():
    sentences = ",".join('{"text": "a b", "evidence": ["E1"]}' for _ in range(6_000))
    with pytest.raises(BadAnswer, match="longer than any answer"):
        parse_answer(ReportAnswer, f'{{"answer": [{sentences}]}}')
