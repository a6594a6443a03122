"""What the planner works with: the stores, brains and judges of a process."""

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field

from planner.job.earlier.memory import Memory
from planner.money.market import Market
from planner.reports.excerpts_below import VerifyQuotes
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.ports.archives import Archive
from research_crawler.core.ports.models import Brain, Embedder, EvidenceJudge, Outliner, SharedSpending
from research_crawler.core.ports.stores import HostWaits, JobFolder, JobStore

CLAIM_MS = 15_000
"""A worker's claim on a job, if it is not renewed, ends after this time; another worker then takes the job. The scripts
decide (`frontier/lua/_base.lua`)."""


@dataclass(frozen=True)
class Ports:
    """The stores and brains that the planner works with."""

    jobs: JobStore
    brain_for: Callable[[Job], Awaitable[Brain]]
    """Gives the brain of a job."""
    waits: HostWaits
    archive: Archive
    extractive_brain: Brain
    """The brain that is asked if a decision cannot be carried out; it needs no model."""
    folder: JobFolder
    market: Market = field(default_factory=Market)
    memory: Memory | None = None
    """Findings of earlier jobs; None: every job starts without them."""
    embedder: Embedder | None = None
    """Compares what a model writes with its quotes by meaning; None: words alone do."""
    outliner: Outliner | None = None
    """Brings the outline up to date where a job ends without a decision; None: it stays as it is."""
    judge: EvidenceJudge | None = None
    """Judges the evidence where a job ends without a decision; None: it has no score."""
    spending: SharedSpending | None = None
    """Tells what is left of the ceilings of the batch and the day; None: the planner is told of the job's own only."""
    verify_quotes: VerifyQuotes | None = None
    """Makes findings of excerpts that a report shows; None: it shows only what was found before."""
    folder_errors: MutableMapping[str, str] = field(default_factory=dict)
    """By job: why its last documents could not be written; the next step adds this to the job's warnings."""
