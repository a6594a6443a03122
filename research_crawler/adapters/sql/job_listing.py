"""Reads finished jobs for lists: which come next, and what a list shows of them."""

import json
from collections.abc import Sequence
from itertools import islice

from sqlalchemy import Connection, and_, desc, or_, select

from research_crawler.adapters.sql.tables.archive_tables import JOBS, decompress
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.status import NOT_LISTED


def submitted_before(
    connection: Connection, created_at: str, job: str, limit: int, words: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """(id, time) of finished jobs that were submitted before another one (the id decides a tie), newest first.

    An empty time stands for the end of time. `words` (casefolded) must all be in the question: SQLite folds the case of
    ASCII alone, so they are compared here, and no record is read for that.
    """
    older = or_(JOBS.c.created_at < created_at, and_(JOBS.c.created_at == created_at, JOBS.c.id < job))
    newest = select(JOBS.c.id, JOBS.c.created_at).order_by(desc(JOBS.c.created_at), desc(JOBS.c.id))
    newest = newest.where(older) if created_at else newest
    if not words:
        return [(row.id, row.created_at) for row in connection.execute(newest.limit(limit))]
    found = (
        (row.id, row.created_at)
        for row in connection.execute(newest.add_columns(JOBS.c.goal))
        if all(word in row.goal.casefold() for word in words)
    )
    return list(islice(found, limit))


def ids_from(connection: Connection, beginning: str, limit: int) -> list[str]:
    """The ids of finished jobs that begin so, at most `limit`."""
    chosen = select(JOBS.c.id).where(JOBS.c.id.startswith(beginning, autoescape=True)).limit(limit)
    return [row.id for row in connection.execute(chosen)]


def listed(connection: Connection, ids: Sequence[str]) -> list[Job]:
    """Those of these jobs that are finished, in any order, without the fields of `NOT_LISTED`."""
    return [_shown(row.job) for row in connection.execute(select(JOBS.c.job).where(JOBS.c.id.in_(ids)))]


def _shown(document: bytes) -> Job:
    """A stored job as lists show it: validating the rest of its record would take most of the time."""
    fields = json.loads(decompress(document))
    return Job.from_wire(
        json.dumps({name: value for name, value in fields.items() if name not in NOT_LISTED})
    )
