"""Measures the main text of saved articles and of seven kinds of pages, its speed, and the lag of the loop.

Figures of `pages/` and `articles/` are measured twice: with the shipped weights, which were trained on these
very pages, and with weights of models that have seen no page of the site. The second says what to expect of
other sites; for `pages-more/` there is only this one. Intervals are over sites. `python -m
benchmarks.reading.page_table` prints the results page by page.
"""

import asyncio
import gzip
import json
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from trafilatura import extract

from benchmarks.figures import Calibration, Figure, counted, percentile, timed
from benchmarks.places import DATA
from benchmarks.reading.page_folds import FOLDS, SAVED, fold_weights, folds_of_pages, weights_from
from benchmarks.reading.page_labels import load_score
from benchmarks.reading.site_intervals import interval, mean_of_kinds
from research_crawler.core.errors import PageUnreadable
from research_crawler.extraction.html.encoding import decode_page
from research_crawler.extraction.html.html_to_markdown import to_text
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.main_text.read import read_main_text
from research_crawler.extraction.metadata.page_facts import read_meta
from research_crawler.extraction.page import read_page
from research_crawler.extraction.process.pool import ParsePool

HTML = {"content-type": "text/html"}
MARGIN = 0.005
LEAST_MEAN = 0.84
"""The least mean of the seven kinds."""
LEAST_F1 = {
    "forum": 0.81, "product": 0.0, "listing": 0.84, "collection": 0.72, "service": 0.78, "documentation": 0.92,
    "article": 0.94,
}  # fmt: skip
"""Products have no target: a careful reader agrees with their true texts no better than the models do."""
MOST_ARTICLE_TIME = 1.3
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
    articles, pages, more = (Saved.load(folder) for folder in SAVED)
    unseen = read_left_out(more, "pages-more")
    yield from _against(articles, score, read_shipped(articles), "98 articles", SHIPPED)
    yield from _against(articles, score, read_left_out(articles, "articles"), "98 articles", LEFT_OUT)
    verified = Saved(
        {name: _as_article(row) for name, row in more.truth.items() if _is_verified(row)}, more.bodies
    )
    yield from _against(verified, score, unseen, f"{len(verified.truth)} further articles", LEFT_OUT)
    yield from _kinds(pages, score, read_shipped(pages), "pages", SHIPPED)
    yield from _kinds(pages, score, read_left_out(pages, "pages"), "pages", LEFT_OUT)
    yield from _kinds(more, score, unseen, "further pages", LEFT_OUT)
    yield from _speed(pages, calibration)
    yield from _article_time(articles)
    yield from _lag(pages, calibration)


def _is_verified(row: dict[str, Any]) -> bool:
    return row["page_type"] == "article" and "rs-trafilatura" not in json.dumps(row.get("_internal"))


def _as_article(row: dict[str, Any]) -> dict[str, Any]:
    return {"articleBody": row["ground_truth"]["main_content"], "url": row.get("url")}


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


def _against(saved: Saved, score: Any, ours: Mapping[str, str], what: str, way: str) -> Iterator[Figure]:
    """F1 of articles against that of trafilatura's fast reading."""
    theirs = {
        name: extract(saved.bodies[name], fast=True, include_comments=False) or "" for name in saved.truth
    }

    def f1(texts: Mapping[str, str], chosen: Sequence[str]) -> float:
        # A page may be drawn several times; the scorer takes each name once.
        truth = {f"{place}": saved.truth[name] for place, name in enumerate(chosen)}
        found = {f"{place}": texts[name] for place, name in enumerate(chosen)}
        return float(score.score_articles(truth, found)["articles"]["f1"])

    names = sorted(saved.truth)
    own, reference = f1(ours, names), f1(theirs, names)
    low, high = interval(_urls(saved), lambda drawn: f1(ours, drawn) - f1(theirs, drawn), RESAMPLES // 10)
    yield counted(
        f"{what}: F1 of 4-grams; {way}",
        100 * own,
        "%",
        ok=own >= reference + MARGIN,
        target=f"≥ {100 * (reference + MARGIN):.2f} %",
        reference=f"trafilatura fast {100 * reference:.2f}",
        note=f"gain {100 * (own - reference):+.2f}, 95 % of draws of sites {100 * low:+.2f} to {100 * high:+.2f}",
    )


def _urls(saved: Saved) -> dict[str, str]:
    return {name: saved.url(name) for name in saved.truth}


def _kinds(saved: Saved, score: Any, texts: Mapping[str, str], what: str, way: str) -> Iterator[Figure]:
    theirs = score.score_pages(saved.truth, {name: extract(saved.bodies[name]) or "" for name in saved.truth})
    ours = score.score_pages(saved.truth, dict(texts))
    kind_of = {name: row["page_type"] for name, row in saved.truth.items()}
    f1 = {
        name: score.score_pages({name: row}, {name: texts[name]})["all"]["f1"]
        for name, row in saved.truth.items()
    }

    def mean(names: Sequence[str]) -> float:
        return mean_of_kinds(names, kind_of, f1)

    for kind, least in {"mean of the kinds": LEAST_MEAN, **LEAST_F1}.items():
        urls = {
            name: url for name, url in _urls(saved).items() if kind in ("mean of the kinds", kind_of[name])
        }
        own, (low, high) = mean(list(urls)), interval(urls, mean)
        reference = (
            theirs[kind]["f1"] if kind in theirs else statistics.mean(theirs[one]["f1"] for one in LEAST_F1)
        )
        yield Figure(
            f"{what}, {kind}: F1 of words; {way}",
            100 * own,
            "%",
            ok=own >= least if least and what == "pages" else None,
            target=f"≥ {100 * least:.0f} %" if least and what == "pages" else "",
            reference=f"trafilatura {100 * reference:.1f}",
            note=f"95 % of draws of sites {100 * low:.1f} to {100 * high:.1f}",
        )
    unwanted = ours["all"]["must_not"]
    yield counted(
        f"{what}: must-not snippets in the text; {way}",
        100 * unwanted,
        "%",
        ok=unwanted <= MOST_MUST_NOT,
        target=f"≤ {100 * MOST_MUST_NOT:.0f} %",
        reference=f"trafilatura {100 * theirs['all']['must_not']:.1f}",
    )


def _speed(saved: Saved, calibration: Calibration) -> Iterator[Figure]:
    (own, reference), factor = calibration.quietest(lambda: _seconds(saved))
    yield timed(
        "mean time to read a page on one core",
        1_000 * own,
        "ms",
        most=1_000 / LEAST_RATE,
        factor=factor,
        reference=f"trafilatura {1_000 * reference:.1f} ms",
        note=f"{1 / own:.1f} pages/s",
    )
    yield counted(
        "speed compared with trafilatura in the same run",
        reference / own,
        "times",
        ok=own <= reference,
        target="≥ 1",
        note="ours also gives links, kind and facts",
    )


def _seconds(saved: Saved) -> tuple[float, float]:
    """The mean processor time per page of our reader and of trafilatura, measured in turns."""
    own = reference = 0.0
    for name in sorted(saved.truth):
        begun = time.process_time()
        _text(saved, name)
        between = time.process_time()
        extract(saved.bodies[name])
        own += between - begun
        reference += time.process_time() - between
    return own / len(saved.truth), reference / len(saved.truth)


def _article_time(saved: Saved) -> Iterator[Figure]:
    """The processor time of an article's main text, with models that have not seen its site."""
    fold_of = folds_of_pages()
    own = fast = default = 0.0
    for fold in range(FOLDS):
        with weights_from(fold_weights(fold)):
            names = [name for name in sorted(saved.truth) if fold_of["articles", name] == fold]
            _text(saved, names[0])  # loads the weights, as a process does once
            for name in names:
                body = saved.bodies[name]
                own += _cpu_s(partial(_main_text, body, saved.url(name)))
                fast += _cpu_s(partial(extract, body, fast=True, include_comments=False))
                default += _cpu_s(partial(extract, body))
    yield counted(
        "main text of articles: processor time compared with trafilatura in the same run",
        own / default,
        "times",
        ok=own <= MOST_ARTICLE_TIME * default,
        target=f"≤ {MOST_ARTICLE_TIME}",
        note=f"{own / fast:.2f} times its fast reading",
    )


def _main_text(body: bytes, url: str) -> str:
    root = parse_html(decode_page(body, HTML)[0])
    alive = list(root.iter())
    text = to_text(read_main_text(root, url, read_meta(root)).blocks)
    del alive
    return text


def _cpu_s(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


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
