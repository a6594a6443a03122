"""Checks that all organic results of saved result pages are read in order, and nothing else.

The data is `serp` under RESEARCH_TEST_DATA (default `../shared/data`). The true results are read from the
page's markup by its class names, which the project's reader does not know.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from lxml import html

from benchmarks.figures import Calibration, Figure, counted
from benchmarks.places import DATA
from research_crawler.core.errors import SearchFailed
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.engines.providers.browser_typed import BrowserTyped
from research_crawler.engines.providers.wikipedia import Wikipedia
from research_crawler.engines.result_pages import organic_results

QUERY = "javascript tutorial"
MOJEEK = f"https://www.mojeek.com/search?q={quote(QUERY)}"


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Count the results that are read of each saved answer."""
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
    """The saved page of Bing has a challenge and no result, and must be recognised as one."""
    provider = BrowserTyped("https://www.bing.com/")
    [request] = provider.requests(SearchSpec(query=QUERY))
    message = ""
    try:
        provider.parse(request, status=200, headers={}, body=_saved("bing").encode())
    except SearchFailed as failed:
        message = str(failed)
    return counted(
        "challenge recognised in the place of results", int(bool(message)), "pages", ok=bool(message),
        target="1", note=message,
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
        sum(row == true for row, true in zip(found, truth, strict=False)),
        "results",
        ok=found == truth,
        target=f"{len(truth)}, nothing else",
        note=f"{len(found)} read",
    )


def _saved(name: str) -> str:
    return gzip.decompress((DATA / "serp" / f"{name}.html.gz").read_bytes()).decode("utf-8")
