"""Finds the job that a person means by the first characters of its id, as version control does with commits."""

from typing import TYPE_CHECKING, Final

from planner.job.factory import is_job_id
from research_crawler.core.errors import UnknownJob, UsageError

if TYPE_CHECKING:
    from research_crawler.runtime.container import Container

FEWEST: Final = 3
"""Characters that name a job. Two of 32 letters would often be another's, as soon as there are a few dozen jobs."""
MOST_SHOWN: Final = 5


async def job_named(parts: "Container", name: str) -> str:
    """The id that begins with these characters; a whole id is returned as it is.

    Raises:
        UnknownJob: no job's id begins so, or the name is shorter than three characters.
        UsageError: several do.
    """
    begun = name.strip().lower()
    if is_job_id(begun) or not name:
        return begun
    if len(begun) < FEWEST or not (begun.isascii() and begun.isalnum()):
        raise UnknownJob(name)
    known = {job for job in await parts.jobs.known_ids() if job.startswith(begun)}
    known.update(await parts.archive.ids_from(begun, limit=MOST_SHOWN + 1))
    if not known:
        raise UnknownJob(name)
    if len(known) > 1:
        shown = sorted(known)[:MOST_SHOWN]
        more = ", …" if len(known) > MOST_SHOWN else ""
        raise UsageError(f"{name!r} could be several jobs: {', '.join(shown)}{more}; give more characters")
    return known.pop()
