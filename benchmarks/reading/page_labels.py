"""Labels the blocks of a saved page that belong to its true main text, which is given as plain text only."""

import importlib.util
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.places import DATA
from research_crawler.extraction.html.blocks import Block

_WORD = re.compile(r"\w+")
_LONG = 8
"""A block of at least this many words is labelled by the share of its four-word runs that the truth has."""
_RUN = 4
_LEAST_SHARE, _SURE_SHARE = 0.3, 0.5
"""Shares of a long block's runs that are in the truth: the least to use up those words of the truth, and the
least to take the block's position as known."""
_REACH = {1: 4, 2: 10}
_LONG_REACH = 30
"""How far a short block of so many words may be from the position that the truth suggests."""

_LEAST_MAIN, _LEAST_WORDS, _LEAST_SIZE, _MOSTLY = 4, 30, 3, 0.6
"""Signs that a truth was cut: at least so many long blocks are main text, so many words are in blocks of a
template, so many words in the block itself, and this share of the template's words is main text."""


def words_of(block: Block) -> list[str]:
    """The words of a block in lower case."""
    return _WORD.findall((block.text or " ".join(block.cells)).lower())


def label_blocks(blocks: Sequence[Block], truth: str) -> np.ndarray:
    """For each block, how much of it is main text, 0 to 1.

    The blocks are aligned with the truth, and each word of the truth is used once: if the page has a text
    twice, only one copy is main text. Long blocks are aligned first. A short block is main text if the unused
    rest of the truth has its words near the block's position.
    """
    words = [words_of(block) for block in blocks]
    alignment = _Alignment(_WORD.findall(truth.lower()))
    labels = np.zeros(len(blocks), dtype=np.float32)
    for number, block_words in enumerate(words):
        if len(block_words) >= _LONG:
            labels[number] = alignment.align_long(block_words, number)
    labels[alignment.align_short(words)] = 1
    return labels


def after_the_cut(labels: np.ndarray, sizes: np.ndarray, templates: Sequence[tuple[int, ...]]) -> np.ndarray:
    """For each block, whether it continues a text after the point where the truth was cut.

    The label of such a block is unknown.
    The truth of a long thread or list often ends somewhere in its middle. Blocks after that point that look
    like main blocks before it are probably main text too.
    """
    main = np.flatnonzero((labels > _SURE_SHARE) & (sizes >= _LONG))
    unknown = np.zeros(len(labels), dtype=bool)
    if len(main) < _LEAST_MAIN:
        return unknown
    last = int(main[-1])
    taken: dict[tuple[int, ...], float] = defaultdict(float)
    template_words: dict[tuple[int, ...], float] = defaultdict(float)
    for index in range(last + 1):
        taken[templates[index]] += float(labels[index] * sizes[index])
        template_words[templates[index]] += float(sizes[index])
    for index in range(last + 1, len(labels)):
        words = template_words[templates[index]]
        unknown[index] = (
            words >= _LEAST_WORDS
            and taken[templates[index]] > _MOSTLY * words
            and sizes[index] >= _LEAST_SIZE
        )
    return unknown


@dataclass
class _Alignment:
    """The words of the truth, which of them are used, and which block is aligned with which of them."""

    words: list[str]
    used: np.ndarray = field(init=False)
    runs: dict[tuple[str, ...], list[int]] = field(init=False)
    marks: list[tuple[int, int]] = field(default_factory=list)
    """Positions in the truth with the number of the block there, in order."""
    reached: int = 0

    def __post_init__(self) -> None:
        self.used = np.zeros(len(self.words), dtype=bool)
        self.runs = defaultdict(list)
        for place in range(len(self.words) - _RUN + 1):
            self.runs[tuple(self.words[place : place + _RUN])].append(place)

    def align_long(self, block: Sequence[str], number: int) -> float:
        """Mark the four-word runs that a block shares with the truth as used; return their share."""
        found: list[int] = []
        last = -1
        for start in range(len(block) - _RUN + 1):
            same = self.runs.get(tuple(block[start : start + _RUN]), ())
            free = [position for position in same if self._is_free(position)]
            if not free:
                last = -1
                continue
            last = last + 1 if last >= 0 and last + 1 in free else min(free, key=self._distance)
            found.append(last)
        share = len(found) / (len(block) - _RUN + 1)
        if share >= _LEAST_SHARE:
            for position in found:
                self.used[position : position + _RUN] = True
        if share >= _SURE_SHARE:
            self.reached = max(found) + _RUN
            self._mark(min(found), number)
        return share

    def align_short(self, words: Sequence[Sequence[str]]) -> list[int]:
        """The numbers of the short blocks that are in the unused rest of the truth, longer ones first."""
        open_blocks = defaultdict(list)
        for number, block_words in enumerate(words):
            if 0 < len(block_words) < _LONG:
                open_blocks[tuple(block_words)].append(number)
        found: list[int] = []
        for size in sorted({len(block_words) for block_words in open_blocks}, reverse=True):
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

    def _distance(self, place: int) -> int:
        return abs(place - self.reached)

    def _mark(self, place: int, number: int) -> None:
        self.marks.insert(bisect_left(self.marks, (place, number)), (place, number))

    def _nearest(self, numbers: Sequence[int], place: int) -> tuple[int, int]:
        """The block nearest to those aligned around a position of the truth, and its distance to them."""
        after = bisect_right(self.marks, (place, len(self.used) + 10**6))
        around = [number for _, number in self.marks[max(0, after - 1) : after + 1]]
        if not around:
            return numbers[0], 0

        def distance(number: int) -> int:
            if len(around) == 2 and around[0] <= number <= around[1]:
                return 0
            return min(abs(number - neighbour) for neighbour in around)

        best = min(numbers, key=lambda number: (distance(number), number))
        return best, distance(best)


def load_score() -> Any:
    """Load the scorer in the folder of the saved pages."""
    spec = importlib.util.spec_from_file_location("score", DATA / "score.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(DATA / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
