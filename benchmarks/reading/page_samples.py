"""The pages for training the main-text models: saved pages with their truth, and further pages with labels.

The saved pages are those of `articles/`, `pages/` and `pages-more/` in RESEARCH_TEST_DATA. The true texts of
some are drafts that a program wrote; these count less. The further pages are those of `products/`, and those
that the source package of `formasaurus` (MIT) contains for its own training. A language model that had studied
labelled pages of each kind chose which of their blocks are main text. `reading_labels.jsonl` holds its choice
as numbers of blocks, and no text of the pages.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.places import DATA
from benchmarks.reading.consent_banners import remove_consent_banners
from benchmarks.reading.page_folds import SAVED, site_name
from benchmarks.reading.page_labels import after_the_cut, label_blocks, words_of
from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.html.encoding import decode_page
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage
from research_crawler.extraction.main_text.page_kinds import describe_page
from research_crawler.extraction.main_text.read import prepare_page
from research_crawler.extraction.metadata.page_facts import read_meta

LABELS = Path(__file__).parent / "reading_labels.jsonl"
NOWHERE = "https://example.com/"
FURTHER_WEIGHT, DRAFT_WEIGHT = 0.4, 0.5
"""The weight of a further page, and of a page whose true text is a draft; other saved pages have 1. With a
weight of 1, saved pages lose 0.005 and further pages gain 0.004 (two splits, unseen sites)."""
_DRAFT = "rs-trafilatura"
_LEAST_WORDS = 20
_LARGEST_SHARE, _SHORT_TRUTH = 0.3, 50
"""A block's weight is its share of the main text, up to _LARGEST_SHARE. A main text counts as at least
_SHORT_TRUTH words."""


@dataclass
class Sample:
    """A page with its true main text."""

    name: str
    folder: str
    kind: str
    site: str
    fold_url: str
    """The address that decides its fold: a page without one is a site of its own."""
    view: ClassifiedPage
    description: np.ndarray
    truth: str
    labels: np.ndarray
    weights: np.ndarray
    """The weight of each block within its page."""
    weight: float
    """The weight of the page; the weight of its kind is not in it."""
    body: bytes
    url: str


def read_saved() -> Iterator[Sample]:
    """The saved pages that have any text."""
    for folder in SAVED:
        truths = json.loads((DATA / folder / "ground-truth.json").read_text("utf-8"))
        for name in sorted(truths):
            entry = truths[name]
            truth = entry["articleBody"] if folder == "articles" else entry["ground_truth"]["main_content"]
            sample = _read_sample(
                folder, name, entry.get("page_type", "article"), _packed(folder, name), entry.get("url")
            )
            if sample is None:
                continue
            sample.truth = truth
            sample.weight = DRAFT_WEIGHT if _DRAFT in json.dumps(entry.get("_internal")) else 1.0
            sample.labels = label_blocks(sample.view.blocks, truth)
            sizes = _sizes(sample.view.blocks)
            sample.weights = _weights(sizes, len(truth.split()))
            sample.weights[after_the_cut(sample.labels, sizes, sample.view.templates)] = 0
            yield sample


def read_further(formasaurus: Path | None) -> Iterator[Sample]:
    """The labelled pages, without those whose blocks have changed since.

    Args:
        formasaurus: the unpacked source package; its pages are left out if it is None.
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
        sample = _read_sample(folder, name, label["kind"], body, url, without_banners=True)
        if sample is None or blocks_digest(sample.view.blocks) != label["print"]:
            print(label["page"], "has other blocks than when it was labelled: label it again")
            continue
        if _apply_label(sample, label["main"]):
            yield sample


def blocks_digest(blocks: Sequence[Block]) -> str:
    """A digest of a page's blocks: labels are valid for these blocks only."""
    text = "\n".join(" ".join(words_of(block)) for block in blocks)
    return f"{len(blocks)}:{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _apply_label(sample: Sample, ranges: Sequence[Sequence[int]]) -> bool:
    """Label the blocks of the ranges as main text. Returns whether they have enough words for training."""
    sample.labels = np.zeros(len(sample.view.blocks), dtype=np.float32)
    for first, last in ranges:
        sample.labels[first : last + 1] = 1
    chosen = [block for block, label in zip(sample.view.blocks, sample.labels, strict=True) if label]
    sample.truth = "\n".join(block.text or " ".join(block.cells) for block in chosen)
    sizes = _sizes(sample.view.blocks)
    words = int((sizes * sample.labels).sum())
    sample.weights, sample.weight = _weights(sizes, words), FURTHER_WEIGHT
    return words >= _LEAST_WORDS


def _read_sample(
    folder: str, name: str, kind: str, body: bytes, url: str | None, *, without_banners: bool = False
) -> Sample | None:
    address = url or f"https://{name}/"
    url = url or NOWHERE
    root = parse_html(decode_page(body, {"content-type": "text/html"})[0])
    if without_banners:
        remove_consent_banners(root)
    page = prepare_page(root, url, read_meta(root))
    if page is None:
        return None
    nothing = np.zeros(len(page.view.blocks), dtype=np.float32)
    description: Any = describe_page(page.view.rows, page.signals)
    return Sample(
        folder=folder,
        name=name,
        kind=kind,
        site=site_name(address),
        fold_url=address,
        view=page.view,
        description=description,
        truth="",
        labels=nothing,
        weights=nothing,
        weight=1.0,
        body=body,
        url=url,
    )


def _sizes(blocks: Sequence[Block]) -> np.ndarray:
    return np.array([len(words_of(block)) for block in blocks])


def _weights(sizes: np.ndarray, words: int) -> np.ndarray:
    share = np.minimum(sizes / max(_SHORT_TRUTH, words), _LARGEST_SHARE)
    return np.asarray(share / _LARGEST_SHARE + 0.001, dtype=np.float64)


def _packed(folder: str, name: str) -> bytes:
    return gzip.decompress((DATA / folder / "html" / f"{name}.html.gz").read_bytes())
