"""Saved result pages of search engines: all organic results in order, nothing else.

Data: `serp` under RESEARCH_TEST_DATA (default `../shared/data`). What a page's results are is read from its own
markup by its class names, which the project's reader does not know.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from lxml import html

from benchmarks.figures import Calibration, Figure, counted
from benchmarks.product_pages import DATA
from research_crawler.core.errors import SearchFailed
from research_crawler.core.models.commands import SearchSpec
from research_crawler.engines.browser_typed import BrowserTyped
from research_crawler.engines.result_pages import organic_results
from research_crawler.engines.wikipedia import Wikipedia

QUERY = "javascript tutorial"
MOJEEK = f"https://www.mojeek.com/search?q={quote(QUERY)}"


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Per saved answer, how many of its results are read."""
    if not (DATA / "serp").is_dir():
        print(f"no saved result pages in {DATA}; set RESEARCH_TEST_DATA")
        return
    yield _mojeek()
    yield _challenge()
    yield _wikipedia()


def _mojeek() -> Figure:
    page = _saved("mojeek")
    rows = html.fromstring(page).xpath("//ul[contains(@class, 'results-standard')]/li")
    truth = [(row.xpath(".//h2/a/@href")[0], row.xpath("string(.//h2/a)").strip()) for row in rows]
    found = [(row.url, row.title) for row in organic_results(page, MOJEEK)]
    return _figure("Mojeek", found, truth)


def _challenge() -> Figure:
    """The saved page of Bing holds a challenge and no result: it is to be called that."""
    provider = BrowserTyped("https://www.bing.com/")
    [request] = provider.requests(SearchSpec(query=QUERY))
    told = ""
    try:
        provider.parse(request, status=200, headers={}, body=_saved("bing").encode())
    except SearchFailed as failed:
        told = str(failed)
    return counted(
        "result page without results called what it is", int(bool(told)), "pages", ok=bool(told), target="1",
        note=told,
    )  # fmt: skip


def _wikipedia() -> Figure:
    body = (DATA / "serp" / "wikipedia_search.json").read_bytes()
    truth = [row["title"] for row in json.loads(body)["query"]["search"]]
    provider = Wikipedia()
    [request, *_] = provider.requests(SearchSpec(query=QUERY, max_results=len(truth)))
    found = [row.title for row in provider.parse(request, status=200, headers={}, body=body)]
    return _figure("Wikipedia", found, truth)


def _figure(name: str, found: Sequence[object], truth: Sequence[object]) -> Figure:
    return counted(
        f"organic results of {name}, in order",
        sum(one == other for one, other in zip(found, truth, strict=False)),
        "results",
        ok=found == truth,
        target=f"{len(truth)}, nothing else",
        note=f"{len(found)} read",
    )


def _saved(name: str) -> str:
    return gzip.decompress((DATA / "serp" / f"{name}.html.gz").read_bytes()).decode("utf-8")
