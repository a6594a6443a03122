import contextlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.answers import ExtractorAnswer, PlannerAnswer, ScorerAnswer, parse_answer
from prompts.report_answers import ReportAnswer
from research_crawler.core.brain_errors import BadAnswer

JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)
ALL = (PlannerAnswer, ScorerAnswer, ExtractorAnswer, ReportAnswer)


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("text", ["", "I would rather not.", "[]", '{"action": "dance"}', "{" * 50])
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


@pytest.mark.parametrize("labels", [True, 3, 0.5, "R1", {"id": "R1"}, None])
def test_labels_that_are_no_list_are_left_out(labels):
    answer = parse_answer(PlannerAnswer, json.dumps({"action": "done", "labels": labels}))
    assert answer.labels == []


@pytest.mark.parametrize(
    "text", ["{" * 20_000, "[{" * 10_000, '{"a": [' * 3_000, '{"a": "b" ' * 4_000, "x" * 300_000]
)
def test_a_text_that_no_answer_can_be_is_refused_at_once(text):
    begun = time.process_time()
    with pytest.raises(BadAnswer, match="too long or nested too deeply"):
        parse_answer(PlannerAnswer, text)
    assert time.process_time() - begun < 1
