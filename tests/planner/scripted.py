"""A brain with scripted answers, events as a crawler would settle them, and a driver without Redis."""

import asyncio
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from planner.job.allowances import in_flight, is_round_open
from planner.job.clock import NO_SNAPSHOT, timers_of
from planner.money.market import Market
from planner.offers.recommendation import ranked_recommendation
from planner.offers.vendor_rounds import next_commands
from planner.rounds.endings import finish
from planner.rounds.job_transitions import Finish, StepResult, apply_events
from planner.rounds.opening import read_stored
from planner.rounds.planning_round import Brains, PlanningRound
from planner.rounds.visit_prefetch import prefetch_visits
from research_crawler.core.models.evidence.entailment import Pair, PairReading, Readings
from research_crawler.core.models.evidence.findings import Extraction, Finding
from research_crawler.core.models.jobs.column_reading import ColumnsView, PickedValue, PickedValues
from research_crawler.core.models.jobs.decisions import (
    Answered,
    Decision,
    LabelRequest,
    PageView,
    PlannerView,
    ResultLabel,
)
from research_crawler.core.models.jobs.job import FINAL_STATES, Job, JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.commands import Command
from research_crawler.core.models.messages.events import (
    CommandDone,
    JobStarted,
    NextStepDue,
    PageReading,
    RoundDue,
    SearchResult,
    Spent,
)
from research_crawler.core.models.messages.in_flight import InFlight, InFlightSnapshot
from research_crawler.core.models.offers.products import Product
from research_crawler.core.models.reports.drafts import (
    RecommendationDraft,
    RecommendationView,
    ReportDraft,
    ReportView,
    Sentence,
)
from research_crawler.core.models.web.pages import Link
from research_crawler.core.ports.models import Call
from research_crawler.core.vendors import Catalogue, Vendor

NOW = 1_700_000_000_000


def a_job(goal: str = "how do heat pumps work", *, limits: Limits | None = None, **inputs) -> Job:
    return Job(
        id="jobaaaaaaaaa",
        inputs=JobInputs(goal=goal, **inputs),
        limits=limits or Limits(),
        strategy_reason="the goal asks for knowledge",
    )


def start(job: Job) -> CommandDone:
    return JobStarted(uid=f"{job.id}:start", job=job.id)


def a_finding(
    command: str, quote: str, *, kind: str = "key_fact", url: str = "https://a.example/1", **more
) -> Finding:
    fields = {
        "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{command} {quote} {kind}")),
        "command": command,
        "kind": kind,
        "claim": quote,
        "quote": quote,
        "start": 0,
        "end": len(quote),
        "page_sha256": "ab" * 32,
        "url": url,
        "title": "A page",
        "fetched_at": "2026-01-02T03:04:05+00:00",
    }
    return Finding(**fields | more)


def found(command: Command, *urls: str, round: int | None = None) -> CommandDone:
    results = [
        SearchResult(url=url, title=f"About {url}", rank=n, fused=1 / n) for n, url in enumerate(urls, 1)
    ]
    return CommandDone(
        uid=command.id,
        job=command.job,
        command=command.id,
        round=command.round if round is None else round,
        query=command.query,
        results=results,
        downloads=1,
    )


def read(command: Command, *quotes: str, links: Sequence[str] = (), kind: str = "key_fact") -> CommandDone:
    page = PageReading(
        url=command.url,
        final_url=command.url,
        sha="ab" * 32,
        title="A page",
        fetched_at="2026-01-02T03:04:05+00:00",
        relevance=0.8,
        confidence=0.7,
        summary="It helps.",
        by="extractive",
        links=[Link(url=url, text="more about heat pumps and how they work") for url in links],
    )
    return CommandDone(
        uid=command.id,
        job=command.job,
        command=command.id,
        round=command.round,
        page=page,
        findings=[a_finding(command.id, quote, url=command.url, kind=kind) for quote in quotes],
        downloads=1,
        pages_fetched=1,
    )


def ended(command: Command, outcome: str, reason: str = "", **more) -> CommandDone:
    return CommandDone(
        uid=command.id, job=command.job, command=command.id, round=command.round, outcome=outcome,
        reason=reason, **more,
    )  # fmt: skip


def search(*queries: str, **more) -> Decision:
    return Decision(action="search", queries=list(queries), reason="to learn more", **more)


def visit(*urls: str) -> Decision:
    return Decision(action="visit", urls=list(urls), reason="it looks good")


def done(reason: str = "enough", **more) -> Decision:
    return Decision(action="done", reason=reason, **more)


class ScriptedBrain:
    """Gives its scripted decisions in order, raises those that are exceptions, and then answers "done"."""

    def __init__(self, *decisions: Decision | Answered | Exception, name: str = "scripted") -> None:
        self.name, self.script = name, list(decisions)
        self.views: list[PlannerView] = []
        self.requests: list[LabelRequest] = []
        self.answer: list[Sentence] | Exception | None = None
        self.read: list[list[Pair]] = []
        self.reading = PairReading(verdict="could_not_check")
        self.columns: list[ColumnsView] = []
        self.picked: list[PickedValue] = []

    async def decide(self, view: PlannerView, call: Call) -> Answered:
        self.views.append(view)
        step = self.script.pop(0) if self.script else done()
        if isinstance(step, Exception):
            raise step
        labels = (await self.label(view.to_label, call)).labels if view.to_label else []
        if isinstance(step, Answered):
            return step.model_copy(update={"labels": labels})
        return Answered(by=self.name, decision=step, labels=labels)

    async def label(self, request: LabelRequest, call: Call) -> Answered:
        self.requests.append(request)
        labels = [
            ResultLabel(url=r.url, score=round(1 - n / 100, 2), type="review", priority="should_visit")
            for n, r in enumerate(request.results)
        ]
        return Answered(by=self.name, labels=labels)

    async def recommend(self, view: RecommendationView, call: Call) -> RecommendationDraft:
        return ranked_recommendation(view, self.name)

    async def extract(self, page: PageView, call: Call) -> Extraction:
        raise NotImplementedError("the planner never extracts")

    async def write(self, view: ReportView, call: Call) -> ReportDraft:
        if isinstance(self.answer, Exception):
            raise self.answer
        answer = self.answer
        if answer is None:
            answer = [Sentence(text=f.quote, evidence=[n]) for n, f in enumerate(view.findings)]
        return ReportDraft(
            by=self.name, answer=answer, certainty="Fairly certain.", journey="Searched, read."
        )

    async def check_entailment(
        self, pairs: Sequence[Pair], call: Call, *, question: str = "", language: str = "en"
    ) -> Readings:
        self.read.append(list(pairs))
        shown = [pair.quotes[0] if pair.needs_second_reading else "" for pair in pairs]
        found = [self.reading.changed(reason=self.reading.reason, words=words) for words in shown]
        return Readings(by=self.name, found=found)

    async def pick_values(self, view: ColumnsView, call: Call) -> PickedValues:
        self.columns.append(view)
        return PickedValues(by=self.name, found=self.picked)


class NoWaits:
    """Lookups of a planning round: no host has a wait, and only URLs that results named are permitted."""

    def __init__(self, permitted: Sequence[str] = ()) -> None:
        self._permitted = set(permitted)
        self.spent = Spent()

    async def waits(self, slots: Sequence[str]) -> list[float]:
        return [0.0 for _ in slots]

    async def permitted(self, urls: Sequence[str]) -> set[str]:
        return self._permitted & set(urls)

    async def shared_spent(self) -> Spent:
        return self.spent


@dataclass
class Drive:
    """Drives a job as a worker does, and keeps every commit."""

    job: Job
    brain: ScriptedBrain
    plain: ScriptedBrain = field(default_factory=lambda: ScriptedBrain(name="plain"))
    now_ms: int = NOW
    findings: list[Finding] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    history: list[Job] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    """The commands of the last step."""
    catalogue: Catalogue = field(default_factory=Catalogue)
    sent_ms: dict[str, int] = field(default_factory=dict)
    """When each command was sent."""

    def step(self, *events: CommandDone, snapshot: InFlightSnapshot = NO_SNAPSHOT) -> StepResult:
        """Apply events and do what follows from them."""
        arguments = (list(events), self.findings, self.now_ms, self.catalogue, snapshot)
        applied, again = apply_events(self.job, *arguments), apply_events(self.job, *arguments)
        assert applied == again, "a takeover would decide differently"
        self.findings += applied.findings
        self.seen |= set(applied.visitable_urls)
        self.job, self.commands = applied.job, []
        if isinstance(applied.next, Finish):
            self.job = finish(self.job, applied.next.forced, now_ms=self.now_ms, findings=self.findings)
        elif applied.next == "decide":
            self._decide()
        elif applied.next == "vendors":
            planned = next_commands(applied.job, self.findings, self.now_ms, Market(self.catalogue), snapshot)
            self.job, self.commands = planned.job, list(planned.commands)
        elif applied.next == "label":
            planned = prefetch_visits(applied.job, self.now_ms)
            self.job, self.commands = planned.job, list(planned.commands)
        self.sent_ms |= {command.id: self.now_ms for command in self.commands}
        self.history.append(self.job)
        waits = self.job.state in (*FINAL_STATES, "waiting_for_human")
        assert waits or timers_of(self.job, self.now_ms), "nothing would wake it"
        if applied.next == "label":
            ahead = self.commands
            following = self.step(NextStepDue(uid="go", no=self.job.plan.iteration))
            self.commands = [*ahead, *self.commands]
            return following
        return applied

    def ring(self, *, snapshot: InFlightSnapshot | None = None) -> StepResult:
        """Let the round's timer ring; by default a node works on each open command since it was sent."""
        self.now_ms = self.job.plan.round_until_ms
        open_ids = [*dict.fromkeys([*self.job.plan.open_commands, *in_flight(self.job)])]
        worked = [
            InFlight(command=id_, is_leased=True, worked_ms=self.now_ms - self.sent_ms[id_])
            for id_ in open_ids
        ]
        event = RoundDue(uid="r", no=self.job.plan.round)
        return self.step(event, snapshot=snapshot or InFlightSnapshot(commands=worked))

    def _decide(self) -> None:
        if self.job.plan.stored and (stored := read_stored(self.job, self.now_ms)).commands:
            self.job, self.commands = stored.job, list(stored.commands)
            return
        planning_round = PlanningRound(
            self.job,
            self.findings,
            brains=Brains(own=self.brain, extractive=self.plain),
            call=Call(job=self.job.id, key="1", token="t", deadline_s=1),
            lookups=NoWaits(tuple(self.seen)),
            clock_ms=lambda: self.now_ms,
        )
        planned = asyncio.run(planning_round.run())
        self.job, self.commands = planned.job, list(planned.commands)

    def run(self, answer: Callable[[Command], CommandDone | None], *, most: int = 60) -> Job:
        """Drive the job to the end of phase 1; a command whose answer is None is left to the round's timer."""
        self.step(start(self.job))
        for _ in range(most):
            if self.job.state == "synthesizing":
                return self.job
            for event in [event for command in self.commands if (event := answer(command))]:
                if self.job.state != "synthesizing":
                    self.now_ms += 500
                    self.step(event)
            if not self.commands and is_round_open(self.job):
                self.ring()
        raise AssertionError("the job does not end")


def worked_on(*commands: str, ms: int) -> InFlightSnapshot:
    """A look at these commands, each of which a node has worked on for this time."""
    return InFlightSnapshot(
        commands=[InFlight(command=id_, is_leased=True, worked_ms=ms) for id_ in commands]
    )


def waiting(*commands: str, nodes: int = 1, free_in_ms: int = 0) -> InFlightSnapshot:
    """A look at these commands, which all wait."""
    return InFlightSnapshot(
        commands=[InFlight(command=id_, is_leased=False, free_in_ms=free_in_ms) for id_ in commands],
        nodes=nodes,
    )


def a_product(name: str, amount: str | None = "799.99", url: str = "", **more) -> Product:
    """A product in dollars with all facts that a page may have; `more` overrides them."""
    fields = {
        "name": name,
        "price": f"${amount}" if amount else "",
        "price_numeric": None if amount is None else Decimal(amount),
        "currency": "USD",
        "url": url,
        "in_stock": True,
        "availability": "in_stock",
        "condition": "new",
        "specs": {"GPU": "RTX 4060"},
        "confidence": 0.9,
    }
    return Product(**fields | more)


def offered(command: Command, *products: Product) -> CommandDone:
    """The outcome of a vendor's page with these products."""
    return CommandDone(
        uid=command.id, job=command.job, command=command.id, round=command.round,
        products=list(products), downloads=1, pages_fetched=1,
    )  # fmt: skip


def a_catalogue(*hosts: str, country: str = "US", currency: str = "USD") -> Catalogue:
    """Vendors whose search pages are at /s?q=."""
    return Catalogue(
        vendors=tuple(
            Vendor(
                name=host.split(".")[0].capitalize(), host=host, search=f"https://{host}/s?q={{query}}",
                country=country, currency=currency,
            )
            for host in hosts
        )
    )  # fmt: skip
