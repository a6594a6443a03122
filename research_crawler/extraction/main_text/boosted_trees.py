"""Boosted decision trees read from JSON: small ones, evaluated for all rows of a page at once.

A tree has at most 16 leaves, numbered from left to right, and each of its nodes knows which leaves are out of
reach where its test fails. The leaf a row ends in is the lowest one that no failed test excludes: the bit vector
method of QuickScorer (Lucchese et al., SIGIR 2015). So there is no walk down a tree, only arrays.
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
    """A sum of trees behind a logistic function."""

    features: list[str]
    """The columns the model was trained on, in their order."""
    tests: NDArray[np.intp]
    """For each tree and node the column that is compared."""
    thresholds: NDArray[np.float32]
    """A row passes where its value is at most this."""
    masks: NDArray[np.uint16]
    """The leaves that stay possible where a row does not pass."""
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
        kept = np.where(failed, self.masks.ravel(), np.uint16(0xFFFF)).reshape(len(rows), *self.masks.shape)
        leaf = _LOWEST_BIT[np.bitwise_and.reduce(kept, axis=2)]
        return np.asarray(self.leaves[np.arange(len(self.leaves)), leaf].sum(axis=1), dtype=np.float32)


def load_trees(name: str) -> BoostedTrees:
    """The model that is stored beside this module under `weights/<name>.json`."""
    stored = json.loads(read_weights(name))
    shape = (len(stored["trees"]), max(len(tree["nodes"]) for tree in stored["trees"]))
    tests = np.zeros(shape, dtype=np.intp)
    thresholds = np.full(shape, np.inf, dtype=np.float32)
    masks = np.full(shape, 0xFFFF, dtype=np.uint16)
    leaves = np.zeros((shape[0], MAX_LEAVES), dtype=np.float32)
    for place, tree in enumerate(stored["trees"]):
        for node, (feature, threshold, mask) in enumerate(tree["nodes"]):
            tests[place, node], thresholds[place, node], masks[place, node] = feature, threshold, mask
        leaves[place, : len(tree["leaves"])] = tree["leaves"]
    return BoostedTrees(stored["features"], tests, thresholds, masks, leaves)


def read_weights(name: str) -> str:
    """The text of a weights file of this package."""
    return (WEIGHTS / f"{name}.json").read_text("utf-8")
