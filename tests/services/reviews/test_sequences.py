"""Random sequences of what persons and failing machines do to a job, compared with a model of the rules of reviews.

Some of the work is done in processes of their own, which SIGKILL ends in the middle.
"""

import asyncio
import json
import os
import shutil
import signal
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from planner.rounds.ports import CLAIM_MS
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import JobIsOver, UsageError
from research_crawler.core.failpoints import VARIABLE
from research_crawler.core.models.jobs.job import FINAL_STATES
from research_crawler.core.models.messages.events import PersonAnswered
from research_crawler.core.models.people.reviews import MAX_REMARKS, ReviewAnswer
from research_crawler.services.jobs.job_lifecycle import cancel_job
from research_crawler.services.jobs.job_lookup import find_job, report_of
from tests import warm
from tests.services.reviews.world import ReviewWorld

pytestmark = pytest.mark.long

POINTS = ("after-take", "before-commit", "after-commit")
STEPS = st.one_of(
    st.tuples(st.just("accept")),
    st.tuples(st.just("reject"), st.integers(0, 9)),
    st.tuples(st.just("finding"), st.integers(0, 5)),
    st.tuples(st.just("source"), st.integers(0, 2), st.booleans()),
    st.tuples(
        st.just("append"), st.sampled_from(["fact", "opinion", "constraint", "url"]), st.integers(0, 9)
    ),
    st.tuples(st.just("late")),
    st.tuples(st.just("forgotten")),
)
KILL = st.none() | st.none() | st.tuples(st.sampled_from(POINTS), st.integers(1, 3))
"""At which place of the work that follows the process is killed, and for the which time."""
CANCELLED = st.sampled_from(("", "at rest", "at work"))
"""Whether a person cancels the job at the end; at work: after the last kill, before anybody has gone on."""
SEQUENCES = st.tuples(st.lists(st.tuples(STEPS, KILL), min_size=1, max_size=6), CANCELLED)
LONGEST_MS = 400 * 50
"""How far the clock of such a process can be ahead of ours."""
PROJECT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Place:
    """Where the stores of a sequence are."""

    redis: str
    home: Path


@dataclass
class Rules:
    """What the rules say about the job."""

    state: str = "waiting_for_human"
    rounds: int = 0
    said: list[tuple[str, str]] = field(default_factory=list)
    """Remarks: what kind, and the text."""
    gone: set[str] = field(default_factory=set)
    """Claims that must not appear again."""
    hosts: set[str] = field(default_factory=set)
    pages: set[str] = field(default_factory=set)

    def open_round(self, kind: str, text: str) -> None:
        self.state = "waiting_for_human"
        self.rounds += 1
        self.said.append((kind, text))


class Sequence:
    """Carries out a sequence on the system and on the rules, and compares them after each step."""

    def __init__(self, world: ReviewWorld, place: Place) -> None:
        self.world, self.rules, self.place = world, Rules(), place
        self.kill: tuple[str, int] | None = None
        self.kills = 0

    async def carry_out(self, step, kill, *, is_cancelled_then=False) -> None:
        name, *values = step
        self.kill, before = kill, deepcopy(self.rules)
        await getattr(self, f"_{name}")(*values)
        if self.kill:
            await self._in_a_process(None)
        if is_cancelled_then:
            await self.cancel(before)
        await self.world.until_quiet()
        await self.compare()

    async def _answer(self, kind, **more):
        """Answer; a process that is killed while it applies the answer leaves it to the next one."""
        if self.rules.state == "cancelled":
            with pytest.raises(JobIsOver):
                await self.world.answer(kind, **more)
            return False
        if self.kill:
            await self._in_a_process({"kind": kind, **more})
        else:
            await self.world.answer(kind, **more)
        return True

    async def _in_a_process(self, answer) -> None:
        """Answer and work in another process, which SIGKILL ends where it was to be killed if it comes there."""
        (point, time), self.kill = self.kill, None
        task = {"redis": self.place.redis, "home": str(self.place.home), "now_ms": self.world.now_ms}
        done = await asyncio.to_thread(
            warm.run,
            ["-m", "tests.services.reviews.mortal", json.dumps(task | {"answer": answer})],
            cwd=PROJECT,
            env=os.environ | {VARIABLE: f"{point}:{time}"},
            timeout=60,
        )
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        self.kills += done.returncode != 0
        self.world.now_ms += LONGEST_MS + CLAIM_MS  # what a killed process has claimed is free again

    async def _accept(self) -> None:
        was = self.rules.state
        if await self._answer("accept"):
            self.rules.state = "completed"
            if was == "waiting_for_human":
                self.rules.said.append(("accept", ""))

    async def _reject(self, number: int) -> None:
        text = f"missing thing {number}"
        if await self._answer("reject", text=text):
            self.rules.open_round("reject", text)

    async def _append(self, kind: str, number: int) -> None:
        text = f"https://named{number}.example/" if kind == "url" else f"the person's {kind} {number}"
        if await self._answer("append", text=text, append_as=kind):
            self.rules.open_round(f"append {kind}", text)

    async def _finding(self, place: int) -> None:
        view = await self.world.view()
        if not view.findings or self.rules.state == "cancelled":
            return
        chosen = view.findings[place % len(view.findings)]
        if await self._answer("reject_finding", findings=[chosen.id]):
            self.rules.gone.add(chosen.claim)
            self.rules.open_round("reject_finding", chosen.claim)

    async def _source(self, place: int, whole_host: bool) -> None:
        view = await self.world.view()
        if not view.sources or self.rules.state == "cancelled":
            return
        chosen = view.sources[place % len(view.sources)]
        source = chosen.host if whole_host else str(chosen.n)
        if await self._answer("reject_source", source=source):
            (self.rules.hosts if whole_host else self.rules.pages).add(
                chosen.host if whole_host else chosen.url
            )
            self.rules.open_round("reject_source", chosen.host if whole_host else chosen.url)

    async def _late(self) -> None:
        """An answer to a question that was answered before has no effect."""
        job = await self.world.get()
        if job is not None and job.review.asked > 1:
            answer = ReviewAnswer(kind="append", text="too late")
            event = PersonAnswered(uid="late", job=job.id, no=job.review.asked - 1, answer=answer)
            await self.world.jobs.deliver(job.id, event)

    async def _forgotten(self) -> None:
        """A completed job leaves Redis after a day."""
        if self.rules.state == "completed":
            await self.world.jobs.forget(self.world.job.id)

    async def cancel(self, before: Rules | None = None) -> None:
        """Cancel the job.

        Args:
            before: the rules before the last step, if it may have been ended in the middle.
        """
        job = await find_job(self.world.runtime, self.world.job.id)
        is_open = job.state not in FINAL_STATES
        assert await cancel_job(self.world.runtime, self.world.job.id) == is_open
        if before and len(before.said) == len(job.review.remarks):  # its answer was not applied yet
            self.rules = before
        assert before or is_open == (self.rules.state == "waiting_for_human")
        self.rules.state = "cancelled" if is_open else self.rules.state
        await self.compare()
        with pytest.raises((JobIsOver, UsageError)) if is_open else pytest.raises(UsageError):
            await self.world.answer("reject", text="")

    async def compare(self) -> None:
        """State, record and report are as the rules say; a job that waits holds nothing."""
        world, rules = self.world, self.rules
        job = await find_job(world.runtime, world.job.id)
        assert job.state == rules.state
        assert job.review.rounds == rules.rounds
        said = [
            (f"append {one.of}" if one.kind == "append" else one.kind, one.text) for one in job.review.remarks
        ]
        assert said == rules.said[-MAX_REMARKS:]
        archived, findings, _ = await world.archived()
        assert archived.state == rules.state
        assert await world.held() == []
        assert (await world.frontier.counts()).problems == []
        claims = [finding.claim for finding in findings]
        assert len(set(claims)) == len(claims), "a finding counts twice"
        assert not rules.gone & set(claims)
        assert not [one for one in findings if one.url in rules.pages or one.url.split("/")[2] in rules.hosts]
        await self._compare_report(claims)

    async def _compare_report(self, claims) -> None:
        world, rules = self.world, self.rules
        if rules.state == "waiting_for_human":
            _, _, stored = await world.archived()
            text, review = stored["report_markdown"], stored["review"]
            evidence, state = stored["evidence"], stored["state"]
        else:
            report = await report_of(world.runtime, world.job.id)
            text, state = report.report_markdown, report.state
            evidence = [one.model_dump() for one in report.evidence]
            review = report.review.model_dump() if report.review else None
        assert state == rules.state
        assert {one["claim"] for one in evidence} <= set(claims)
        assert not [claim for claim in rules.gone if claim in text]
        stated = [
            (kind.removeprefix("append "), words)
            for kind, words in rules.said[-MAX_REMARKS:]
            if kind in ("append fact", "append opinion", "append constraint")
        ]
        answered = [kind for kind, _ in rules.said if kind != "accept"]
        shown = [(one["kind"], one["text"]) for one in review["statements"]] if review else []
        assert shown == (stated if answered else [])


KILLS = []


@pytest.fixture(scope="module")
def empty_archive(tmp_path_factory):
    """The file of an archive with nothing in it, which is copied for each sequence."""
    home = tmp_path_factory.mktemp("empty")

    async def make():
        archive = SqlArchive(load_core_config(home=home))
        await archive.open()
        await archive.close()

    asyncio.run(make())
    return home


@pytest.mark.timeout(300)
@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=[
        Phase.generate
    ],  # a failing sequence is short as it is, and shrinking it starts hundreds of processes
)
@given(sequence=SEQUENCES)
async def test_state_and_report_agree_with_the_rules_after_any_sequence(
    redis_client, redis_socket, empty_archive, tmp_path_factory, sequence
):
    steps, cancelled = sequence
    await redis_client.flushall()
    place = Place(f"unix://{redis_socket}", tmp_path_factory.mktemp("sequence"))
    shutil.copytree(empty_archive, place.home, dirs_exist_ok=True)
    archive = SqlArchive(load_core_config(home=place.home))
    world = ReviewWorld(redis_client, archive=archive)
    acting = Sequence(world, place)
    try:
        await world.start()
        await acting.compare()
        for number, (step, kill) in enumerate(steps, 1):
            is_last = number == len(steps)
            await acting.carry_out(step, kill, is_cancelled_then=is_last and cancelled == "at work")
        if cancelled == "at rest":
            await acting.cancel()
    finally:
        KILLS.append(acting.kills)
        await world.close()
        await archive.close()


def test_processes_were_killed_in_these_sequences():
    if not KILLS:
        pytest.skip("the sequences ran in another process")
    assert len(KILLS) >= 50
    assert sum(KILLS) >= 20
