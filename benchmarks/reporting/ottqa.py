"""Measures the extractive brain on two-hop questions over tables of Wikipedia, end to end.

Crowd workers asked them (`ottqa` under RESEARCH_TEST_DATA), and its own `score.py` says whether an answer is found.
`RESEARCH_BENCH_QUESTIONS=N` asks the first N only. With `RESEARCH_BENCH_KEEP=FOLDER`, the reports stay there.
"""

import functools
import importlib.util
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.figures import Calibration, Figure, counted
from benchmarks.reporting.answers import FIRST_WORDS, answer_of, reports_in
from benchmarks.reporting.answers_baseline import best_sentences
from benchmarks.reporting.wiki_web import FOLDER, why_missing, wikipedia

LEAST_FOUND = 0.2
"""Least share of answers found: 12 of 60 is what was reached before the brain was made small."""
QUESTIONS = "RESEARCH_BENCH_QUESTIONS"
NOTHING_FOUND = 3
"""The exit code of a report that abstains."""


@dataclass(frozen=True)
class Found:
    """How many answers were found, of so many questions that have one, and how many reports abstained."""

    anywhere: int
    first: int
    answerable: int
    abstained_rightly: int
    abstained_wrongly: int
    unanswerable: int
    words: float

    def abstentions(self) -> str:
        """What is said beside a figure."""
        return (
            f"abstained rightly {self.abstained_rightly} of {self.unanswerable}, wrongly "
            f"{self.abstained_wrongly} of {self.answerable}; {self.words:.0f} words an answer"
        )


def measure(_: Calibration) -> Iterator[Figure]:
    """Our reports on the questions, three jobs at a time, then eight sentences of the same search engine."""
    if reason := why_missing():
        yield Figure("two-hop questions on tables", 0, "skipped", note=reason)
        return
    questions = asked_questions()
    with wikipedia() as search:
        reports, cpu_s = reports_in(search, questions)
        simple = {one["id"]: {"answer": best_sentences(search, one["question"])} for one in questions}
    ours = {
        id_: {"answer": answer_of(report), "abstained": report.get("exit_code") == NOTHING_FOUND}
        for id_, report in reports.items()
    }
    _print_each(questions, ours, simple)
    found, by_bm25 = scored(questions, ours), scored(questions, simple)
    yield counted(
        "answers found",
        found.anywhere,
        f"of {found.answerable}",
        ok=found.anywhere >= LEAST_FOUND * found.answerable,
        target=f"≥ {LEAST_FOUND:.0%}",
        reference=f"8 sentences by BM25 {by_bm25.anywhere}",
        note=found.abstentions(),
    )
    yield Figure(
        f"answers found in the first {FIRST_WORDS} words",
        found.first,
        f"of {found.answerable}",
        reference=f"8 sentences by BM25 {by_bm25.first}",
    )
    yield Figure("questions without a report", len(questions) - len(reports), f"of {len(questions)}")
    yield Figure("processor time per job", cpu_s / max(1, len(reports)), "s")


def asked_questions() -> list[dict[str, Any]]:
    """The questions, or the first of them if only some are wanted."""
    lines = (FOLDER / "questions.jsonl").read_text("utf-8").splitlines()
    most = os.environ.get(QUESTIONS)
    return [json.loads(line) for line in lines if line.strip()][: int(most) if most else None]


def scored(questions: Sequence[Mapping[str, Any]], answers: Mapping[str, Mapping[str, Any]]) -> Found:
    """The score of answers; an answer that abstains has found nothing."""
    answerable = [one for one in questions if one["answerable"]]
    given = {id_: "" if one.get("abstained") else one["answer"] for id_, one in answers.items()}
    abstained = {id_ for id_, one in answers.items() if one.get("abstained")}
    return Found(
        anywhere=sum(is_found(one, given.get(one["id"], "")) for one in answerable),
        first=sum(is_found(one, first_words(given.get(one["id"], ""))) for one in answerable),
        answerable=len(answerable),
        abstained_rightly=sum(one["id"] in abstained for one in questions if not one["answerable"]),
        abstained_wrongly=sum(one["id"] in abstained for one in answerable),
        unanswerable=len(questions) - len(answerable),
        words=sum(len(text.split()) for text in given.values()) / max(1, len(given)),
    )


def first_words(text: str) -> str:
    """The part of an answer that is read first."""
    return " ".join(text.split()[:FIRST_WORDS])


def is_found(question: Mapping[str, Any], text: str) -> bool:
    """Whether the text holds one of the answers, as `score.py` of the questions sees it."""
    return bool(_scorer().holds(text, question["answers"]))


@functools.cache
def _scorer() -> Any:
    spec = importlib.util.spec_from_file_location("ottqa_score", FOLDER / "score.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _print_each(
    questions: Sequence[Mapping[str, Any]],
    ours: Mapping[str, Mapping[str, Any]],
    simple: Mapping[str, Mapping[str, Any]],
) -> None:
    """By question: whether we have found the answer, and whether the reference has (+ or -)."""
    for question in questions:
        given = ours.get(question["id"], {"answer": ""})
        mark = "a" if given.get("abstained") else "-+"[is_found(question, given["answer"])]
        beside = "-+"[is_found(question, simple[question["id"]]["answer"])]
        print(
            f"     {mark} bm25 {beside} {question['id']} {question['question'][:90]} → {question['answers'][:1]}"
        )
