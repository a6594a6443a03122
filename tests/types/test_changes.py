"""The changes of a record are typed: mypy refuses a field that is misspelled and a value of the wrong type."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import mypy.api
import pytest
from pydantic import BaseModel

from research_crawler.core.models import changes, outline_changes, record_changes, report_changes
from research_crawler.core.models.jobs import Job, JobInputs
from research_crawler.core.models.plan import Plan

ROOT = Path(__file__).parents[2]
WRONG = Path(__file__).with_name("wrong_changes.py")
TYPED = {**vars(changes), **vars(outline_changes), **vars(record_changes), **vars(report_changes)}
HELPERS = {"cleaned", "changed", "with_values_of"}
"""The functions that may make a copy whose values nothing checks: each checks them itself."""


def sources() -> list[Path]:
    return [
        path
        for folder in ("research_crawler", "planner", "pipelines", "prompts", "benchmarks")
        for path in sorted((ROOT / folder).rglob("*.py"))
    ]


def changeable() -> Iterator[type[BaseModel]]:
    """Every model that has a method `changed` of its own."""
    for path in sources():
        if "def changed(self" in path.read_text(encoding="utf-8"):
            module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            for _, found in inspect.getmembers(module, inspect.isclass):
                if "changed" in vars(found) and found.__module__ == module.__name__:
                    yield found


def accepted(model: type[BaseModel]) -> dict[str, Any]:
    """The arguments of a model's `changed` with their types."""
    hints = get_type_hints(vars(model)["changed"], localns=TYPED)
    hints.pop("return")
    if "changes" not in hints:
        return hints
    (typed,) = get_args(hints["changes"])
    return get_type_hints(typed)


def calls(path: Path, *names: str, outside: set[str]) -> list[int]:
    """The lines of a file that call one of these, but for those in the functions named by `outside`."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text if any(name in text for name in names) else "")
    functions = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in outside
    ]
    spared = {id(node) for function in functions for node in ast.walk(function)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and id(node) not in spared]
    return [node.lineno for node in found if ast.unparse(node.func).rpartition(".")[2] in names]


def test_mypy_refuses_a_misspelled_field_and_a_value_of_the_wrong_type(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_each_argument_of_changed_is_a_field_of_its_model_with_that_fields_type() -> None:
    models = list(changeable())
    assert len(models) > 30
    for model in models:
        fields = get_type_hints(model)
        assert {name: fields[name] for name in accepted(model)} == accepted(model), model


def test_no_code_copies_a_model_around_its_typed_method() -> None:
    for path in sources():
        assert calls(path, "model_copy", outside={"replaced"}) == [], path
        assert calls(path, "replaced", outside=HELPERS) == [], path


def test_a_change_of_a_field_that_the_model_lacks_is_an_error_at_run_time_too() -> None:
    update: dict[str, Any] = {"itertion": 3}
    with pytest.raises(TypeError, match="Plan has no field itertion"):
        Plan().changed(**update)


def test_a_change_leaves_the_record_it_was_made_of_as_it_was() -> None:
    job = Job(id="j", inputs=JobInputs(goal="why"))
    later = job.changed(state="executing", plan=job.plan.changed(iteration=3))
    assert (job.state, job.plan.iteration) == ("pending", 0)
    assert (later.id, later.state, later.plan.iteration) == ("j", "executing", 3)
