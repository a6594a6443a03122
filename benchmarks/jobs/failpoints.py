"""Kills a small job at each failpoint, starts it again, and compares its ledger with an undisturbed run."""

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import redis

from benchmarks.children import Child, environment
from benchmarks.figures import QUIET, Calibration, Figure, counted
from benchmarks.jobs.ledger import Ledger, calls_of, read_ledger
from benchmarks.jobs.stage import Stage, stage, submit, system_of, until_over
from research_crawler.core.failpoints import FAILPOINTS
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.ports.models import LONGEST_SLOT_WAIT_S
from research_crawler.services.submission.job_question import request_from

GOAL = "How do I descale the Brunholt Corva espresso machine?"
STRIKES = 2
"""A failpoint strikes when it is reached this often. The first time mostly belongs to the search."""
BY_TIMER = frozenset({"after-fire"})
"""Failpoints that only a timer reaches, in a job whose pages take longer to read than it has time."""
HURRIED_S, READING_S = 8.0, 60.0
ANSWER_S = 30.0
"""Time limit of a model call, and how long the reservation of a dead process stays."""
AT_ONCE = 4
DELAY_S, MODEL_S = 0.3, 0.3
REACHED_S, ENDED_S = 120.0, 180.0
BOOKED_S = READING_S + LONGEST_SLOT_WAIT_S + 15.0
"""How long after the job's end to wait for the index and for the reservations of the dead process: those end with the
longest answer, after the longest wait for the model's slot."""


_ledger_lock = threading.Lock()
"""Only one thread may open the archive at a time, because alembic checks it then and is not thread-safe."""


@dataclass(frozen=True)
class Run:
    """The result of one run."""

    failpoint: str
    ledger: Ledger
    struck: bool
    in_flight: int = 0
    """Model calls that were open when the process was killed."""
    seconds: float = 0.0


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Do the undisturbed runs, then all failpoints, several at once: they mostly wait for permits."""
    undisturbed = {by_timer: run("", by_timer=by_timer).ledger for by_timer in (False, True)}
    comparisons = {
        name: Comparison.of(run, undisturbed) for name, run in _run_all(sorted(FAILPOINTS)).items()
    }
    again: list[str] = []
    while len(again) < len(FAILPOINTS) and calibration.loop() > QUIET:
        # A round of visits has 45 s, and a dead download's permit lasts 35 s. On an overloaded machine, the
        # round ends first.
        differing = [name for name, result in comparisons.items() if result.differences and name not in again]
        if not differing:
            break
        again += differing
        comparisons |= {name: Comparison.of(run, undisturbed) for name, run in _run_all(differing).items()}
    for comparison in comparisons.values():
        print(f"     {comparison.line()}")
    yield from _figures(comparisons, undisturbed[False], again)


@dataclass(frozen=True)
class Comparison:
    """A run compared with the undisturbed one."""

    run: Run
    differences: list[str]
    repeated_calls: int

    @classmethod
    def of(cls, run: Run, undisturbed: dict[bool, Ledger]) -> "Comparison":
        """Compare a run with the undisturbed run of the same kind of job."""
        expected = undisturbed[run.failpoint in BY_TIMER]
        differences = run.ledger.differences(expected) if run.struck else ["never reached"]
        return cls(run, differences, run.ledger.extra_calls(expected))

    @property
    def repeats_too_many(self) -> bool:
        """Whether more calls were repeated than were in flight.

        A call that had just been answered counts too.
        """
        return self.repeated_calls > max(1, self.run.in_flight)

    def line(self) -> str:
        """The comparison in one line."""
        differences = "; ".join(self.differences) or "same as undisturbed"
        calls = f"{self.repeated_calls} model calls repeated ({self.run.in_flight} in flight)"
        return f"{self.run.failpoint:20} {self.run.seconds:5.0f} s, {calls}: {differences}"


def _figures(comparisons: dict[str, Comparison], plain: Ledger, again: list[str]) -> Iterator[Figure]:
    broken = [name for name, comparison in comparisons.items() if comparison.differences]
    notes = [", ".join(broken), f"measured again on a noisy machine: {', '.join(again)}" if again else ""]
    yield counted(
        "failpoints after which the ledger differs",
        len(broken),
        f"of {len(comparisons)}",
        ok=not broken,
        target="0",
        reference=f"undisturbed: {plain.commands.total()} commands, {plain.findings.total()} findings, "
        f"{plain.calls.total()} model calls",
        note="; ".join(filter(None, notes)),
    )
    too_many = [name for name, comparison in comparisons.items() if comparison.repeats_too_many]
    yield counted(
        "failpoints after which more model calls repeat than were in flight",
        len(too_many),
        f"of {len(comparisons)}",
        ok=not too_many,
        target="0",
        note=f"at most {max(one.repeated_calls for one in comparisons.values())} repeated",
    )


def _run_all(failpoints: list[str]) -> dict[str, Run]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(failpoints, pool.map(_run_safely, failpoints), strict=True))


def _run_safely(failpoint: str) -> Run:
    try:
        return run(failpoint, by_timer=failpoint in BY_TIMER)
    except Exception as error:
        return Run(failpoint, Ledger.broken(str(error)[-300:]), struck=True)


def run(failpoint: str, *, by_timer: bool = False) -> Run:
    """Run one job with stores of its own and kill it once.

    With `by_timer`, its time ends before its pages are read.
    """
    begun = time.monotonic()
    with stage() as on:
        model = Child.module("scripted_model", env=environment(), folder=on.path / "model")
        on.children.append(model)
        port = model.hear()["port"]
        reading_s = READING_S if by_timer else MODEL_S
        model.tell({"planner": MODEL_S, "scorer": MODEL_S, "extractor": reading_s, "report": MODEL_S})
        settings = on.settings(
            phase1_visit_delay_seconds=DELAY_S,
            delay_jitter=0,
            openai_base_url=f"http://127.0.0.1:{port}/v1",
            mind_model="scripted",
            model_timeout_seconds=READING_S if by_timer else ANSWER_S,
        )
        env, config = system_of(settings)
        limit_s = HURRIED_S if by_timer else None
        question = JobQuestion(goal=GOAL, max_searches=1, max_visits=3, timeout_seconds=limit_s)
        job = request_from(config, question).to_job(config)
        submit(config, [job])
        in_flight, struck = 0, False
        if failpoint:
            killed_ms = _until_killed(on, env, failpoint)
            struck = killed_ms is not None
            in_flight = _in_flight(calls_of(port), killed_ms or 0.0)
        on.start("up", env)
        _until_over(on.redis_url, job.id)
        with _ledger_lock:
            ledger = asyncio.run(read_ledger(config, on.web, calls_of(port), job.id))
    return Run(failpoint, ledger, struck, in_flight, time.monotonic() - begun)


def _until_killed(on: Stage, env: dict[str, str], failpoint: str) -> float | None:
    """Start the process and return when the failpoint killed it, in ms, or None if it was never reached."""
    setting = f"{failpoint}:{1 if failpoint in BY_TIMER else STRIKES}"
    child = Child.research("up", env=env, folder=on.path / "up", failpoint=setting)
    on.children.append(child)
    until = time.monotonic() + REACHED_S
    while child.is_running() and time.monotonic() < until:
        time.sleep(0.005)
    at_ms = time.monotonic() * 1000
    if child.is_running():
        child.kill()
        return None
    assert child.process.returncode == -9, f"it ended by itself: {child.said()[-500:]}"
    return at_ms


def _in_flight(calls: list[dict[str, Any]], at_ms: float) -> int:
    """How many calls had begun whose answer the process had not received, or only just."""
    just_ms = 50.0
    return sum(
        call["start_ms"] <= at_ms and (call["end_ms"] is None or call["end_ms"] >= at_ms - just_ms)
        for call in calls
    )


def _until_over(redis_url: str, job_id: str) -> None:
    """Wait until the job is over, its events are indexed, and the dead process's reservations are booked."""
    if until_over(redis_url, [job_id], within_s=ENDED_S):
        raise TimeoutError(f"the job is not over {ENDED_S:.0f} s after the restart")
    client: Any = redis.Redis.from_url(redis_url, decode_responses=True)
    until = time.monotonic() + BOOKED_S
    while (client.xlen("research:outbox") or client.zcard("research:resv")) and time.monotonic() < until:
        time.sleep(0.1)
    client.close()
