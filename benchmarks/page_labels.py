"""Which blocks of a saved page belong to its true main text, which is given as text without places."""

import importlib.util
import os
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from research_crawler.extraction.html.blocks import Block

DATA = Path(os.environ.get("RESEARCH_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
_WORD = re.compile(r"\w+")
_LONG = 8
"""Blocks of as many words are labelled by the share of their runs of four words that the truth has."""
_RUN = 4
_LEAST_SHARE, _SURE_SHARE = 0.3, 0.5
"""Of its runs that a long block shares with the truth: to use up that part of it, and to say where it stands in it."""
_REACH = {1: 4, 2: 10}
_LONG_REACH = 30
"""How far from where the truth would have it a short block of so many words may stand."""

_LEAST_MAIN, _LEAST_WORDS, _LEAST_SIZE, _MOSTLY = 4, 30, 3, 0.6
"""What shows that a truth was cut: so many long blocks, so many words of a template, and this share of them taken."""


def words_of(block: Block) -> list[str]:
    """The words of a block in lower case."""
    return _WORD.findall((block.text or " ".join(block.cells)).lower())


def label_blocks(blocks: Sequence[Block], truth: str) -> np.ndarray:
    """For each block how much of it is main text, 0 to 1.

    The blocks are laid along the truth, and each word of the truth is used once: of two copies on the page one is main
    text. Long blocks come first; a short one counts where the rest of the truth has its words near the place where
    the page has it.
    """
    words = [words_of(block) for block in blocks]
    ruler = _Ruler(_WORD.findall(truth.lower()))
    labels = np.zeros(len(blocks), dtype=np.float32)
    for place, one in enumerate(words):
        if len(one) >= _LONG:
            labels[place] = ruler.lay_long(one, place)
    labels[ruler.lay_short(words)] = 1
    return labels


def behind_the_cut(labels: np.ndarray, sizes: np.ndarray, templates: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Whether each block goes on where the truth was cut off, so that its label says nothing.

    The truth of a long thread or list mostly ends somewhere in it. Behind its last long block, what looks like the
    blocks that it has is text of the same sort.
    """
    main = np.flatnonzero((labels > _SURE_SHARE) & (sizes >= _LONG))
    unknown = np.zeros(len(labels), dtype=bool)
    if len(main) < _LEAST_MAIN:
        return unknown
    last = int(main[-1])
    taken: dict[tuple[int, ...], float] = defaultdict(float)
    whole: dict[tuple[int, ...], float] = defaultdict(float)
    for place in range(last + 1):
        taken[templates[place]] += float(labels[place] * sizes[place])
        whole[templates[place]] += float(sizes[place])
    for place in range(last + 1, len(labels)):
        words = whole[templates[place]]
        unknown[place] = (
            words >= _LEAST_WORDS
            and taken[templates[place]] > _MOSTLY * words
            and sizes[place] >= _LEAST_SIZE
        )
    return unknown


@dataclass
class _Ruler:
    """The words of the truth, which of them are used, and which block stands at which of them."""

    words: list[str]
    used: np.ndarray = field(init=False)
    runs: dict[tuple[str, ...], list[int]] = field(init=False)
    marks: list[tuple[int, int]] = field(default_factory=list)
    """Places in the truth with the block there, in order."""
    reached: int = 0

    def __post_init__(self) -> None:
        self.used = np.zeros(len(self.words), dtype=bool)
        self.runs = defaultdict(list)
        for place in range(len(self.words) - _RUN + 1):
            self.runs[tuple(self.words[place : place + _RUN])].append(place)

    def lay_long(self, block: Sequence[str], number: int) -> float:
        """Use the runs of four words that a block shares with the truth; returns their share of the block."""
        found: list[int] = []
        last = -1
        for start in range(len(block) - _RUN + 1):
            free = [
                one for one in self.runs.get(tuple(block[start : start + _RUN]), ()) if self._is_free(one)
            ]
            if not free:
                last = -1
                continue
            last = last + 1 if last >= 0 and last + 1 in free else min(free, key=self._far)
            found.append(last)
        share = len(found) / (len(block) - _RUN + 1)
        if share >= _LEAST_SHARE:
            for one in found:
                self.used[one : one + _RUN] = True
        if share >= _SURE_SHARE:
            self.reached = max(found) + _RUN
            self._mark(min(found), number)
        return share

    def lay_short(self, words: Sequence[Sequence[str]]) -> list[int]:
        """The numbers of the short blocks that the rest of the truth has, the longer ones first."""
        open_blocks = defaultdict(list)
        for number, one in enumerate(words):
            if 0 < len(one) < _LONG:
                open_blocks[tuple(one)].append(number)
        found: list[int] = []
        for size in sorted({len(one) for one in open_blocks}, reverse=True):
            for start in range(len(self.words) - size + 1):
                same = open_blocks.get(tuple(self.words[start : start + size]))
                if same and not self.used[start : start + size].any():
                    number, distance = self._nearest(same, start)
                    if distance <= _REACH.get(size, _LONG_REACH):
                        same.remove(number)
                        found.append(number)
                        self.used[start : start + size] = True
                        if size > 1:
                            self._mark(start, number)
        return found

    def _is_free(self, place: int) -> bool:
        return not self.used[place : place + _RUN].any()

    def _far(self, place: int) -> int:
        return abs(place - self.reached)

    def _mark(self, place: int, number: int) -> None:
        self.marks.insert(bisect_left(self.marks, (place, number)), (place, number))

    def _nearest(self, numbers: Sequence[int], place: int) -> tuple[int, int]:
        """The block nearest to where the truth has the place, and how far it is from there."""
        after = bisect_right(self.marks, (place, len(self.used) + 10**6))
        around = [number for _, number in self.marks[max(0, after - 1) : after + 1]]
        if not around:
            return numbers[0], 0

        def distance(number: int) -> int:
            if len(around) == 2 and around[0] <= number <= around[1]:
                return 0
            return min(abs(number - one) for one in around)

        best = min(numbers, key=lambda number: (distance(number), number))
        return best, distance(best)


def load_score() -> Any:
    """The scorer that lies beside the saved pages."""
    spec = importlib.util.spec_from_file_location("score", DATA / "score.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(DATA / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
