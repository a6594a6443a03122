"""Which blocks of a saved page belong to its true main text, which is given as text without places."""

import importlib.util
import os
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from research_crawler.extraction.blocks import Block

DATA = Path(os.environ.get("RESEARCH_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
_WORD = re.compile(r"\w+")
_LONG = 8
"""Blocks of as many words are labelled by the share of their runs of four words that the truth has."""


def words_of(block: Block) -> list[str]:
    """The words of a block in lower case."""
    return _WORD.findall((block.text or " ".join(block.cells)).lower())


def label_blocks(blocks: Sequence[Block], truth: str) -> np.ndarray:
    """For each block how much of it is main text, 0 to 1.

    A short block counts where the truth has it as a line, or as part of one beside other main text; one that stands on
    the page more often than in the truth counts where it is nearest to other main text.
    """
    true_words = _WORD.findall(truth.lower())
    runs = set(zip(true_words, true_words[1:], true_words[2:], true_words[3:], strict=False))
    joined = f" {' '.join(true_words)} "
    lines = Counter(" ".join(_WORD.findall(line.lower())) for line in truth.split("\n"))
    words = [words_of(block) for block in blocks]
    labels = np.zeros(len(blocks), dtype=np.float32)
    short = defaultdict(list)
    for place, one in enumerate(words):
        if len(one) >= _LONG:
            own = list(zip(one, one[1:], one[2:], one[3:], strict=False))
            labels[place] = sum(run in runs for run in own) / len(own)
        elif one:
            short[" ".join(one)].append(place)
    sure = np.flatnonzero(labels > 0.5)
    for text, places in short.items():
        for place in _placed(text, places, lines, joined, sure if len(sure) else np.zeros(1)):
            labels[place] = 1
    return labels


def _placed(text: str, places: list[int], lines: Counter[str], joined: str, sure: np.ndarray) -> list[int]:
    wanted = lines[text] or joined.count(f" {text} ")
    if not lines[text] and " " not in text:
        places = [place for place in places if np.abs(sure - place).min() <= 1]
    if len(places) > wanted:
        places = sorted(places, key=lambda place: float(np.abs(sure - place).min()))[:wanted]
    return places


def load_score() -> Any:
    """The scorer that lies beside the saved pages."""
    spec = importlib.util.spec_from_file_location("score", DATA / "score.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(DATA / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
