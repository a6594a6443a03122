"""Makes the pages that are alike, for jobs that read very many pages on one subject."""

import datetime
import json
import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from research_crawler.core.models.base import Frozen
from research_crawler.demo.content import Host, Page, parse_page

EACH: Final = 160
"""Pages of each series: a few more than the deepest job reads."""
_FILE: Final = Path(__file__).with_name("series.toml")
_FIRST_DAY: Final = datetime.date(2024, 1, 3)
_DAYS_BETWEEN: Final = 5
_SLOT: Final = re.compile(r"\{(?P<name>[A-Za-z]+)\}|\{(?P<least>\d+)\.\.(?P<most>\d+)\}")


class Series(Frozen):
    """Pages of one form."""

    host: str
    path: str
    title: str
    author: str
    tags: tuple[str, ...]
    body: str
    words: dict[str, tuple[str, ...]]
    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    """Words of addresses and titles that have no numbers: each page has a pair of its own."""

    def pair(self, n: int) -> dict[str, str]:
        """The pair of words of the n-th page, as they are written and with a capital; empty without words."""
        if not self.first:
            return {}
        first, second = self.first[n // len(self.second)], self.second[n % len(self.second)]
        return {"first": first, "First": first.capitalize(), "second": second}


def series_pages(hosts: Mapping[str, Host]) -> Iterator[Page]:
    """The pages of all series, the same in every run."""
    for table in tomllib.loads(_FILE.read_text("utf-8"))["series"]:
        series = Series.model_validate(table)
        for n in range(1, EACH + 1):
            yield _page(series, hosts[series.host], n)


def _page(series: Series, host: Host, n: int) -> Page:
    day = _FIRST_DAY + datetime.timedelta(days=_DAYS_BETWEEN * n)
    draw = random.Random(f"{series.path} {n}")  # the same page in every run
    known = {"n": str(n), "date": f"{day.day} {day:%B %Y}", **series.pair(n - 1)}
    title, author, body = (
        _filled(text, series, known, draw) for text in (series.title, series.author, series.body)
    )
    head = f'title = "{title}"\nauthor = "{author}"\ndate = "{day}"\ntags = {json.dumps(series.tags)}\n'
    path = _filled(series.path, series, known, draw)
    return parse_page(host, path + host.suffix, f"+++\n{head}+++\n{body}")


def _filled(text: str, series: Series, known: Mapping[str, str], draw: random.Random) -> str:
    def value(slot: re.Match[str]) -> str:
        if slot["name"]:
            return known.get(slot["name"]) or draw.choice(series.words[slot["name"]])
        return f"{draw.randint(int(slot['least']), int(slot['most'])):,}"

    while (filled := _SLOT.sub(value, text)) != text:  # words have slots of their own
        text = filled
    return text
