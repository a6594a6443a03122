"""The changes of a record are typed: mypy refuses a field that is misspelled and a value of the wrong type."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.planning_state import PlanningState
from tests.sources import nodes

ROOT = Path(__file__).parents[2]
WRONG = Path(__file__).with_name("wrong_changes.py")
HELPERS = {"cleaned", "changed", "with_values_of", "set", "plan", "set_phase2"}
"""The functions that may make a copy whose values they do not check: they, or mypy at each of their calls, do."""


def sources() -> list[Path]:
    return [
        path
        for folder in ("research_crawler", "planner", "pipelines", "prompts", "benchmarks")
        for path in sorted((ROOT / folder).rglob("*.py"))
    ]


def calls(path: Path, *names: str, outside: set[str]) -> list[int]:
    """The lines of a file that call one of these, but for those in the functions named by `outside`."""
    text = path.read_text(encoding="utf-8")
    if not any(name in text for name in names):
        return []
    functions = [node for node in nodes(path) if isinstance(node, ast.FunctionDef) and node.name in outside]
    spared = {id(node) for function in functions for node in ast.walk(function)}
    found = [node for node in nodes(path) if isinstance(node, ast.Call) and id(node) not in spared]
    return [node.lineno for node in found if ast.unparse(node.func).rpartition(".")[2] in names]


@pytest.mark.long
def test_mypy_refuses_a_misspelled_field_and_a_value_of_the_wrong_type(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    import mypy.api

    monkeypatch.chdir(ROOT)
    lines = enumerate(WRONG.read_text(encoding="utf-8").splitlines(), start=1)
    expected = {(no, mark[1]) for no, line in lines if (mark := re.search(r"# error: (\S+)$", line))}
    cache = str(pytestconfig.cache.mkdir("mypy")) if getattr(pytestconfig, "cache", None) else "/dev/null"
    said, complaint, _ = mypy.api.run(["--cache-dir", cache, str(WRONG)])
    found = {
        (int(no), code)
        for no, code in re.findall(r"wrong_changes\.py:(\d+): error: .*\[([a-z-]+)\]$", said, re.M)
    }
    assert not complaint
    assert found == expected, said


def test_the_class_of_what_is_changed_is_always_known_to_the_type_checker() -> None:
    """In a method that returns `Self`, mypy does not say of which class `self` is: its changes would be unchecked."""
    for path in sources():
        for method in nodes(path) if "-> Self" in path.read_text(encoding="utf-8") else ():
            if (
                isinstance(method, ast.FunctionDef)
                and method.returns
                and ast.unparse(method.returns) == "Self"
            ):
                assert "self.changed(" not in ast.unparse(method), f"{path}: {method.name}"


def test_no_code_copies_a_model_around_its_typed_method() -> None:
    for path in sources():
        assert calls(path, "model_copy", outside={"replaced"}) == [], path
        assert calls(path, "replaced", outside=HELPERS) == [], path


def test_a_change_of_a_field_that_the_model_lacks_is_an_error_at_run_time_too() -> None:
    update: dict[str, Any] = {"itertion": 3}
    with pytest.raises(TypeError, match="PlanningState has no field itertion"):
        PlanningState().changed(**update)


def test_a_change_leaves_the_record_it_was_made_of_as_it_was() -> None:
    job = Job(id="j", inputs=JobInputs(goal="why"))
    later = job.changed(state="executing", plan=job.plan.changed(iteration=3))
    assert (job.state, job.plan.iteration) == ("pending", 0)
    assert (later.id, later.state, later.plan.iteration) == ("j", "executing", 3)
