"""Measures the main text of saved articles and of seven kinds of pages, its speed, and the lag of the loop.

Each figure is measured twice: with the shipped weights, which were trained on these very pages, and with
weights of models that have seen no page of the site. The second says what to expect of other sites. `python
-m benchmarks.page_table` prints the results page by page.
"""

import asyncio
import gzip
import json
import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trafilatura import extract

from benchmarks.figures import Calibration, Figure, counted, percentile, timed
from benchmarks.page_folds import FOLDS, fold_weights, folds_of_pages, weights_from
from benchmarks.page_labels import DATA, load_score
from research_crawler.core.errors import PageUnreadable
from research_crawler.extraction.page import read_page
from research_crawler.extraction.process.pool import ParsePool

HTML = {"content-type": "text/html"}
MARGIN = 0.005
LEAST_F1 = {
    "all": 0.84, "forum": 0.82, "product": 0.80, "listing": 0.74, "collection": 0.70, "service": 0.78,
    "documentation": 0.92, "article": 0.94,
}  # fmt: skip
MOST_MUST_NOT = 0.06
RESAMPLES = 1_000
AT_ONCE = 64
TICK_S = 0.002
MOST_LAG_P99_MS, MOST_LAG_MS = 50.0, 250.0
LEAST_RATE = 24.0
SHIPPED, LEFT_OUT = "shipped weights", "sites left out"


@dataclass
class Saved:
    """A folder of saved pages with their true texts."""

    truth: dict[str, Any]
    bodies: dict[str, bytes]

    @classmethod
    def load(cls, folder: str) -> "Saved":
        """Load the pages of a folder of the test data."""
        truth = json.loads((DATA / folder / "ground-truth.json").read_text("utf-8"))
        bodies = {
            name: gzip.decompress((DATA / folder / "html" / f"{name}.html.gz").read_bytes()) for name in truth
        }
        return cls(truth, bodies)

    def url(self, name: str) -> str:
        """The URL from which a page was saved."""
        return self.truth[name].get("url") or "https://example.com/"


def measure(calibration: Calibration) -> Iterator[Figure]:
    """All figures."""
    if not (DATA / "pages").is_dir():
        print(f"no saved pages in {DATA}; set RESEARCH_TEST_DATA")
        return
    score = load_score()
    articles, pages = Saved.load("articles"), Saved.load("pages")
    yield from _articles(articles, score)
    yield from _kinds(pages, score)
    yield from _speed(pages, calibration)
    yield from _lag(pages, calibration)


def _text(saved: Saved, name: str) -> str:
    try:
        return read_page(saved.bodies[name], url=saved.url(name), headers=HTML).text
    except PageUnreadable:
        return ""


def read_shipped(saved: Saved) -> dict[str, str]:
    """The text of each page, read with the shipped weights."""
    return {name: _text(saved, name) for name in saved.truth}


def read_left_out(saved: Saved, folder: str) -> dict[str, str]:
    """The text of each page, read with weights that were trained on other sites only."""
    fold_of = folds_of_pages()
    texts: dict[str, str] = {}
    for fold in range(FOLDS):
        with weights_from(fold_weights(fold)):
            texts |= {name: _text(saved, name) for name in saved.truth if fold_of[folder, name] == fold}
    return texts


def _articles(saved: Saved, score: Any) -> Iterator[Figure]:
    theirs = {
        name: extract(body, fast=True, include_comments=False) or "" for name, body in saved.bodies.items()
    }
    for way, ours in ((SHIPPED, read_shipped(saved)), (LEFT_OUT, read_left_out(saved, "articles"))):
        yield _against(saved, score, ours, theirs, way)


def _against(saved: Saved, score: Any, ours: dict[str, str], theirs: dict[str, str], way: str) -> Figure:
    names = sorted(saved.truth)
    random.Random(0).shuffle(names)

    def f1(texts: dict[str, str], chosen: list[str]) -> float:
        # A page may be drawn several times; the scorer takes each name once.
        truth = {f"{place}": saved.truth[name] for place, name in enumerate(chosen)}
        found = {f"{place}": texts[name] for place, name in enumerate(chosen)}
        return float(score.score_articles(truth, found)["articles"]["f1"])

    folds = [names[start::FOLDS] for start in range(FOLDS)]
    own, other = (statistics.mean(f1(texts, fold) for fold in folds) for texts in (ours, theirs))
    draw = random.Random(1)
    gains = []
    for _ in range(RESAMPLES // 10):
        sample = draw.choices(names, k=len(names))
        gains.append(f1(ours, sample) - f1(theirs, sample))
    low, high = percentile(gains, 0.025), percentile(gains, 0.975)
    return counted(
        f"articles: F1 of 4-grams, mean of 5 folds; {way}",
        100 * own,
        "%",
        ok=own >= other + MARGIN,
        target=f"≥ {100 * (other + MARGIN):.2f} %",
        reference=f"trafilatura fast {100 * other:.2f}",
        note=f"gain {100 * (own - other):+.2f}, 95 % of resamples {100 * low:+.2f} to {100 * high:+.2f}",
    )


def _kinds(saved: Saved, score: Any) -> Iterator[Figure]:
    theirs = score.score_pages(
        saved.truth, {name: extract(body) or "" for name, body in saved.bodies.items()}
    )
    for way, texts in ((SHIPPED, read_shipped(saved)), (LEFT_OUT, read_left_out(saved, "pages"))):
        yield from _of_kinds(score.score_pages(saved.truth, texts), theirs, way)


def _of_kinds(ours: Any, theirs: Any, way: str) -> Iterator[Figure]:
    for kind, least in LEAST_F1.items():
        row = ours[kind]
        yield counted(
            f"pages, {kind}: F1 of words; {way}",
            100 * row["f1"],
            "%",
            ok=row["f1"] >= least,
            target=f"≥ {100 * least:.0f} %",
            reference=f"trafilatura {100 * theirs[kind]['f1']:.1f}",
            note=f"precision {row['precision']:.3f}, recall {row['recall']:.3f}",
        )
    unwanted = ours["all"]["must_not"]
    yield counted(
        f"pages: must-not snippets in the text; {way}",
        100 * unwanted,
        "%",
        ok=unwanted <= MOST_MUST_NOT,
        target=f"≤ {100 * MOST_MUST_NOT:.0f} %",
        reference=f"trafilatura {100 * theirs['all']['must_not']:.1f}",
    )


def _speed(saved: Saved, calibration: Calibration) -> Iterator[Figure]:
    (own, other), factor = calibration.quietest(lambda: _seconds(saved))
    yield timed(
        "mean time to read a page on one core",
        1_000 * own,
        "ms",
        most=1_000 / LEAST_RATE,
        factor=factor,
        reference=f"trafilatura {1_000 * other:.1f} ms",
        note=f"{1 / own:.1f} pages/s",
    )
    yield counted(
        "speed compared with trafilatura in the same run",
        other / own,
        "times",
        ok=own <= other,
        target="≥ 1",
        note="ours also gives links, kind and facts",
    )


def _seconds(saved: Saved) -> tuple[float, float]:
    """The mean processor time per page of our reader and of trafilatura, measured in turns."""
    own = other = 0.0
    for name in sorted(saved.truth):
        begun = time.process_time()
        _text(saved, name)
        between = time.process_time()
        extract(saved.bodies[name])
        own += between - begun
        other += time.process_time() - between
    return own / len(saved.truth), other / len(saved.truth)


def _lag(saved: Saved, calibration: Calibration) -> Iterator[Figure]:
    (lags_ms, failed), factor = calibration.quietest(lambda: asyncio.run(_lag_while_reading(saved)))
    for name, value, most in (
        ("p99", percentile(lags_ms, 0.99), MOST_LAG_P99_MS),
        ("longest", max(lags_ms), MOST_LAG_MS),
    ):
        yield timed(
            f"loop lag while {AT_ONCE} pages are read at once: {name}",
            value,
            "ms",
            most=most,
            factor=factor,
            note=f"{failed} not read",
        )


async def _lag_while_reading(saved: Saved) -> tuple[list[float], int]:
    pool = ParsePool(2, max_seconds=60)
    pool.start()
    names = sorted(saved.truth, key=lambda name: -len(saved.bodies[name]))[:AT_ONCE]
    lags_ms: list[float] = []

    async def tick() -> None:
        while True:
            due = time.perf_counter() + TICK_S
            await asyncio.sleep(TICK_S)
            lags_ms.append(1_000 * (time.perf_counter() - due))

    await pool.read(b"<p>warm</p>", url="https://example.com/", headers=HTML)
    ticking = asyncio.create_task(tick())
    try:
        reads = (pool.read(saved.bodies[name], url=saved.url(name), headers=HTML) for name in names)
        results = await asyncio.gather(*reads, return_exceptions=True)
    finally:
        ticking.cancel()
        await asyncio.to_thread(pool.close)
    return lags_ms, sum(isinstance(one, BaseException) for one in results)
