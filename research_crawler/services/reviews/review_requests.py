"""Turn what a person asks of an interface into a checked answer: ids of findings, addresses of sources, an outline."""

import re
from collections.abc import Sequence
from typing import assert_never

from pydantic import Field

from planner.goal.goal_subject import asked_of
from planner.outline.given_outline import given_outline
from research_crawler.core.errors import UsageError
from research_crawler.core.models.base import CallerInput
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.people.reviews import (
    MAX_ANSWER_CHARS,
    MAX_REJECTED,
    MAX_SOURCE_CHARS,
    AnswerKind,
    AppendKind,
    ReviewAnswer,
)
from research_crawler.core.models.reports.report import Report
from research_crawler.core.text.translatable import translatable
from research_crawler.core.web.urls import canonical_url, dedupe_key, host_of
from research_crawler.services.reviews.views import review_view, shown_findings

_NUMBER = re.compile(r"\[?(\d{1,4})\]?")
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")
MAX_URLS = 50
"""Most addresses of a job, those that a review adds included."""


class ReviewRequest(CallerInput):
    """What a person asks of an interface."""

    kind: AnswerKind
    text: str = ""
    """reject: what is wrong or missing; append: what is added; with the other rejections: why."""
    append_as: AppendKind | None = None
    """append: what the text is; None: a URL if it is one, or the answer to the planner's question."""
    findings: list[str] = Field(default_factory=list)
    """reject_finding: `E3`, as the report and the view have it, or the id of a finding."""
    source: str = ""
    """reject_source: a URL, a host, or the number in Key Sources."""
    outline: str = ""
    """outline: headings and bullets of Markdown."""


def checked_answer(
    request: ReviewRequest, job: Job, findings: Sequence[Finding], report: Report | None
) -> ReviewAnswer:
    """The answer that a request means.

    Raises:
        UsageError: it names a finding or a source that the job does not have, or a text is missing or too long.
        OutlineError: the outline cannot be read.
    """
    if len(request.text) > MAX_ANSWER_CHARS:
        raise UsageError(
            translatable("the text is longer than %(most)s characters; say it shorter", most=MAX_ANSWER_CHARS)
        )
    match request.kind:
        case "reject_finding":
            ids = _findings(request.findings, findings, report)
            return ReviewAnswer(kind="reject_finding", text=request.text, findings=ids)
        case "reject_source":
            source = _source(request.source, job, findings, report)
            return ReviewAnswer(kind="reject_source", text=request.text, source=source)
        case "outline":
            given_outline(request.outline, asked_of(job.inputs))
            return ReviewAnswer(kind="outline", outline=request.outline)
        case "append":
            return _appended(request, job)
        case "reject":
            if not request.text.strip():
                raise UsageError(translatable("say what is wrong or missing; the new round looks for it"))
            return ReviewAnswer(kind="reject", text=request.text.strip())
        case "accept":
            return ReviewAnswer(kind="accept", text=request.text.strip())
        case unknown:
            assert_never(unknown)


def _findings(names: Sequence[str], findings: Sequence[Finding], report: Report | None) -> list[str]:
    known = {finding.id.casefold(): finding.finding for finding in shown_findings(findings, report)}
    known |= {finding.id: finding.id for finding in findings}
    if not names or len(names) > MAX_REJECTED:
        raise UsageError(translatable("name 1 to %(most)s findings, such as E3", most=MAX_REJECTED))
    for name in names:
        if name.strip().casefold() not in known:
            raise UsageError(
                translatable("the job has no finding %(name)r; `research review JOB` lists them", name=name)
            )
    return list(dict.fromkeys(known[name.strip().casefold()] for name in names))


def _source(name: str, job: Job, findings: Sequence[Finding], report: Report | None) -> str:
    name = name.strip()
    if number := _NUMBER.fullmatch(name):
        sources = {source.n: source.url for source in review_view(job, findings, report).sources}
        if int(number[1]) not in sources:
            raise UsageError(
                translatable("the job has no source %(name)s; `research review JOB` lists them", name=name)
            )
        name = sources[int(number[1])]
    known = [*(f.url for f in findings), *(v.final_url or v.url for v in job.visits)]
    known += [v.url for v in job.visits] + [r.url for r in job.results]
    url = canonical_url(name) if "/" in name else ""
    if url and len(url) <= MAX_SOURCE_CHARS and any(dedupe_key(url) == dedupe_key(one) for one in known):
        return url
    host = name.casefold().removeprefix("www.").strip(".")
    if not url and _HOST.fullmatch(host) and any(_is_of(one, host) for one in known):
        return host
    raise UsageError(
        translatable(
            "the job has no source %(name)r; name a URL, a host or a number of its Key Sources", name=name
        )
    )


def _is_of(url: str, host: str) -> bool:
    own = host_of(url).removeprefix("www.")
    return own == host or own.endswith(f".{host}")


def _appended(request: ReviewRequest, job: Job) -> ReviewAnswer:
    text = request.text.strip()
    if not text:
        raise UsageError(translatable("say what to add: a fact, an opinion, a constraint or a URL"))
    kind = request.append_as or ("url" if re.match(r"https?://\S+$", text) else None)
    if kind is None:
        if job.review.question is None or job.review.question.kind != "ask":
            raise UsageError(
                translatable(
                    "say what you add: a fact, an opinion, a constraint or a URL (--as fact; `append_as` over HTTP and "
                    "MCP)"
                )
            )
        kind = "fact"  # the answer to what the planner has asked
    if kind != "url":
        return ReviewAnswer(kind="append", of=kind, text=text)
    url = canonical_url(text)
    if not url or len(url) > MAX_SOURCE_CHARS:
        raise UsageError(
            translatable(
                "%(text)r is not an http(s) URL of at most %(most)s characters",
                text=text,
                most=MAX_SOURCE_CHARS,
            )
        )
    if len(job.inputs.urls) >= MAX_URLS:
        raise UsageError(translatable("the job has %(most)s pages of its caller already", most=MAX_URLS))
    return ReviewAnswer(kind="append", of="url", text=url)
