"""Divides the saved pages into folds by site, and reads each page with models that have seen no page of its site."""

import functools
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tldextract import TLDExtract

from benchmarks.places import DATA
from research_crawler.core.web.urls import host_of
from research_crawler.extraction.main_text import boosted_trees, name_scores, page_kinds
from research_crawler.extraction.main_text.blocks import block_choice

FOLDS = 5
FOLD_WEIGHTS = Path(__file__).parent / "reading_folds"
"""A folder of weights for each fold, trained on the pages of the other folds (train_reading.py)."""
SAVED = ("articles", "pages", "pages-more")


def fold_weights(fold: int) -> Path:
    """The folder with the weights of the models that have not seen the pages of a fold."""
    return FOLD_WEIGHTS / str(fold)


def site_name(url: str) -> str:
    """The name that a site has registered, without its public suffix: ikea.com and ikea.de are one site.

    A page without an address is a site of its own.
    """
    host = host_of(url)
    return _sites().extract_str(host).domain or host


def fold_of(url: str, seed: int = 0) -> int:
    """The fold of a page: a hash of its site, so it never depends on what other pages there are.

    No rule is written and no model is trained for a fold by looking at its pages. Other seeds give other
    divisions of the same sites.
    """
    digest = hashlib.sha256(f"{seed}/{site_name(url)}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % FOLDS


def folds_of_pages(seed: int = 0) -> dict[tuple[str, str], int]:
    """The fold of each saved page, by folder and name."""
    found: dict[tuple[str, str], int] = {}
    for folder in SAVED:
        truths = json.loads((DATA / folder / "ground-truth.json").read_text("utf-8"))
        found |= {
            (folder, name): fold_of(truth.get("url") or f"https://{name}/", seed)
            for name, truth in truths.items()
        }
    return found


@functools.cache
def _sites() -> TLDExtract:
    return TLDExtract(suffix_list_urls=(), cache_dir=None)


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
