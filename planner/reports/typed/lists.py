"""All lists of a report that its type or its caller asks for."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from planner.reports.sources.citations import Citations, Cited
from planner.reports.typed.factcheck import checkable_claims, factcheck_list, factcheck_pairs
from planner.reports.typed.news import news_lists
from planner.reports.typed.part_readings import PartReadings
from planner.reports.typed.sentiment import sentiment_list, sentiment_pairs
from planner.reports.typed.subject_statements import about_of
from planner.reports.typed.technical import technical_lists
from planner.reports.typed.trends import trend_list, trend_pairs
from planner.reports.typed.typed_list import TypedList
from research_crawler.core.models.evidence.entailment import Pair
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.caller_question import ExtraPart
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.text.writing.messages import Messages


@dataclass(frozen=True)
class TypedLists:
    """The lists in their order, under one heading, and the same for `--json`."""

    heading: str = ""
    """Key of the heading's message."""
    lists: Sequence[TypedList] = ()
    extras: Sequence[TypedList] = ()
    news: dict[str, Any] | None = None
    technical: dict[str, Any] | None = None
    parts: dict[str, Any] = field(default_factory=dict)

    @property
    def cited(self) -> list[Cited]:
        """All their sentences."""
        return [entry.cited for one in (*self.lists, *self.extras) for entry in one.entries]

    def markdown(self, translate: Messages) -> str:
        """The sections of report.md."""
        of_type = [text for one in self.lists if (text := one.markdown(translate))]
        on_request = [text for one in self.extras if (text := one.markdown(translate))]
        sections = [
            "\n\n".join([f"## {translate(heading)}", *texts])
            for heading, texts in ((self.heading, of_type), ("on_request", on_request))
            if texts
        ]
        return "\n\n".join(sections)


def typed_pairs(job: Job, findings: Sequence[Finding], answer: Sequence[Sentence]) -> list[Pair]:
    """What a reader is asked for the parts of a job's report; the arguments are those of `typed_lists`."""
    about, kinds = about_of(job.inputs), _kinds(job)

    def asked(part: ExtraPart) -> list[Pair]:
        if part == "trends":
            return trend_pairs(findings, about)
        if part == "sentiment":
            return sentiment_pairs(findings, about, kinds)
        return factcheck_pairs(checkable_claims(job.inputs.goal, answer, findings, about), findings)

    return [pair for part in job.inputs.parts for pair in asked(part)]


def typed_lists(
    job: Job,
    findings: Sequence[Finding],
    citations: Citations,
    *,
    answer: Sequence[Sentence],
    readings: PartReadings,
    today: str,
    translate: Messages,
) -> TypedLists:
    """The lists of a job's report.

    Args:
        job: its type and the parts that it asks for.
        findings: in the order of their evidence ids.
        citations: numbers what is cited.
        answer: the sentences of the answer, which a fact check is about.
        readings: what a reader has found about `typed_pairs`.
        today: the day of the writing, as ISO text.
        translate: the messages in the language of the report.
    """
    heading, news, technical, about = "", None, None, about_of(job.inputs)
    lists: list[TypedList] = []
    if job.inputs.type == "news":
        heading = "news"
        lists, news = news_lists(findings, about, citations, today=today, translate=translate)
    elif job.inputs.type == "technical":
        heading = "technical"
        lists, technical = technical_lists(job, findings, citations, translate)

    def made(part: ExtraPart) -> tuple[TypedList, dict[str, Any]]:
        if part == "trends":
            return trend_list(findings, about, citations, translate, readings), {"about": about.text}
        if part == "sentiment":
            return sentiment_list(findings, about, citations, translate, readings)
        claims = checkable_claims(job.inputs.goal, answer, findings, about)
        return factcheck_list(claims, findings, citations, translate, readings)

    extras = {part: made(part) for part in job.inputs.parts}
    parts: dict[str, Any] = {part: _record(shown) | more for part, (shown, more) in extras.items()}
    if job.inputs.type == "technical" and not job.inputs.type_given:
        lists = []  # how-to questions ask for an answer, not for a survey; --json has it
    return TypedLists(heading, lists, [shown for shown, _ in extras.values()], news, technical, parts)


def _kinds(job: Job) -> dict[str, str]:
    """The kinds of the pages that were read, by their addresses."""
    return {visit.final_url or visit.url: visit.kind for visit in job.visits}


def _record(shown: TypedList) -> dict[str, Any]:
    """A part for `--json`."""
    return {"summary": shown.intro, "entries": shown.part_records()}
