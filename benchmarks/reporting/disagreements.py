"""Measures which disagreements of pages code finds, and what is called one that is none, without a model.

Each of `disagreements.toml` is a question with excerpts of two invented pages that give figures or dates. Pairs that
were written without sight of the rules are read from another file: `RESEARCH_PAIRS` names it, one JSON object a line
with the same keys, or with `contradict` and with `one_title` and `other_title` beside the texts.
"""

import json
import os
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from benchmarks.figures import Calibration, Figure, counted
from planner.evidence.contradictions import Difference, contradictions
from planner.evidence.parsed_sentence import ParsedSentence
from research_crawler.core.models.base import Frozen
from research_crawler.core.models.evidence.findings import Finding

FILE: Final = Path(__file__).with_suffix(".toml")
LEAST_FOUND, MOST_FALSE = 0.75, 0.05


class Said(Frozen):
    """What a page says."""

    title: str = ""
    text: str
    published: str = ""


class Pair(Frozen):
    """Two pages that answer a question."""

    id: str
    question: str
    verdict: Literal["contradicts", "replaced", "agrees"]
    one: Said
    """Of a replaced value: the newer page."""
    other: Said

    def findings(self) -> list[Finding]:
        """The excerpts as a job has them."""
        return [
            Finding(
                id=str(n),
                command="j:1",
                claim=statement.text,
                quote=statement.text,
                start=0,
                end=len(statement.text),
                page_sha256=str(n) * 64,
                url=f"http://page-{n}.test/",
                title=statement.title,
                published=statement.published,
                score=0.8,
            )
            for n, statement in enumerate((self.one, self.other), start=1)
        ]

    @property
    def is_of_values(self) -> bool:
        """Whether both pages give figures or dates, which is what code compares."""
        parsed = [ParsedSentence(said.text) for said in (self.one, self.other)]
        return all(one.quantities or one.dates for one in parsed)


class _File(Frozen):
    pair: tuple[Pair, ...] = Field(min_length=1)


def pairs(file: Path = FILE) -> tuple[Pair, ...]:
    """All pairs of a file, TOML or JSON lines."""
    text = file.read_text("utf-8")
    if file.suffix == ".toml":
        return _File.model_validate(tomllib.loads(text)).pair
    lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    return _File.model_validate(
        {"pair": [_nested(line) if "contradict" in line else line for line in lines]}
    ).pair


def _nested(line: dict[str, object]) -> dict[str, object]:
    """A pair that has texts and titles of its sides beside each other."""
    return {
        "id": line["id"],
        "question": line["question"],
        "verdict": "contradicts" if line["contradict"] else "agrees",
        "one": {"title": line.get("one_title", ""), "text": line["one"]},
        "other": {"title": line.get("other_title", ""), "text": line["other"]},
    }


def measure(_: Calibration) -> Iterator[Figure]:
    """What is found, and what is called a disagreement though both can be true: of values, and of all pairs."""
    unseen = os.environ.get("RESEARCH_PAIRS", "")
    known = pairs(Path(unseen) if unseen else FILE)
    compared = [(pair, contradictions(pair.question, pair.findings())) for pair in known]
    yield from _figures([(pair, one) for pair, one in compared if pair.is_of_values], "figures and dates")
    if others := [(pair, one) for pair, one in compared if not pair.is_of_values]:
        yield from _figures(others, "anything else")
    if not unseen:
        for pair, one in compared:
            if not _is_right(pair, one):
                print(
                    f"     {pair.id}: {pair.verdict}, found {', '.join(each.kind for each in one) or 'nothing'}"
                )


def _figures(chosen: Sequence[tuple[Pair, list[Difference]]], name: str) -> Iterator[Figure]:
    disputed = [(pair, one) for pair, one in chosen if pair.verdict != "agrees"]
    right = sum(_is_right(pair, one) for pair, one in disputed)
    yield counted(
        f"disagreements found, {name}", 100 * right / max(1, len(disputed)), "%",
        ok=right >= LEAST_FOUND * len(disputed), target=f"≥ {LEAST_FOUND:.0%}",
        note=f"{right} of {len(disputed)}",
    )  # fmt: skip
    compatible = [(pair, one) for pair, one in chosen if pair.verdict == "agrees"]
    wrong = len(compatible) - sum(_is_right(pair, one) for pair, one in compatible)
    yield counted(
        f"called a disagreement, though both can be true, {name}", 100 * wrong / max(1, len(compatible)), "%",
        ok=wrong <= MOST_FALSE * len(compatible), target=f"≤ {MOST_FALSE:.0%}",
        note=f"{wrong} of {len(compatible)}",
    )  # fmt: skip


def _is_right(pair: Pair, found: Sequence[Difference]) -> bool:
    """Whether what was found is what holds; of a replaced value, with the newer page as the one that is valid."""
    if pair.verdict == "agrees":
        return not found
    if pair.verdict == "replaced":
        return any(one.kind == "replaced" and one.one.finding.title == pair.one.title for one in found)
    return any(one.kind == "contradiction" for one in found)
