"""Measures the extractive brain on questions that no constant and no rule was chosen on, end to end.

`unseen_questions/` has them: everyday questions on the pages of Wikipedia that `ottqa` serves, and questions on
manuals that nothing was tuned on, those of `wider_docs_web` and others beside those of `answers`. Nobody looks at
them to change the brain: they are scored, and a rule that does not pay here goes. `RESEARCH_UNSEEN_QUESTIONS=FOLDER`
asks those of another folder, and `RESEARCH_BENCH_QUESTIONS=N` the first N of each file. With
`RESEARCH_BENCH_KEEP=FOLDER`, the reports stay there.
The facts are counted by the `score.py` of `answers`.
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from benchmarks.figures import Calibration, Figure
from benchmarks.reporting import answers, docs_web, wider_docs_web, wiki_web
from benchmarks.reporting.answers import FIRST_WORDS, Score, answer_of, reports_in
from benchmarks.reporting.answers_baseline import best_sentences
from benchmarks.reporting.ottqa import NOTHING_FOUND, QUESTIONS

FOLDER = Path(os.environ.get("RESEARCH_UNSEEN_QUESTIONS") or Path(__file__).with_name("unseen_questions"))
Web = tuple[Callable[[], str], Callable[[], AbstractContextManager[str]]]
WEBS: dict[str, Web] = {
    "wikipedia": (wiki_web.why_missing, wiki_web.wikipedia),
    "manuals": (wider_docs_web.why_missing, wider_docs_web.wider_manuals),
    "docs": (docs_web.why_missing, docs_web.manuals),
}
"""By the end of a file's name: why its web cannot be served, and the web."""


def measure(_: Calibration) -> Iterator[Figure]:
    """Our reports on all questions, and eight sentences of the same search engine, by web and in all."""
    if not answers.FOLDER.is_dir():
        yield Figure("unseen questions", 0, "skipped", note="RESEARCH_TEST_DATA has no answers")
        return
    asked: list[dict[str, Any]] = []
    ours: dict[str, dict[str, Any]] = {}
    simple: dict[str, dict[str, Any]] = {}
    cpu_s = 0.0
    for name, (why_missing, web) in WEBS.items():
        questions = questions_on(name)
        if reason := why_missing():
            yield Figure(f"unseen questions on {name}", 0, "skipped", note=reason)
            continue
        with web() as search:
            reports, spent_s = reports_in(search, questions)
            simple |= {one["id"]: {"answer": best_sentences(search, one["question"])} for one in questions}
        cpu_s += spent_s
        ours |= {
            id_: {"answer": answer_of(report), "abstained": report.get("exit_code") == NOTHING_FOUND}
            for id_, report in reports.items()
        }
        asked += questions
        yield from _figures(name, questions, ours, simple)
    if asked:
        yield from _figures("all", asked, ours, simple)
        yield Figure("questions without a report", len(asked) - len(ours), f"of {len(asked)}")
        yield Figure("processor time per job", cpu_s / max(1, len(ours)), "s")


def questions_on(web: str) -> list[dict[str, Any]]:
    """The questions on the pages of a web."""
    most = os.environ.get(QUESTIONS)
    return [
        json.loads(line)
        for file in sorted(FOLDER.glob(f"*{web}.jsonl"))
        for line in file.read_text("utf-8").splitlines()[: int(most) if most else None]
    ]


def _figures(
    name: str,
    questions: Sequence[dict[str, Any]],
    ours: Mapping[str, dict[str, Any]],
    simple: Mapping[str, dict[str, Any]],
) -> Iterator[Figure]:
    found, first = _scores(questions, ours)
    by_bm25, first_by_bm25 = _scores(questions, simple)
    if name != "all":
        for id_, points in found.each.items():
            print(f"     {points:.2f} bm25 {by_bm25.each[id_]:.2f} {id_}")
    facts = sum(len(one["must"]) for one in questions)
    yield Figure(
        f"{name}: facts",
        found.facts,
        "of 1",
        reference=f"8 sentences by BM25 {by_bm25.facts:.3f}",
        note=f"{facts} facts; {found.line()}",
    )
    yield Figure(
        f"{name}: facts in the first {FIRST_WORDS} words",
        first.facts,
        "of 1",
        reference=f"8 sentences by BM25 {first_by_bm25.facts:.3f}",
    )
    yield Figure(
        f"{name}: overall", found.overall, "of 1", reference=f"8 sentences by BM25 {by_bm25.overall:.3f}"
    )


def _scores(questions: Sequence[dict[str, Any]], given: Mapping[str, dict[str, Any]]) -> tuple[Score, Score]:
    """The score of the answers, and that of their first words."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        whole = answers.scored(dict(given), questions, path)
        return whole, answers.scored(dict(given), questions, path, words=FIRST_WORDS)
