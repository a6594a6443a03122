"""Measures typed columns on saved pages of shops, services and manuals, each beside a page of something else."""

import asyncio
import gzip
import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.batches.columns_scoring import is_contained, is_right
from benchmarks.commerce.product_pages import saved_products
from benchmarks.commerce.product_split import is_held_back, shop_of
from benchmarks.figures import Calibration, Figure, counted
from benchmarks.places import DATA
from planner.columns.column_input import given_columns
from planner.columns.filling import fill_columns
from research_crawler.adapters.models.embedder import SentenceEmbedder
from research_crawler.core.config import Config
from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.extraction.page import read_page
from research_crawler.extraction.products.product_reader import read_products

LEAST_RIGHT, LEAST_HOLES = 0.8, 0.9
_FILE: Final = Path(__file__).with_suffix(".toml")
_OF_SHOPS: Final = (
    ("price", "money, What does it cost?"),
    ("stock", "yes/no, Is it in stock?"),
    ("brand", "text, Which brand is it?"),
    ("sku", "text, What is its article number (SKU)?"),
)
_NAME_WORDS: Final = 6
_LEAD: Final = re.compile(r"(?:details about|dettagli su|détails sur|for auction:)\s+", re.I)
"""What marketplaces write before the name of a thing, and no person would."""


@dataclass(frozen=True)
class SavedCase:
    """A row: what it is about, its columns with their truth, and the page that has the values."""

    subject: str
    columns: Sequence[ColumnSpec]
    truth: dict[str, tuple[str, ...]]
    """Accepted values; none where the page does not say it."""
    page: StoredPage
    source: str

    @property
    def is_held_back(self) -> bool:
        """Whether nobody looks at its misses."""
        return is_held_back(shop_of(self.page.url))


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Fill the columns of all cases, and compare them with what is true."""
    for is_held, name in ((False, "open half"), (True, "held back")):
        outcomes = [outcome for outcome in filled(saved_cases()) if outcome.case.is_held_back == is_held]
        yield from _figures(outcomes, name)


@dataclass(frozen=True)
class CaseOutcome:
    """One value of one case."""

    case: SavedCase
    column: ColumnSpec
    value: dict[str, Any]

    @property
    def is_hole(self) -> bool:
        """Whether the page does not say it."""
        return not self.case.truth[self.column.name]

    @property
    def is_right(self) -> bool:
        """Whether the value is one of the accepted ones."""
        accepted = self.case.truth[self.column.name]
        found = self.value["value"]
        if self.column.type == "text" and found is not None:
            return any(one.casefold() in str(found).casefold() for one in accepted)
        return any(is_right(self.column.type, one, found) for one in accepted) if accepted else found is None


def saved_cases() -> list[SavedCase]:
    """The cases that a person read, and those that follow from the truth of saved shops."""
    return [*_read_cases(), *_shop_cases()]


def filled(cases: Sequence[SavedCase]) -> list[CaseOutcome]:
    """The values of all cases; each job has read the page of the next case too."""
    return asyncio.run(_filled(cases))


async def _filled(cases: Sequence[SavedCase]) -> list[CaseOutcome]:
    embedder = SentenceEmbedder(Config().embedding_model)
    found: list[CaseOutcome] = []
    try:
        for place, case in enumerate(cases):
            other = next(one for one in (*cases[place + 1 :], *cases) if one.page.sha != case.page.sha)
            inputs = JobInputs(goal=case.subject, subject=case.subject, columns=list(case.columns))
            values = await fill_columns(
                Job(id="saved", inputs=inputs), [case.page, other.page], embedder, by="extractive"
            )
            found += [
                CaseOutcome(case, column, value.model_dump(mode="json"))
                for column, value in zip(case.columns, values, strict=True)
            ]
    finally:
        await embedder.close()
    return found


def _read_cases() -> Iterator[SavedCase]:
    truths = json.loads((DATA / "pages" / "ground-truth.json").read_text("utf-8"))
    for case in tomllib.loads(_FILE.read_text("utf-8"))["case"]:
        body = gzip.decompress((DATA / "pages" / "html" / f"{case['page']}.html.gz").read_bytes())
        page = stored(body, truths[case["page"]]["url"])
        columns = given_columns("\n".join(f"{name}: {asked}" for name, asked, _ in case["columns"]))
        truth = {name: (value,) if value else () for name, _, value in case["columns"]}
        if page:
            yield SavedCase(case["subject"], columns, truth, page, "read")


def _shop_cases() -> Iterator[SavedCase]:
    rows = json.loads((DATA / "products" / "ground-truth.json").read_text("utf-8"))
    for product in saved_products():
        row = rows[product.id]
        page, named = stored(product.body, product.url), read_products(product.text, url=product.url)
        if page is None or not named:
            continue
        truth = {
            "price": tuple(price.strip() for price in row.get("price", [])),
            "stock": ("yes" if "InStock" in row else "no",),
            "brand": tuple(row.get("brand", [])),
            "sku": tuple(row.get("sku", [])),
        }
        columns = given_columns("\n".join(f"{name}: {asked}" for name, asked in _OF_SHOPS if truth[name]))
        subject = " ".join(_LEAD.sub("", named[0].name).split()[:_NAME_WORDS])
        yield SavedCase(subject, columns, truth, page, "shops")


def stored(body: bytes, url: str) -> StoredPage | None:
    """A saved page as the archive would have it; None if it has no text."""
    try:
        page = read_page(body, url=url, headers={"content-type": "text/html"})
    except PageUnreadable:
        return None
    return StoredPage(
        sha=hashlib.sha256(page.markdown.encode()).hexdigest(), url=url, final_url=url, page=page
    )


def _figures(outcomes: Sequence[CaseOutcome], name: str) -> Iterator[Figure]:
    planted = [one for one in outcomes if not one.is_hole]
    holes = [one for one in outcomes if one.is_hole]
    kinds: dict[str, Counter[bool]] = {}
    for one in planted:
        kinds.setdefault(f"{one.case.source} {one.column.type}", Counter())[one.is_right] += 1
    detail = ", ".join(f"{kind} {count[True]}/{count.total()}" for kind, count in sorted(kinds.items()))
    wrong = sum(one.value["value"] is not None and not one.is_right for one in outcomes)
    right = sum(one.is_right for one in planted) / max(1, len(planted))
    yield counted(
        f"values of saved pages filled rightly, {name}", right * 100, "%", ok=right >= LEAST_RIGHT, target="≥ 80 %",
        note=f"{len(planted)} values, {wrong} wrong ones; {detail}",
    )  # fmt: skip
    null = sum(one.is_right for one in holes) / max(1, len(holes))
    yield counted(
        f"holes of saved pages left null, {name}", null * 100, "%", ok=null >= LEAST_HOLES, target="≥ 90 %",
        note=f"{len(holes)} holes",
    )  # fmt: skip
    loose = sum(
        one.value["value"] is not None and not is_contained(one.column.type, one.value) for one in outcomes
    )
    yield counted(f"values without a quote that has them, {name}", loose, "values", ok=not loose, target="0")
