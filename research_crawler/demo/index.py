"""The index of the search engine: SQLite FTS5 over the pages, ranked by BM25."""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from research_crawler.core.models.base import Frozen
from research_crawler.demo.content import Page

MAX_RESULTS = 50
"""Most hits that the demo's search engine counts."""
RESULTS_PER_PAGE = 10
"""Hits on a page of the demo's search engine."""
MAX_SAME_TITLE = 2
"""The number of results with the same name that keep their rank. Further ones go to the end."""
Row = tuple[str, str, str, str, float]
_COMMON_WORDS = (
    "a an and are as at be been but by can do does did for from had has have how i if in into is it "
    "its me my of on or our so tell than that the their them then there these they this to us was we "
    "were what when where which who whom why will with would you your about "
)
STOP_WORDS = frozenset(_COMMON_WORDS.split())


class Hit(Frozen):
    """One result of a search."""

    reference: str
    title: str
    snippet: str
    date: str
    score: float
    """Higher is better."""


class SearchIndex:
    """Full-text search over (reference, page, text)."""

    def __init__(self, entries: Iterable[tuple[str, Page, str]]) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute(
            "CREATE VIRTUAL TABLE pages USING fts5"
            "(title, body, reference UNINDEXED, date UNINDEXED, tokenize = 'porter unicode61')"
        )
        rows = [(page.title, text, ref, page.updated or page.date) for ref, page, text in entries]
        self._db.executemany("INSERT INTO pages VALUES (?, ?, ?, ?)", rows)

    def search(
        self, query: str, *, number: int = 1, hosts: Sequence[str] | None = None
    ) -> tuple[list[Hit], int]:
        """The hits of a page of results, and the number of all hits (at most MAX_RESULTS).

        Args:
            query: any words.
            number: the number of the page of results, from 1.
            hosts: keys of the hosts to search; None for all.
        """
        expression = match_expression(query)
        if not expression:
            return [], 0
        rows = self._db.execute(
            "SELECT reference, title, snippet(pages, 1, '', '', ' … ', 40), date, -bm25(pages, 3.0, 1.0) "
            "AS score FROM pages WHERE pages MATCH ? AND (? OR substr(reference, 1, instr(reference, ':') - 1)"
            " IN (SELECT value FROM json_each(?))) ORDER BY score DESC, reference LIMIT ?",
            (expression, hosts is None, json.dumps(hosts or []), MAX_RESULTS),
        ).fetchall()
        rows = rows if hosts else _spread_same_titles(rows)
        first = (number - 1) * RESULTS_PER_PAGE
        shown = rows[first : first + RESULTS_PER_PAGE]
        hits = [
            Hit(reference=r, title=t, snippet=" ".join(s.split()), date=d, score=c) for r, t, s, d, c in shown
        ]
        return hits, len(rows)

    def close(self) -> None:
        """Close the database, which frees its memory."""
        self._db.close()


def _spread_same_titles(rows: list[Row]) -> list[Row]:
    """Move all but the first MAX_SAME_TITLE pages with the same name to the end.

    Many shops have a page with the same name, because they sell the same product.
    """
    seen: Counter[str] = Counter()
    early: list[Row] = []
    late: list[Row] = []
    for row in rows:
        name = row[1].partition(" – ")[0]
        seen[name] += 1
        (early if seen[name] <= MAX_SAME_TITLE else late).append(row)
    return early + late


def match_expression(query: str) -> str:
    """An FTS5 expression that matches any word of the query except stop words. Each word is quoted."""
    words = [word for word in re.findall(r"\w+", query.lower()) if word not in STOP_WORDS]
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
