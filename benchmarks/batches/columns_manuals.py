"""Measures typed columns on real manuals, whose pages define hundreds of settings in one list.

The manuals are those that `docs_web.py build FOLDER` (`RESEARCH_BENCH`) has fetched; `RESEARCH_MANUALS` names FOLDER.
A row reads the page with the setting's entry and those that a search for its question finds. The truth was written
from the entries alone, before what reads them. The misses of the second half were looked at once, after the first
measurement (16 right, 3 wrong), so that other manuals tell more by now.
"""

import asyncio
import importlib.util
import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from benchmarks.batches.columns_saved import stored
from benchmarks.figures import Calibration, Figure, counted
from planner.columns.column_input import given_columns
from planner.columns.filling import fill_columns
from research_crawler.adapters.models.embedder import SentenceEmbedder
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.columns import ColumnSpec, ColumnValue
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.web.pages import StoredPage

VARIABLE: Final = "RESEARCH_MANUALS"
LEAST_FILLED, MOST_WRONG = 0.6, 0.05
_FILE: Final = Path(__file__).with_suffix(".toml")
_PAGES: Final = 4
"""Pages that a row reads beside the one with its entry."""
_MOST_WORDS: Final = 8
"""A text value with more words is a sentence."""


@dataclass(frozen=True)
class Setting:
    """A row: a setting with the accepted values of each column."""

    name: str
    manual: str
    half: str
    truth: dict[str, str]


@dataclass(frozen=True)
class Outcome:
    """One value of one row."""

    setting: Setting
    column: ColumnSpec
    value: ColumnValue

    @property
    def verdict(self) -> str:
        """`right`, `wrong`, `missed` (null, and the entry says it) or `null` (rightly none)."""
        truth = self.setting.truth[self.column.name]
        accepted = [one for one in truth.lstrip("?").split("|") if one]
        if self.value.value is None:
            return "missed" if accepted and not truth.startswith("?") else "null"
        return "right" if any(_is_same(one, self.value.value) for one in accepted) else "wrong"


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Fill the columns of all settings, and compare them with what their entries say."""
    if not os.environ.get(VARIABLE):
        yield Figure(
            "values of manuals", 0, "skipped", note=f"{VARIABLE} names no folder that docs_web.py has built"
        )
        return
    found = outcomes()
    for half in ("open", "held"):
        own = [one.verdict for one in found if one.setting.half == half]
        filled = own.count("right") + own.count("wrong")
        wrong, share = (
            own.count("wrong") / max(1, filled),
            own.count("right") / (len(own) - own.count("null")),
        )
        note = ", ".join(
            f"{verdict} {own.count(verdict)}" for verdict in ("right", "wrong", "missed", "null")
        )
        yield counted(
            f"wrong ones among values of manuals, {half}", wrong * 100, "%", ok=wrong <= MOST_WRONG,
            target="≤ 5 %", note=note,
        )  # fmt: skip
        yield counted(
            f"values of manuals filled rightly, {half}", share * 100, "%", ok=share >= LEAST_FILLED, target="≥ 60 %"
        )  # fmt: skip


def outcomes() -> list[Outcome]:
    """The values of all settings."""
    return asyncio.run(_outcomes())


async def _outcomes() -> list[Outcome]:
    table = tomllib.loads(_FILE.read_text("utf-8"))
    columns = given_columns(table["columns"])
    embedder = SentenceEmbedder(Config().embedding_model)
    found: list[Outcome] = []
    try:
        for manual in table["manual"]:
            for name, page, *truth in manual["settings"]:
                known = {column.name: value for column, value in zip(columns, truth, strict=True)}
                setting = Setting(name, manual["name"], manual["half"], known)
                inputs = JobInputs(
                    goal=f"{name} of {manual['name']}", subject=f"{name}; {manual['name']}", columns=columns
                )
                pages = _pages(setting, manual["package"], page)
                values = await fill_columns(
                    Job(id="manuals", inputs=inputs), pages, embedder, by="extractive"
                )
                found += [
                    Outcome(setting, column, value) for column, value in zip(columns, values, strict=True)
                ]
    finally:
        await embedder.close()
    return found


def _pages(setting: Setting, package: str, page: str) -> Sequence[StoredPage]:
    web, folder = _docs_web(), Path(os.environ[VARIABLE])
    index = _index()
    hits = index.search(f"{setting.name} {setting.manual} default value", size=_PAGES)
    wanted = dict.fromkeys([(package, page), *(tuple(index.pages[hit][:2]) for hit in hits)])
    found = [_page(folder / one / web.PACKAGES[one][0] / path) for one, path in wanted]
    return [one for one in found if one is not None]


@cache
def _page(path: Path) -> StoredPage | None:
    return stored(path.read_bytes(), f"http://127.0.40.2/{path.name}")


@cache
def _index() -> Any:
    return _docs_web().Index(Path(os.environ[VARIABLE]))


@cache
def _docs_web() -> Any:
    from benchmarks.reporting.wiki_web import BENCH  # here, because it looks for its data

    spec = importlib.util.spec_from_file_location("docs_web", BENCH / "docs_web.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _is_same(accepted: str, value: object) -> bool:
    if isinstance(value, bool):
        return value is (accepted == "yes")
    text = str(value)
    pattern = rf"(?<![\w.-]){re.escape(accepted)}(?![\w-]|\.\d)"
    return len(text.split()) <= _MOST_WORDS and re.search(pattern, text, re.I) is not None
