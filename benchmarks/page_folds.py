"""Divides the saved pages into folds, and reads each page with models that have seen no page of its site."""

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.page_labels import DATA
from research_crawler.core.web.urls import host_of
from research_crawler.extraction.main_text import block_choice, boosted_trees, name_scores, page_kinds
from research_crawler.extraction.metadata.page_facts import is_same_site

FOLDS = 5
FOLD_WEIGHTS = Path(__file__).parent / "reading_folds"
"""A folder of weights for each fold, trained on the pages of the other folds (train_reading.py)."""
SAVED = ("articles", "pages")


def fold_weights(fold: int) -> Path:
    """The folder with the weights of the models that have not seen the pages of a fold."""
    return FOLD_WEIGHTS / str(fold)


def folds_of_pages(seed: int = 0) -> dict[tuple[str, str], int]:
    """The fold of each saved page, by folder and name. Pages of one registered domain are in one fold."""
    hosts: dict[tuple[str, str], str] = {}
    for folder in SAVED:
        truths = json.loads((DATA / folder / "ground-truth.json").read_text("utf-8"))
        hosts |= {(folder, name): host_of(truths[name].get("url") or "") for name in sorted(truths)}
    sites = _sites(list(hosts.values()))
    numbers = sorted(set(sites.values()))
    random.Random(seed).shuffle(numbers)
    fold_of = {number: index % FOLDS for index, number in enumerate(numbers)}
    return {page: fold_of[sites[host]] for page, host in hosts.items()}


def _sites(hosts: Sequence[str]) -> dict[str, int]:
    """A number for the registered domain of each host."""
    firsts: list[str] = []
    numbers: dict[str, int] = {}
    for host in hosts:
        if host not in numbers:
            known = (
                n for n, other in enumerate(firsts) if is_same_site(f"https://{host}/", f"https://{other}/")
            )
            numbers[host] = next(known, len(firsts))
            if numbers[host] == len(firsts):
                firsts.append(host)
    return numbers


@contextmanager
def weights_from(folder: Path) -> Iterator[None]:
    """Make `research_crawler` read its weights from a folder, within the `with` block."""
    loaders = (block_choice.block_model, name_scores.name_scores, page_kinds.regression)
    packaged = boosted_trees.WEIGHTS
    boosted_trees.WEIGHTS = folder
    for loader in loaders:
        loader.cache_clear()
    try:
        yield
    finally:
        boosted_trees.WEIGHTS = packaged
        for loader in loaders:
            loader.cache_clear()
