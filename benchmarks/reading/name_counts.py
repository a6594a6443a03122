"""Learns the scores of the words in class names and ids from labelled pages, by site."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.reading.page_labels import words_of
from benchmarks.reading.page_samples import Sample
from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage
from research_crawler.extraction.main_text.page_layout import class_words

LEAST_SITES, SHRINKAGE = 4, 3
"""A word of class names gets a score if at least LEAST_SITES sites use it. SHRINKAGE neutral sites are added,
which draws its score towards 0."""
NameCounts = tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]
"""For each word near and far: of each site how much more of the text so named is main text than of its pages'
whole."""


def count_names(samples: Sequence[Sample]) -> NameCounts:
    """Measure for each word of class names, by site, how it relates to main text."""
    sums: tuple[Any, Any] = (defaultdict(lambda: defaultdict(list)), defaultdict(lambda: defaultdict(list)))
    for sample in samples:
        sizes = np.array([len(words_of(block)) for block in sample.view.blocks], dtype=float)
        page_share = float((sample.labels * sizes).sum() / max(1.0, sizes.sum()))
        for zone, named in enumerate(_named_blocks(sample.view)):
            for word, numbers in named.items():
                shares = sizes[numbers] + 2
                sums[zone][word][sample.site].append(
                    float((sample.labels[numbers] * shares).sum() / shares.sum()) - page_share
                )
    near, far = (
        {
            word: {site: fmean(found) for site, found in sites.items()}
            for word, sites in zone.items()
            if len(sites) >= LEAST_SITES
        }
        for zone in sums
    )
    return near, far


def _named_blocks(view: ClassifiedPage) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """The numbers of the blocks in elements with each word in their names, near and far."""
    words = [set(class_words(names)) for names in view.layout.named]
    found: tuple[dict[str, list[int]], dict[str, list[int]]] = (defaultdict(list), defaultdict(list))
    for number, origin in enumerate(view.origins.tolist()):
        path = [origin]
        while path[-1]:
            path.append(int(view.layout.parent[path[-1]]))
        near = set().union(*(words[element] for element in path[:3]))
        far = set().union(*(words[element] for element in path[3:])) - near
        for zone, named in enumerate((near, far)):
            for word in named:
                found[zone][word].append(number)
    return found


class ScoresWithout(Mapping[str, float]):
    """The scores of words by all sites but one: training on a page must not use the labels of its site."""

    def __init__(self, counts: Mapping[str, Mapping[str, float]], site: str = "") -> None:
        self._counts, self._site = counts, site
        self._known: dict[str, float | None] = {}

    def __getitem__(self, word: str) -> float:
        if word not in self._known:
            self._known[word] = self._score(self._counts.get(word, {}))
        score = self._known[word]
        if score is None:
            raise KeyError(word)
        return score

    def __iter__(self) -> Iterator[str]:
        return (word for word in self._counts if self._score(self._counts[word]) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _score(self, sites: Mapping[str, float]) -> float | None:
        others = len(sites) - (self._site in sites)
        total = sum(sites.values()) - sites.get(self._site, 0.0)
        return round(total / (others + SHRINKAGE), 4) if others >= LEAST_SITES - 1 else None


def scores_without(counts: NameCounts, site: str = "") -> tuple[Mapping[str, float], Mapping[str, float]]:
    """The near and the far scores of words by all sites but one."""
    near, far = (ScoresWithout(zone, site) for zone in counts)
    return near, far
