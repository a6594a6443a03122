from benchmarks.reporting.model_calls import costs_of, in_sequence, median_of
from benchmarks.reporting.report_web.prompt import parts_after
from benchmarks.reporting.report_web.running import ModelRun
from benchmarks.reporting.report_web.world import local_questions

QUESTION = local_questions()[0]


def run_of(calls, **metrics):
    used = {
        "model_calls": len(calls),
        "prompt_tokens": 0,
        "completion_tokens": 0,
        "pages_visited": 0,
    } | metrics
    return ModelRun({QUESTION.id: {"report": {"metrics": used}}}, calls, [])


def call(start_ms, end_ms, role="writer", chars=100, cacheable=None):
    whole = {"whole": chars + 50, "whole_cacheable": None if cacheable is None else cacheable + 50}
    times = {"role": role, "start_ms": start_ms, "end_ms": end_ms}
    new = {"Goal": chars - (cacheable or 0)}
    return times | {"chars": chars, "cacheable": cacheable, "new": new} | whole


def test_calls_in_sequence_are_those_of_which_each_begins_after_the_end_of_another():
    times = [(0, 10), (2, 9), (3, 12), (11, 20), (12, 30), (21, 25)]
    roles = in_sequence([call(*time, role=str(n)) for n, time in enumerate(times)])
    assert roles == ["1", "3", "5"]


def test_a_call_that_never_ended_is_in_no_sequence():
    assert len(in_sequence([call(0, 10), call(20, None)])) == 1


def test_the_costs_of_a_type_and_a_depth_are_the_medians_of_its_jobs():
    runs = [
        run_of([call(n, n + 1) for n in range(0, 2 * many, 2)], prompt_tokens=100 * many)
        for many in (1, 2, 9)
    ]
    spent = [costs_of(run, QUESTION) for run in runs]
    assert [median_of(spent, what) for what in ("calls", "in_sequence", "prompt_tokens")] == [2, 2, 200]
    assert spent[2].roles == {"writer": 9}


def test_what_could_be_cached_is_a_share_of_the_second_call_of_a_role_and_later_ones():
    spent = costs_of(run_of([call(0, 1, chars=900), call(2, 3, chars=200, cacheable=150)]), QUESTION)
    assert (spent.chars["writer"], spent.repeated["writer"], spent.cacheable["writer"]) == (1_100, 200, 150)
    assert (spent.whole_repeated, spent.whole_cacheable) == (250, 200)
    assert spent.new == {"writer 2": {"Goal": 50}}


def test_what_is_new_in_a_prompt_is_told_by_its_parts():
    prompt = "You steer.\n## Rules\nnone\n### Goal\nlamps\n### Evidence\nE1. one\nE2. two"
    place = prompt.index("E2.")
    assert parts_after(prompt, place) == {"Evidence": len(prompt) - place}
    assert list(parts_after(prompt, prompt.index("lamps"))) == ["Goal", "Evidence"]
