"""The ledger of a job, read from Redis, the archive, the server and the model, to compare two runs."""

import itertools
import json
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from research_crawler.adapters.redis.budgets import RedisBudget
from research_crawler.adapters.redis.connection import connect_url
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.core.config import Config
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.demo.process import RunningWeb
from research_crawler.frontier.store import Frontier

TOLERANCE_MS = 1.0
"""Tolerance of a gap, which the server measures, while the delay is in whole ms of another clock."""


@dataclass(frozen=True)
class Ledger:
    """The results of one finished job.

    commands: kind, query or page, outcome. findings, indexed: page and quote, in the job and in the archive.
    calls: finished and broken-off model calls by role. faults: violations of what must always hold, in words.
    """

    state: str
    commands: Counter[tuple[str, str, str]]
    findings: Counter[tuple[str, str]]
    indexed: Counter[tuple[str, str]]
    calls: Counter[str]
    faults: list[str] = field(default_factory=list)

    @classmethod
    def broken(cls, reason: str) -> "Ledger":
        """The ledger of a run that failed."""
        return cls("broken", Counter(), Counter(), Counter(), Counter(), [reason])

    def differences(self, undisturbed: "Ledger") -> list[str]:
        """The differences from the undisturbed run, except for model calls."""
        found = list(self.faults)
        if self.state != undisturbed.state:
            found.append(f"state {self.state}, not {undisturbed.state}")
        for name in ("commands", "findings", "indexed"):
            own, other = getattr(self, name), getattr(undisturbed, name)
            if lost := other - own:
                found.append(f"{name} lost: {_some(lost)}")
            if extra := own - other:
                found.append(f"{name} too many: {_some(extra)}")
        return found

    def extra_calls(self, undisturbed: "Ledger") -> int:
        """How many model calls the undisturbed run did not need."""
        return (self.calls - undisturbed.calls).total()


async def read_ledger(
    config: Config, web: RunningWeb, model_calls: list[dict[str, Any]], job_id: str
) -> Ledger:
    """Read the ledger of a job that is over."""
    client: Any = connect_url(config.redis_url)
    jobs, archive = RedisJobs(client), SqlArchive(config)
    await archive.open()
    job = await jobs.get(job_id)
    assert job, f"job {job_id} has left Redis"
    findings = await jobs.findings(job_id)
    indexed = [
        finding async for finding, _ in await archive.vectors() if finding.command.startswith(f"{job_id}:")
    ]
    faults = [*await _faults_in_redis(client, job_id), *_faults_of_findings(findings), *_early(web, config)]
    if await archive.get_job(job_id) is None:
        faults.append("the job is not in the archive")
    await archive.close()
    await jobs.close()
    await client.aclose()
    return Ledger(
        state=job.state,
        commands=_commands(job),
        findings=_quotes(findings),
        indexed=_quotes(indexed),
        calls=Counter(call["role"] for call in model_calls),
        faults=faults,
    )


def calls_of(port: int) -> list[dict[str, Any]]:
    """The calls that the scripted model has recorded."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"http://127.0.0.1:{port}/calls", timeout=10) as response:
        calls: list[dict[str, Any]] = json.loads(response.read())
    return calls


def _commands(job: Job) -> Counter[tuple[str, str, str]]:
    searches = [("search", search.query, search.outcome) for search in job.searches]
    visits = [("visit", place_of(visit.url), visit.outcome) for visit in job.visits]
    return Counter([*searches, *visits])


def _quotes(findings: list[Finding]) -> Counter[tuple[str, str]]:
    return Counter((place_of(finding.url), finding.quote) for finding in findings)


def place_of(url: str) -> str:
    """The URL without the port, which differs in every run."""
    parts = urlsplit(url)
    return f"{parts.hostname}{parts.path}"


async def _faults_in_redis(client: Any, job_id: str) -> list[str]:
    frontier, budget = Frontier(client), RedisBudget(client)
    counts = await frontier.counts()
    faults = [f"audit: {problem}" for problem in counts.problems]
    remaining = {"queued": sum(counts.queued.values()), "leased": counts.leased, "given up": counts.given_up}
    remaining |= {"reserved tokens": (await budget.booked(job_id))[1]}
    remaining |= {"reservations": await client.zcard("research:resv")}
    faults += [f"{name}: {number}" for name, number in remaining.items() if number]
    await frontier.close()
    await budget.close()
    return faults


def _faults_of_findings(findings: list[Finding]) -> list[str]:
    twice = [id_ for id_, number in Counter(finding.id for finding in findings).items() if number > 1]
    return [f"findings that count twice: {len(twice)}"] if twice else []


def _early(web: RunningWeb, config: Config) -> list[str]:
    """Requests that came before the host's delay was over, including those for robots.txt."""
    delay_ms = config.phase1_visit_delay_seconds * 1000
    faults = []
    entries = sorted(web.log(), key=lambda served: (served.host, served.start_ms))
    for host, group in itertools.groupby(entries, key=lambda served: served.host):
        ends = 0.0
        for served in group:
            if ends and served.start_ms - ends < min(delay_ms, 1000) - TOLERANCE_MS:
                faults.append(
                    f"{host}{served.path} came {served.start_ms - ends:.0f} ms after the last answer"
                )
            ends = max(ends, served.end_ms)
    return faults


def _some(counter: Counter[Any]) -> str:
    names = [" ".join(key)[:100] for key in counter]
    return "; ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
