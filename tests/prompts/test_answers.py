import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.answers import (
    Bounds,
    ExtractorAnswer,
    PlannerAnswer,
    ReportAnswer,
    ScorerAnswer,
    extractor_schema,
    parse_answer,
    planner_schema,
    report_schema,
    scorer_schema,
)
from research_crawler.core.errors import BadAnswer

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
def test_what_is_no_answer_is_refused(text):
    with pytest.raises(BadAnswer):
        parse_answer(PlannerAnswer, text)


def test_one_or_several_urls_are_taken():
    assert parse_answer(PlannerAnswer, '{"action": "visit", "urls": "R1", "missing": null}').urls == ["R1"]


@pytest.mark.parametrize("score", [-0.1, 1.5, 8])
def test_a_score_outside_of_the_range_fails_the_answer(score):
    with pytest.raises(BadAnswer, match="score"):
        parse_answer(ScorerAnswer, json.dumps([{"id": "R1", "score": score}]))


@pytest.mark.parametrize("wrap", [lambda a: a, lambda a: {"results": a}, lambda a: {"scored": a}])
def test_scores_come_bare_or_wrapped(wrap):
    entries = [{"id": 1, "score": 0.9, "type": "forum", "priority": "must_visit"}, {"id": "R2"}]
    answer = parse_answer(ScorerAnswer, json.dumps(wrap(entries)))
    assert [(entry.id, entry.score) for entry in answer.results] == [("1", 0.9)]


def test_an_extraction_cut_off_in_mid_entry_keeps_the_whole_ones():
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


def schemas():
    bounds = Bounds()
    return [
        planner_schema(bounds, ["search", "visit", "done"], ["R1"]),
        scorer_schema(bounds, ["R1", "R2"]),
        extractor_schema(bounds, ("key_facts", "sources_cited")),
        report_schema(bounds, ["E1"]),
    ]


@pytest.mark.parametrize("schema", schemas())
def test_schemas_are_closed_bounded_and_without_references(schema):
    assert "$ref" not in json.dumps(schema)
    _check(schema)


def _check(schema):
    if schema.get("type") == "object":
        assert set(schema["properties"]) - set(schema["required"]) <= {"providers"}
        assert schema["additionalProperties"] is False
        for part in schema["properties"].values():
            _check(part)
    elif schema.get("type") == "array":
        assert schema["maxItems"]
        _check(schema["items"])
    else:
        assert schema.get("enum") or schema["maxLength"]


def test_the_planner_is_offered_only_what_it_may_do():
    schema = planner_schema(Bounds(), ["search", "done"], [])
    assert schema["properties"]["action"]["enum"] == ["search", "done"]
    assert "urls" not in schema["properties"]


def test_the_extractor_is_offered_the_fields_of_the_intent_after_the_scores():
    fields = list(extractor_schema(Bounds(), ("key_facts", "sources_cited"))["properties"])
    assert fields == ["relevance", "confidence", "summary", "key_facts", "sources_cited"]
