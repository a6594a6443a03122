import json

from planner.rounds import brain_view
from prompts.answer_shapes import Bounds
from prompts.answers import PlannerAnswer, parse_answer
from prompts.report_schemas import report_schema
from prompts.schemas import MOST_SHOWN_RESULTS, extractor_schema, planner_schema, scorer_schema
from research_crawler.adapters.models.request_forms import schema_text
from research_crawler.core.models.jobs.outline import MOST_EVIDENCE
from tests.cases import each_case


def schemas():
    bounds = Bounds()
    return [
        planner_schema(bounds, ["search", "visit", "done"], ["R1"]),
        scorer_schema(bounds, ["R1", "R2"]),
        extractor_schema(bounds, ("key_facts", "recommendations")),
        report_schema(bounds, ["E1"]),
    ]


@each_case("schema", schemas())
def test_schemas_are_closed_bounded_and_without_references(schema):
    assert "$ref" not in json.dumps(schema)
    _check(schema)


def _check(schema):
    if schema.get("type") == "object":
        assert set(schema["properties"]) - set(schema["required"]) <= {
            *("query", "queries", "urls", "missing", "providers", "outline", "expected_domains"),
            *("section", "question", "evidence", "reason"),
            *("intent", "type", "labels", "analysis", "evaluation"),
        }
        assert schema["additionalProperties"] is False
        for part in schema["properties"].values():
            _check(part)
    elif schema.get("type") == "array":
        assert schema["maxItems"]
        _check(schema["items"])
    else:
        assert schema["type"] == "boolean" or schema.get("enum") or schema["maxLength"]


def test_the_planners_schema_has_only_allowed_actions():
    schema = planner_schema(Bounds(), ["search", "done"], [])
    assert schema["properties"]["action"]["enum"] == ["search", "done"]
    assert "urls" not in schema["properties"]


def test_a_model_gives_only_what_its_action_needs_and_a_small_one_everything():
    for bounds, needed in (
        (Bounds(), {"action", "reason"}),
        (Bounds(reasons=False), {"action", "reason", "query", "queries", "urls", "missing"}),
    ):
        schema = planner_schema(bounds, ["search", "visit", "done"], ["R1"])
        assert set(schema["required"]) == needed
        is_small = not bounds.reasons
        assert schema["properties"]["query"].get("minLength", 0) == 3 * is_small
        assert schema["properties"]["urls"]["minItems"] == is_small


def test_a_schema_is_the_same_in_all_steps_and_jobs_so_that_a_provider_can_keep_it_with_what_follows():
    allowed = ["search", "visit", "done"]
    assert planner_schema(Bounds(), allowed, ["R1"]) == planner_schema(Bounds(), allowed, ["R1", "R2", "R9"])
    short, long = (report_schema(Bounds(), [f"E{n}" for n in range(n)], words=170 + n) for n in (3, 40))
    assert short == long


def test_a_small_model_is_told_exactly_what_it_may_name():
    small = planner_schema(Bounds(reasons=False), ["visit", "done"], ["R1", "R2"])
    assert small["properties"]["urls"]["items"]["enum"] == ["R1", "R2"]


def test_a_sub_question_may_have_as_much_evidence_as_its_leaf_keeps():
    entry = planner_schema(Bounds(), ["done"], [])["properties"]["outline"]["items"]
    assert entry["properties"]["evidence"]["maxItems"] == MOST_EVIDENCE
    assert entry["required"] == ["id", "state"]


def test_confidence_is_asked_for_once():
    schema = planner_schema(Bounds(), ["done"], ["R1"])
    assert json.dumps(schema).count("confidence") == 2  # as a property, and as a required one


def test_the_extractors_schema_has_the_fields_of_the_intent_after_the_scores():
    fields = list(extractor_schema(Bounds(), ("key_facts", "recommendations"))["properties"])
    assert fields == [
        "relevance",
        "confidence",
        "summary",
        "key_facts",
        "recommendations",
        "pages",
        "leads_to",
        "answers_all",
    ]


def test_a_schema_in_a_prompt_names_no_list_of_ids():
    ids = [f"E{n}" for n in range(1, 61)]
    text = schema_text(report_schema(Bounds(reasons=False), ids))
    assert "E60" not in text
    assert "E1 …" in text
    assert '"search", "visit"' in schema_text(planner_schema(Bounds(), ["search", "visit"], ["R1", "R2"]))


def test_a_sentence_may_rest_on_more_than_four_quotes():
    schema = report_schema(Bounds(), ["E1", "E2"])
    assert schema["properties"]["answer"]["items"]["properties"]["evidence"]["maxItems"] > 4


def test_an_answer_is_read_even_if_it_is_longer_than_its_schema_asks():
    said = {"action": "search", "reason": "x" * 5_000, "queries": [f"heat pump {n}" for n in range(40)]}
    schema = planner_schema(Bounds(), ["search"], [])
    assert schema["properties"]["queries"]["maxItems"] == 5
    answer = parse_answer(PlannerAnswer, json.dumps(said))
    assert (len(answer.reason), len(answer.queries)) == (5_000, 40)


def test_a_schema_of_one_call_does_not_change_that_of_the_next():
    before = json.dumps(report_schema(Bounds(), ["E1"]))
    report_schema(Bounds(reasons=False, items=3), ["E1", "E2"], words=400, is_alone=False)
    planner_schema(Bounds(reasons=False), ["search"], [])
    assert json.dumps(report_schema(Bounds(), ["E1"])) == before


def test_every_result_that_the_planner_is_shown_has_its_id_in_the_schema():
    shown = max(brain_view.MAX_NEW + brain_view.BESIDE_NEW, brain_view.MAX_CANDIDATES)
    assert shown <= MOST_SHOWN_RESULTS
