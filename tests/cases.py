"""Tests of many small cases whose names would tell nothing: one test that tries them all and tells which fail."""

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any


def each_case(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Callable[..., Any]], Any]:
    """Call a test with each case, as `pytest.mark.parametrize` would, in one test.

    A test of its own costs more than a small case, in each process that collects it. Cases share the fixtures of the
    test, so that none may change one.

    Args:
        names: Of the test's arguments that a case gives, as `parametrize` takes them.
        cases: A value for one name, else a tuple for each case.

    Raises:
        ExceptionGroup: All failures, each with its case, when the last case was tried.
    """
    parameters = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    given = [(case,) if len(parameters) == 1 else tuple(case) for case in cases]
    assert given, "no case"

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        others = [p for p in inspect.signature(test).parameters.values() if p.name not in parameters]
        calls = [dict(zip(parameters, case, strict=True)) for case in given]

        @functools.wraps(test)
        def try_all(**fixtures: Any) -> None:
            with _failures(len(calls)) as failures:
                for call in calls:
                    with _noted(call, failures):
                        test(**call, **fixtures)

        @functools.wraps(test)
        async def try_all_async(**fixtures: Any) -> None:
            with _failures(len(calls)) as failures:
                for call in calls:
                    with _noted(call, failures):
                        await test(**call, **fixtures)

        made = try_all_async if inspect.iscoroutinefunction(test) else try_all
        made.__signature__ = inspect.Signature(others)  # type: ignore[attr-defined]
        return made

    return decorate


@contextlib.contextmanager
def _failures(cases: int) -> Iterator[list[Exception]]:
    failures: list[Exception] = []
    yield failures
    if failures:
        raise ExceptionGroup(f"{len(failures)} of {cases} cases failed", failures)


@contextlib.contextmanager
def _noted(case: dict[str, Any], failures: list[Exception]) -> Iterator[None]:
    try:
        yield
    except Exception as failure:
        failure.add_note(f"in the case {repr(case)[:2000]}")
        failures.append(failure)
