"""Measures which disagreements of pages are found, and what is called one that is none, without a model.

Each of `disagreements.toml` is a question with excerpts of two invented pages. A hash of the pair's id says which are
held back: failures of these are not printed. First half of them were; half of those were given up to look for causes.
`disagreements_unseen.toml` was written later, before a rule was changed because of it; half of it is held back.
The third to eighth file were written later still, each measured before a rule was changed because of it, and
are open.
"""

import asyncio
import hashlib
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from benchmarks.figures import Calibration, Figure, counted
from planner.audit.conflicts import conflicts
from planner.audit.contradictions import Difference
from planner.audit.evidence_statements import evidence_statements
from planner.brains.extractive.asking.queries import aspects
from planner.verify.figures import figures_of
from research_crawler.adapters.models.embedder import SentenceEmbedder
from research_crawler.core.models.base import Frozen
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.sentences import units

FILE: Final = Path(__file__).with_suffix(".toml")
UNSEEN: Final = FILE.with_stem("disagreements_unseen")
Part = Literal["open", "held", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
NAMES: Final[dict[Part, str]] = {
    "open": "open part",
    "held": "part held back",
    "third": "third set",
    "fourth": "fourth set",
    "fifth": "fifth set",
    "sixth": "sixth set",
    "seventh": "seventh set",
    "eighth": "eighth set",
}
LAST: Final[dict[Part, Path]] = {
    "third": FILE.with_stem("disagreements_third"),
    "fourth": FILE.with_stem("disagreements_fourth"),
    "fifth": FILE.with_stem("disagreements_fifth"),
    "sixth": FILE.with_stem("disagreements_sixth"),
    "seventh": FILE.with_stem("disagreements_seventh"),
    "eighth": FILE.with_stem("disagreements_eighth"),
}
LEAST_FOUND, MOST_FALSE = 0.85, 0.10


class Said(Frozen):
    """What a page says."""

    title: str
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
    is_unseen: bool = False
    """Whether it is one of those written later."""
    of: Part | None = None
    """The set of those that were written last."""

    @property
    def part(self) -> Part:
        """Which part it is in: about a quarter is held back, of those written later half, of the last none."""
        if self.of:
            return self.of
        first, second, *_ = hashlib.sha256(self.id.encode()).digest()
        return "held" if first % 2 and (second % 2 or self.is_unseen) else "open"

    def findings(self) -> list[Finding]:
        """The excerpts as a job has them."""
        return [
            Finding(
                id=str(n),
                command="j:1",
                claim=said.text,
                quote=said.text,
                start=0,
                end=len(said.text),
                page_sha256=str(n) * 64,
                url=f"http://page-{n}.test/",
                title=said.title,
                published=said.published,
                score=0.8,
            )
            for n, said in enumerate((self.one, self.other), start=1)
        ]


class _File(Frozen):
    pair: tuple[Pair, ...] = Field(min_length=1)


def pairs() -> tuple[Pair, ...]:
    """All pairs."""
    unseen = [{**one, "is_unseen": True} for one in _read(UNSEEN)]
    last = [{**one, "of": part} for part, file in LAST.items() for one in _read(file)]
    return _File.model_validate({"pair": [*_read(FILE), *unseen, *last]}).pair


def _read(file: Path) -> list[dict[str, object]]:
    return list(tomllib.loads(file.read_text("utf-8"))["pair"])


def measure(_: Calibration) -> Iterator[Figure]:
    """What is found of each kind, in each part."""
    known = pairs()
    found = asyncio.run(_found(known, SentenceEmbedder()))
    for part, name in NAMES.items():
        chosen = [(pair, one) for pair, one in zip(known, found, strict=True) if pair.part == part]
        disputed = [(pair, one) for pair, one in chosen if pair.verdict != "agrees"]
        right = sum(_is_right(pair, one) for pair, one in disputed)
        simple = sum(_numbers_differ(pair) for pair, _ in disputed)
        yield counted(
            f"disagreements found, {name}", 100 * right / len(disputed), "%",
            ok=right >= LEAST_FOUND * len(disputed), target=f"≥ {LEAST_FOUND:.0%}",
            reference=f"different numbers in the first sentences {simple / len(disputed):.0%}",
            note=f"{right} of {len(disputed)}{_of_unseen(disputed)}",
        )  # fmt: skip
        compatible = [(pair, one) for pair, one in chosen if pair.verdict == "agrees"]
        wrong = len(compatible) - sum(_is_right(pair, one) for pair, one in compatible)
        simple = sum(_numbers_differ(pair) for pair, _ in compatible)
        yield counted(
            f"called a disagreement, though both can be true, {name}", 100 * wrong / len(compatible), "%",
            ok=wrong <= MOST_FALSE * len(compatible), target=f"≤ {MOST_FALSE:.0%}",
            reference=f"different numbers {simple / len(compatible):.0%}",
            note=f"{wrong} of {len(compatible)}{_of_unseen(compatible)}",
        )  # fmt: skip
        if part != "held":
            for pair, one in chosen:
                if not _is_right(pair, one):
                    told = ", ".join(difference.kind for difference in one) or "nothing"
                    print(f"     {pair.id}: {pair.verdict}, found {told}")


def _of_unseen(chosen: Sequence[tuple[Pair, list[Difference]]]) -> str:
    """How many of the pairs that were written later are told rightly."""
    later = [_is_right(pair, one) for pair, one in chosen if pair.is_unseen]
    return f"; of those written later {sum(later)} of {len(later)} are right" if later else ""


async def _found(known: Sequence[Pair], embedder: Embedder) -> list[list[Difference]]:
    found = []
    for pair in known:
        findings = pair.findings()
        said = await evidence_statements(pair.question, findings, embedder)
        questions = [pair.question, *aspects(pair.question)]
        found.append(await conflicts(questions, findings, said, embedder))
    return found


def _is_right(pair: Pair, found: Sequence[Difference]) -> bool:
    """Whether what was found is what holds; of a replaced value, with the newer page as the one that is valid."""
    if pair.verdict == "agrees":
        return not found
    if pair.verdict == "replaced":
        return any(one.kind == "replaced" and one.one.finding.title == pair.one.title for one in found)
    return any(one.kind == "contradiction" for one in found)


def _numbers_differ(pair: Pair) -> bool:
    """The reference: whether the first sentences with a number have another one."""
    one, other = (
        next((figures for unit in units(said.text) if (figures := figures_of(unit.text))), [])
        for said in (pair.one, pair.other)
    )
    return bool(one and other) and {f.text for f in one} != {f.text for f in other}
