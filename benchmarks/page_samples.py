"""The pages that the reading of main text is learned from: saved ones with their truth, and further ones with labels.

The further pages are of other sites: those of `products/` in RESEARCH_TEST_DATA, and those that the source package of
`formasaurus` (MIT) brings for its own training. Which of their blocks are main text was chosen by a language model that
had studied labelled pages of the kind; `reading_labels.jsonl` holds its choice as numbers of blocks, nothing of the
pages.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.page_folds import SAVED
from benchmarks.page_labels import DATA, behind_the_cut, label_blocks, words_of
from research_crawler.core.urls import host_of
from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.html.encoding import decode_page
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.main_text.block_features import ClassifiedPage
from research_crawler.extraction.main_text.page_kinds import describe_page
from research_crawler.extraction.main_text.read import see_page
from research_crawler.extraction.metadata.page_facts import is_same_site, read_meta

LABELS = Path(__file__).parent / "reading_labels.jsonl"
NOWHERE = "https://example.com/"
FURTHER_WEIGHT = 0.4
"""Of a further page beside a saved one. Two splits, unseen sites, saved and further pages: with 1 0.005 less and 0.004
more."""
_LEAST_WORDS = 20
_LARGEST_SHARE, _SHORT_TRUTH = 0.3, 50
"""A block weighs by its share of the main text, up to this; main texts count as at least so many words."""


@dataclass
class Sample:
    """A page with its truth."""

    name: str
    folder: str
    kind: str
    site: str
    view: ClassifiedPage
    description: np.ndarray
    truth: str
    labels: np.ndarray
    weights: np.ndarray
    body: bytes
    url: str


def read_saved() -> Iterator[Sample]:
    """The pages of `articles/` and `pages/` that have any text."""
    for folder in SAVED:
        truths = json.loads((DATA / folder / "ground-truth.json").read_text("utf-8"))
        for name in sorted(truths):
            entry = truths[name]
            truth = entry["articleBody"] if folder == "articles" else entry["ground_truth"]["main_content"]
            sample = _see(
                folder, name, entry.get("page_type", "article"), _packed(folder, name), entry.get("url")
            )
            if sample is None:
                continue
            sample.truth = truth
            sample.labels = label_blocks(sample.view.blocks, truth)
            sizes = _sizes(sample.view.blocks)
            sample.weights = _weights(sizes, len(truth.split()))
            sample.weights[behind_the_cut(sample.labels, sizes, sample.view.templates)] = 0
            yield sample


def read_further(formasaurus: Path | None, known: Sequence[str]) -> Iterator[Sample]:
    """The labelled pages of sites that are not among the `known`; those whose blocks are others now are left out.

    Args:
        formasaurus: the unpacked source package; without it its pages are left out.
    """
    products = json.loads((DATA / "products" / "ground-truth.json").read_text("utf-8"))
    forms = formasaurus and formasaurus / "formasaurus" / "data"
    addresses = json.loads((forms / "index.json").read_text("utf-8")) if forms else {}
    for line in LABELS.read_text("utf-8").splitlines():
        label = json.loads(line)
        folder, name = label["page"].split("/")
        if folder == "products":
            body, url = _packed(folder, name), products[name].get("url")
        elif forms:
            body = (forms / "html" / f"{name}.html").read_bytes()
            url = addresses[f"html/{name}.html"]["url"]
        else:
            continue
        if any(is_same_site(url, f"https://{site}/") for site in known):
            continue
        sample = _see(folder, name, label["kind"], body, url)
        if sample is None or print_of(sample.view.blocks) != label["print"]:
            print(label["page"], "is divided into other blocks now and must be labelled again")
            continue
        if _choose(sample, label["main"]):
            yield sample


def print_of(blocks: Sequence[Block]) -> str:
    """A print of how a page is divided: labels hold for these blocks only."""
    text = "\n".join(" ".join(words_of(block)) for block in blocks)
    return f"{len(blocks)}:{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _choose(sample: Sample, ranges: Sequence[Sequence[int]]) -> bool:
    """Take the blocks of the ranges as main text; whether that is enough of a text to learn from."""
    sample.labels = np.zeros(len(sample.view.blocks), dtype=np.float32)
    for first, last in ranges:
        sample.labels[first : last + 1] = 1
    chosen = [block for block, label in zip(sample.view.blocks, sample.labels, strict=True) if label]
    sample.truth = "\n".join(block.text or " ".join(block.cells) for block in chosen)
    sizes = _sizes(sample.view.blocks)
    words = int((sizes * sample.labels).sum())
    sample.weights = FURTHER_WEIGHT * _weights(sizes, words)
    return words >= _LEAST_WORDS


def _see(folder: str, name: str, kind: str, body: bytes, url: str | None) -> Sample | None:
    url = url or NOWHERE
    root = parse_html(decode_page(body, {"content-type": "text/html"})[0])
    sight = see_page(root, url, read_meta(root))
    if sight is None:
        return None
    nothing = np.zeros(len(sight.view.blocks), dtype=np.float32)
    description: Any = describe_page(sight.view.rows, sight.signals)
    return Sample(folder=folder, name=name, kind=kind, site=host_of(url), view=sight.view, description=description,
                  truth="", labels=nothing, weights=nothing, body=body, url=url)  # fmt: skip


def _sizes(blocks: Sequence[Block]) -> np.ndarray:
    return np.array([len(words_of(block)) for block in blocks])


def _weights(sizes: np.ndarray, words: int) -> np.ndarray:
    share = np.minimum(sizes / max(_SHORT_TRUTH, words), _LARGEST_SHARE)
    return np.asarray(share / _LARGEST_SHARE + 0.001, dtype=np.float64)


def _packed(folder: str, name: str) -> bytes:
    return gzip.decompress((DATA / folder / "html" / f"{name}.html.gz").read_bytes())
