"""Whether a small, cheap model pays: questions on real manuals, by a model held to short answers and by none.

The questions are those of `answers`, which also says how the manuals are served. The scripted model knows what is true
and finds it wherever it is shown; its answers are short, and have the faults of small models (`report_web.short`). So
what a report lacks was lost by us, or takes more words than such a model writes.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.figures import Calibration, Figure, counted
from benchmarks.reporting.answers import FOLDER, manual_questions, reports_in, scored
from benchmarks.reporting.docs_web import manuals, why_missing
from benchmarks.reporting.report_web.running import Scripted, scripted_model
from benchmarks.reporting.report_web.scoring import answer_part

PAGES: Final = 6
"""Pages that the model asks for."""


def measure(_: Calibration) -> Iterator[Figure]:
    """The facts of the reports beside those of reports without a model, and what became of the model's sentences."""
    if reason := why_missing() or ("" if FOLDER.is_dir() else "RESEARCH_TEST_DATA has no answers"):
        yield Figure("a small model on real manuals", 0, "skipped", note=reason)
        return
    questions = [q for q in manual_questions() if q["answerable"]]
    with manuals() as search:
        plain, _cpu_s = reports_in(search, questions)
        with scripted_model() as model:
            reports, calls = _by_short_model(model, search, questions)
    yield from _figures(questions, reports, plain, calls)


def _by_short_model(
    model: Scripted, search: str, questions: Sequence[dict[str, Any]]
) -> tuple[dict[str, dict[str, Any]], int]:
    known = {
        q["question"]: [["|".join(f"(?:{one})" for one in fact)] for fact in q["must"]] for q in questions
    }
    model.become(kind="short", pages=PAGES, sentences=3, known=known)
    reports, _cpu_s = reports_in(search, questions, **model.settings)
    return reports, len(model.calls())


def _figures(
    questions: Sequence[dict[str, Any]],
    reports: dict[str, dict[str, Any]],
    plain: dict[str, dict[str, Any]],
    calls: int,
) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        ours, without = (
            scored({id_: {"answer": answer_part(one)} for id_, one in some.items()}, questions, Path(folder))
            for some in (reports, plain)
        )
    for id_, points in ours.each.items():
        print(f"     {points:.2f} {id_:20} without a model {without.each.get(id_, 0):.2f}")
    yield counted(
        "facts in answers of a model that writes little",
        ours.facts,
        "of 1",
        ok=ours.facts >= without.facts,
        target="≥ those without a model",
        reference=f"without a model {without.facts:.3f}",
        note=f"{ours.line()}; {calls / max(1, len(reports)):.1f} calls a question",
    )
    yield counted("of these, wrong statements", ours.wrong, "answers", ok=not ours.wrong, target="0")
