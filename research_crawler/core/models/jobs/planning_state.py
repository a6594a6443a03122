"""The counters and times of a job's decisions, and the stored pages that it reads first."""

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.models.jobs.records import Origin, RoundStart
from research_crawler.core.models.reasons import CeilingOwner


class StoredSource(Frozen):
    """A page in the archive that a job reads without fetching it."""

    url: str
    sha: str
    title: str = ""
    fetched_at: str = ""
    origin: Origin = "file"


class PlanningState(Wire):
    """The counters and times of the planner's decisions."""

    iteration: int = 0
    round: int = 0
    open_commands: list[str] = Field(default_factory=list, alias="open")
    """Ids of the commands of the open round that have no event yet."""
    round_until_ms: int = 0
    """When to look next how far the open round is; 0: none is open."""
    round_limit_ms: int = 0
    """The round's own time is used up when the phase has spent this much."""
    deadline_timer_no: int = Field(0, alias="epoch")
    """Number of the deadline timer."""
    started_ms: int = 0
    """When phase 1 became active, moved by the time in which nobody could work on the job."""
    spent_ms: int = 0
    """Work of phase 1: by crawlers and by the planner. What is done at the same time counts once."""
    counted_ms: int = 0
    """Work up to this time is in `spent_ms`."""
    deadline_ms: int = 0
    """When the phase has waited too long; each piece of work moves it on."""
    next_command: int = 1
    searches_used: int = 0
    visits_used: int = 0
    barren_rounds: int = 0
    """Number of rounds in a row without a new finding."""
    repeats: int = 0
    """How often a query or URL was repeated since the last change of strategy."""
    recovery_step: int = Field(0, alias="stuck_step")
    """How many strategies of recovery from a loop were tried: another query, a narrower question, an unused lead, the
    human."""
    forced: str = ""
    """Why `done` was forced: iterations, timeout, waiting, nothing left; empty if it was not."""
    done_reason: str = ""
    missing: list[str] = Field(default_factory=list)
    """What is still missing for sufficient evidence."""
    named_missing: list[str] = Field(default_factory=list)
    """What the brain that ended the research named as missing besides."""
    finished_ms: int = 0
    findings: int = 0
    """Number of findings with different quotes; the same quote on two pages counts once."""
    pages_read: int = 0
    """Number of visits that returned a page."""
    gained: int = 0
    """New findings and new search results of the open round."""
    last_resort: bool = False
    """All strategies of recovery have been tried."""
    touched_ms: int = 0
    """Time of the last step, from which the length of a pause is computed."""
    fallback: str = ""
    """Why the extractive brain took over, if it did."""
    ceiling: CeilingOwner | None = None
    """Whose ceiling of tokens or money made it take over."""
    targets: list[str] = Field(default_factory=list)
    """What phase 1 must find if earlier jobs know the rest; empty: everything."""
    recalled: bool = False
    """Earlier findings have been searched."""
    stored: list[StoredSource] = Field(default_factory=list)
    """Pages in the archive that are read before anything else."""
    remembered: int = 0
    """How many of the findings are of earlier jobs."""
    dropped_visits: list[str] = Field(default_factory=list)
    """Digests of addresses that were visited and whose records were dropped or cut, because a job's record is bounded:
    these pages are not visited again."""
    review_round_start: RoundStart = Field(RoundStart(), alias="begun")
    """What was used before the present round of the review; nothing in a job that nobody has reviewed."""
