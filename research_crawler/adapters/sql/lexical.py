"""Finds findings by their words in SQL, for a process that cannot reach the vector index."""

from collections.abc import Iterator, Sequence

from sqlalchemy import ColumnElement, Connection, desc, func, or_, select

from research_crawler.adapters.sql.tables.archive_tables import FINDINGS, NOT_IN_FINDING, finding_of
from research_crawler.core.models.archive.memory import FindingFilter
from research_crawler.core.models.evidence.findings import Finding

MOST_SEARCHED_WORDS = 100
"""Most words of one query: SQLite takes no condition of more than 1,000 parts, and each word has a part a column."""
_SHOWN = [column for column in FINDINGS.c if column.name not in NOT_IN_FINDING]
_SEARCHED = (FINDINGS.c.title, FINDINGS.c.heading, FINDINGS.c.claim, FINDINGS.c.quote)


def find_by_words(
    connection: Connection, words: Sequence[str], where: FindingFilter, limit: int
) -> list[Finding]:
    """The newest findings that contain one of these words; see the port `Archive`."""
    if not words:
        return []
    searched = sorted(words, key=len, reverse=True)[:MOST_SEARCHED_WORDS]  # long words are rare ones
    contains = or_(
        *(
            func.lower(column).contains(word.lower(), autoescape=True)
            for word in searched
            for column in _SEARCHED
        )
    )
    newest = select(*_SHOWN).where(contains, *_conditions(where)).order_by(desc(FINDINGS.c.fetched_at))
    rows = connection.execute(newest.limit(limit))
    found = (finding_of(row._mapping) for row in rows)
    return [finding for finding in found if where.covers(finding)]


def _conditions(where: FindingFilter) -> Iterator[ColumnElement[bool]]:
    """What SQL can check of a filter; `covers` checks the rest."""
    yield ~FINDINGS.c.retracted
    if where.job:
        yield FINDINGS.c.job == where.job
    if where.kind:
        yield FINDINGS.c.kind == where.kind
    if where.since:
        yield FINDINGS.c.fetched_at >= where.since
    if where.host:
        yield FINDINGS.c.url.contains(where.host, autoescape=True)
