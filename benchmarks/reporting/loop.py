"""Whether it pays to judge the evidence and to search again: facts found, beside a loop that searches once.

Both read at most the same number of pages. The plain loop makes one search and reads its best pages; ours has its
attempts, sub-questions and analyst, and what the jobs before it have found. Asked are the questions of the local web
whose answers stand two or three pages away, and those on real manuals (`answers`). With RESEARCH_LOOP_BENCH=quick,
every third of them.
"""

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import httpx
from lxml import html

from benchmarks.figures import Calibration, Figure, counted
from benchmarks.reporting.answers import FOLDER, manual_questions, reports_on, scored
from benchmarks.reporting.docs_web import manuals, why_missing
from benchmarks.reporting.report_web.running import (
    Row,
    Scripted,
    answers,
    asked,
    local_web,
    scripted_model,
    system,
)
from benchmarks.reporting.report_web.scoring import answer_part
from benchmarks.reporting.report_web.scoring import scored as scored_locally
from benchmarks.reporting.report_web.world import LocalQuestion, local_questions

PAGES: Final = 8
LOOPS: Final = {
    "plain": {"phase1_max_searches": 1, "phase1_max_visits": PAGES},
    "ours": {"phase1_max_visits": PAGES},
}
"""The settings of both loops. Ours alone has the memory of the jobs before."""
LEAST_GAIN: Final = 5.0
_VISITED: Final = re.compile(r"^### \S+ \d+: (http\S+)$", re.M)
STEP: Final = 3 if os.environ.get("RESEARCH_LOOP_BENCH") == "quick" else 1


def measure(_: Calibration) -> Iterator[Figure]:
    """The facts that both loops find, on both webs."""
    yield from _with_model()
    yield from _on_local_web()
    reason = why_missing() or ("" if FOLDER.is_dir() else "RESEARCH_TEST_DATA has no answers")
    if reason:
        yield Figure("the loop on real manuals", 0, "skipped", note=reason)
        return
    yield from _on_manuals()
    yield from _on_manuals_with_model()


def _with_model() -> Iterator[Figure]:
    """The same on the local web with a scripted model, which plans by what its prompts show and knows no answer.

    What is judged is what the report shows; what the evidence holds is printed beside, because the script shows the
    eight sentences that it likes best.
    """
    shares, held, pages = {}, {}, {}
    with local_web() as web, scripted_model() as model:
        questions = [q.at(web.hosts) for q in local_questions() if q.hops > 1][::STEP]
        for name, limits in LOOPS.items():
            with model.system(web, **limits) as child:
                rows = model.run(child, _lines(questions, name), kind="refining").rows
            shares[name], pages[name] = _share(questions, rows), _pages(rows)
            held[name] = _share(questions, rows, in_evidence=True)
    yield _gain("two- and three-hop questions, with a scripted model", shares, pages, len(questions))
    yield _held(held)


def _lines(questions: Sequence[LocalQuestion], loop: str) -> list[Row]:
    return [asked(question, memory=loop == "ours") for question in questions]


def _share(questions: Sequence[LocalQuestion], rows: dict[str, Row], *, in_evidence: bool = False) -> float:
    scores = [scored_locally(q, rows[q.id]["report"]) for q in questions]
    found = sum(one.in_evidence if in_evidence else one.found for one in scores)
    return 100 * found / max(1, sum(one.facts for one in scores))


def _pages(rows: dict[str, Row]) -> float:
    return sum(row["report"]["metrics"]["pages_visited"] for row in rows.values()) / max(1, len(rows))


def _on_local_web() -> Iterator[Figure]:
    shares, pages = {}, {}
    with local_web() as web:
        questions = [q.at(web.hosts) for q in local_questions() if q.hops > 1][::STEP]
        for name, limits in LOOPS.items():
            with system(web, **limits) as child:
                rows = answers(child, _lines(questions, name))
            shares[name], pages[name] = _share(questions, rows), _pages(rows)
    yield _gain("two- and three-hop questions of the local web", shares, pages, len(questions))


def _on_manuals() -> Iterator[Figure]:
    """The questions on real manuals, answered without a model."""
    gain, _, read = _compared_on_manuals("questions on real manuals")
    yield gain
    yield read


def _on_manuals_with_model() -> Iterator[Figure]:
    """The same with the scripted model, which is the same for both loops and knows nothing of these manuals."""
    with scripted_model() as model:
        yield from _compared_on_manuals("questions on real manuals, with a scripted model", model)


def _compared_on_manuals(what: str, model: Scripted | None = None) -> tuple[Figure, Figure, Figure]:
    """The gain in what the reports show, what the evidence holds, and what the pages that were read hold."""
    settings = model.settings if model else {}
    questions = [q for q in manual_questions() if q["answerable"]][::STEP]
    shares, held, read, pages = {}, {}, {}, {}
    for name, limits in LOOPS.items():
        if model:
            model.become(kind="refining")  # it forgets what it looked for in the other loop
        with tempfile.TemporaryDirectory() as folder, manuals() as search:
            remembers = name == "ours"
            reports, _ = reports_on(search, questions, Path(folder), memory=remembers, **limits, **settings)
            shown = {id_: {"answer": answer_part(report)} for id_, report in reports.items()}
            quoted = {id_: {"answer": _evidence_of(report)} for id_, report in reports.items()}
            shares[name] = 100 * scored(shown, questions, Path(folder)).facts
            held[name] = 100 * scored(quoted, questions, Path(folder), words=10**7).facts
            texts = {id_: {"answer": _text_of_pages(report)} for id_, report in reports.items()}
            read[name] = 100 * scored(texts, questions, Path(folder), words=10**7).facts
        visits = [report["metrics"]["pages_visited"] for report in reports.values() if report.get("metrics")]
        pages[name] = sum(visits) / max(1, len(visits))
    return _gain(what, shares, pages, len(questions)), _held(held), _held(read, "text of the pages read")


def _evidence_of(report: dict[str, Any]) -> str:
    return "\n".join(entry["quote"] for entry in report.get("evidence", ()))


def _text_of_pages(report: Row) -> str:
    """All text of the pages that a job has read: what no loop with these pages can find more than."""
    urls = _VISITED.findall(report["phase1"]["research_state_md"]) if report.get("phase1") else ()
    return "\n".join(html.fromstring(httpx.get(url).content).text_content() for url in urls)


def _held(held: dict[str, float], where: str = "evidence") -> Figure:
    reference = f"plain {held['plain']:.1f} %"
    return Figure(f"of these, facts in the {where}", held["ours"], "%", reference=reference)


def _gain(what: str, shares: dict[str, float], pages: dict[str, float], asked_questions: int) -> Figure:
    gain = shares["ours"] - shares["plain"]
    return counted(
        f"{what}: facts more than the plain loop",
        gain,
        "points",
        ok=gain >= LEAST_GAIN,
        target=f"≥ {LEAST_GAIN:.0f}",
        reference=f"plain {shares['plain']:.1f} % with {pages['plain']:.1f} pages a question",
        note=f"ours {shares['ours']:.1f} % with {pages['ours']:.1f} pages; {asked_questions} questions",
    )
