"""Loads small boosted decision trees from JSON, and evaluates them for all rows of a page at once.

A tree has at most 16 leaves, numbered from left to right. Each node has a mask of the leaves that stay
possible if its test fails. A row ends in the lowest leaf that no failed test excludes: the bit vector method
of QuickScorer (Lucchese et al., SIGIR 2015). It works on arrays and never walks down a tree.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WEIGHTS = Path(__file__).parent / "weights"
MAX_LEAVES = 16
_ROWS_AT_ONCE = 512
_LOWEST_BIT = np.zeros(1 << MAX_LEAVES, dtype=np.uint8)
for _bit in reversed(range(MAX_LEAVES)):
    _LOWEST_BIT[1 << _bit :: 1 << (_bit + 1)] = _bit


@dataclass(frozen=True, slots=True)
class BoostedTrees:
    """A model that puts the sum of its trees through a logistic function."""

    features: list[str]
    """The columns that the model was trained on, in order."""
    tests: NDArray[np.intp]
    """For each tree and node, the column that its test compares."""
    thresholds: NDArray[np.float32]
    """A row passes a node's test if its value is at most this."""
    masks: NDArray[np.uint16]
    """For each tree and node, the leaves that stay possible if a row fails the test."""
    leaves: NDArray[np.float32]

    def predict(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """The probability of each row."""
        parts = [
            self._sum(rows[start : start + _ROWS_AT_ONCE]) for start in range(0, len(rows), _ROWS_AT_ONCE)
        ]
        scores = np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)
        return np.asarray(1 / (1 + np.exp(-scores)), dtype=np.float32)

    def _sum(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        failed = rows[:, self.tests.ravel()] > self.thresholds.ravel()
        possible = np.where(failed, self.masks.ravel(), np.uint16(0xFFFF)).reshape(
            len(rows), *self.masks.shape
        )
        leaf = _LOWEST_BIT[np.bitwise_and.reduce(possible, axis=2)]
        return np.asarray(self.leaves[np.arange(len(self.leaves)), leaf].sum(axis=1), dtype=np.float32)


def load_trees(name: str) -> BoostedTrees:
    """Load the model in `weights/<name>.json`, in the folder of this module."""
    stored = json.loads(read_weights(name))
    shape = (len(stored["trees"]), max(len(tree["nodes"]) for tree in stored["trees"]))
    tests = np.zeros(shape, dtype=np.intp)
    thresholds = np.full(shape, np.inf, dtype=np.float32)
    masks = np.full(shape, 0xFFFF, dtype=np.uint16)
    leaves = np.zeros((shape[0], MAX_LEAVES), dtype=np.float32)
    for index, tree in enumerate(stored["trees"]):
        for node, (feature, threshold, mask) in enumerate(tree["nodes"]):
            tests[index, node], thresholds[index, node], masks[index, node] = feature, threshold, mask
        leaves[index, : len(tree["leaves"])] = tree["leaves"]
    return BoostedTrees(stored["features"], tests, thresholds, masks, leaves)


def read_weights(name: str) -> str:
    """Read the text of a weights file of this package."""
    return (WEIGHTS / f"{name}.json").read_text("utf-8")
