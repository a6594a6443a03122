"""Assemble the report from a brain's report draft and the job's record."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from planner.job.limits import elapsed_s
from planner.job.progress import decided_visits
from planner.money.rates import Rates, packaged_rates
from planner.offers.collection import priced
from planner.offers.recommendation import plain_recommendation, recommendation_view
from planner.reports.citations import Citations, Cited
from planner.reports.evidence import as_evidence, evidence_of
from planner.reports.intelligence import pages_read, phase1_of
from planner.reports.listed import ListedSection, entries_of, listed_sections
from planner.reports.offers import (
    Recommended,
    assessment_section,
    recommendation_section,
    recommendation_text,
    recommended,
    result_of,
)
from planner.reports.view import MAX_WRITTEN_FROM
from planner.text.markdown import address, inert
from planner.text.own_words import own_words
from research_crawler.core.models.decisions import RecommendationDraft, ReportDraft, Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job, status_of
from research_crawler.core.models.phase2 import Phase2
from research_crawler.core.models.report_parts import LISTED_PARTS
from research_crawler.core.models.reports import Claim, Metrics, Report, RunRecord, Source
from research_crawler.core.plain_text import clean_line
from research_crawler.core.vendors import Catalogue
from research_crawler.core.web.urls import host_of

NO_ANSWER = "No page gave a finding that supports an answer."
NOT_ANSWERED = "Not found: the pages that were read do not answer the question."
PLAIN_SENTENCES = 6


@dataclass(frozen=True)
class Written:
    """When the report was written, and how long the whole job took."""

    generated_at: str
    seconds: float
    rates: Rates = field(default_factory=packaged_rates)
    """To compare offers in several currencies."""
    catalogue: Catalogue = field(default_factory=Catalogue)
    """To recognise the vendors that phase 1 names."""


def assemble(
    job: Job,
    findings: Sequence[Finding],
    draft: ReportDraft,
    written: Written,
    choice: RecommendationDraft | None = None,
) -> Report:
    """The report of a job whose research has ended.

    Citations are made from the evidence indexes of the draft. URLs and citation marks that the evidence
    does not have are removed, and sentences without valid evidence are dropped and counted.

    Args:
        choice: the recommendation, for a job that has asked vendors.
    """
    known = evidence_of(findings)
    citations = Citations(known[:MAX_WRITTEN_FROM], job.visits)
    answer = citations.keep(draft.answer)
    if not answer and known and not draft.not_found:
        answer = citations.keep(plain_answer(known))
    sections = listed_sections(draft, citations)
    listed = [entry for section in sections for entry in section.entries]
    offers = _offers(job, known, choice, citations, written.rates)
    warnings = list(job.warnings)
    if citations.dropped:
        warnings.append(_dropped_line(citations.dropped))
    has_offer = bool(offers and offers[1].chosen)
    if not known:
        warnings += [*_failed_searches(job), NO_ANSWER]
    elif draft.not_found and not has_offer:
        warnings.append(NOT_ANSWERED)
    sources = citations.sources([*answer, *listed, *(offers[1].cited if offers else [])])
    found = result_of(job, *offers) if offers else None
    report = _facts(job, findings, written).changed(
        claims=[
            Claim(text=s.text, verdict=s.verdict, evidence=s.evidence_ids, similar=s.similar_ids)
            for s in answer
        ],
        sources=sources,
        source_count=len(sources),
        key_findings=entries_of(sections, "key_findings"),
        lists={part.key: entries_of(sections, part.key) for part in LISTED_PARTS},
        journey=own_words(draft.journey, _named(job)) or default_journey(job),
        warnings=list(dict.fromkeys(warnings)),
        exit_code=3 if job.plan.last_resort or not (answer or has_offer) else 0,
        phase2=found,
        products=found.products if found else [],
        recommendation=found.recommendation if found else None,
        price_assessment=found.price_assessment if found else None,
    )
    text = _markdown(job, report, Sentences(answer, sections), draft, offers)
    return report.changed(report_markdown=text)


Offers = tuple[Phase2, Recommended]


@dataclass(frozen=True)
class Sentences:
    """The cited sentences of report.md: the answer, and the lists below it."""

    answer: Sequence[Cited]
    sections: Sequence[ListedSection]


def _offers(
    job: Job,
    known: Sequence[Finding],
    choice: RecommendationDraft | None,
    citations: Citations,
    rates: Rates,
) -> Offers | None:
    """Phase 2 with its recommendation; None for a job without one."""
    if job.phase2 is None:
        return None
    view = recommendation_view(job, known[:MAX_WRITTEN_FROM], rates)
    return job.phase2, recommended(view, choice or plain_recommendation(view, ""), citations, rates)


def unfinished(job: Job, findings: Sequence[Finding], written: Written) -> Report:
    """The report of a job that was cancelled, failed, or still runs: its record without an answer."""
    exit_code = 1 if job.state in ("failed", "cancelled") else 0
    return _facts(job, findings, written).changed(exit_code=exit_code)


def plain_answer(findings: Sequence[Finding]) -> list[Sentence]:
    """An answer without a brain: the quotes of the best findings."""
    return [Sentence(text=f.quote, evidence=[place]) for place, f in enumerate(findings[:PLAIN_SENTENCES])]


def default_journey(job: Job) -> str:
    """One sentence about the main steps, for a draft that has none."""
    queries = ", ".join(f"“{clean_line(search.query)}”" for search in job.searches) or "nothing"
    return f"Searched for {queries}; read {pages_read(job)} of {decided_visits(job)} requested pages."


def _named(job: Job) -> list[str]:
    """Texts of the record that a brain may repeat as they are: queries, titles and what is missing."""
    return [
        *(search.query for search in job.searches),
        *(text for visit in job.visits for text in (visit.title, visit.url, visit.final_url)),
        *job.plan.missing,
    ]


def _facts(job: Job, findings: Sequence[Finding], written: Written) -> Report:
    """The parts of a report that come from the job's record alone."""
    usage, plan, queries = job.usage, job.plan, [search.query for search in job.searches]
    return Report(
        job=job.id,
        status=status_of(job.state),
        state=job.state,
        goal=job.inputs.goal,
        intent=job.inputs.intent,
        strategy=job.strategy,
        brain=job.brain,
        depth=job.inputs.depth,
        type=job.inputs.type,
        generated_at=written.generated_at,
        evidence=as_evidence(evidence_of(findings)),
        warnings=list(job.warnings),
        phase1=phase1_of(job, findings, written.catalogue) if plan.finished_ms else None,
        run=RunRecord(queries=queries, final_query=queries[-1] if queries else None, web_calls=job.downloads),
        metrics=Metrics(
            searches=plan.searches_used,
            pages_visited=pages_read(job),
            pages_fetched=job.pages_fetched,
            model_calls=usage.model_calls,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            usd=usage.usd,
            seconds=round(written.seconds or elapsed_s(job, 0), 3),
        ),
        folder=job.folder or None,
        error=job.error,
        products=priced(job.phase2.products) if job.phase2 else [],
    )


def _markdown(
    job: Job, report: Report, sentences: Sentences, draft: ReportDraft, offers: Offers | None
) -> str:
    sections = [
        f"# {inert(report.goal)}",
        "\n>\n".join(f"> **Warning:** {inert(warning)}" for warning in report.warnings),
        f"## Answer\n\n{_answer(job, sentences.answer, draft, offers)}",
        *(section.markdown(unless_in=sentences.answer) for section in sentences.sections),
        f"## Recommendation\n\n{recommendation_section(*offers)}" if offers else "",
        f"## Price Assessment\n\n{assessment_section(offers[1])}" if offers else "",
        f"## Research Journey\n\n{inert(report.journey)}",
        f"## Key Sources\n\n{_key_sources(report.sources)}",
        f"---\n\n{_rests_on(report)} {_brains(job, draft, offers[1].by if offers else '')}",
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _failed_searches(job: Job) -> list[str]:
    """A warning with the reasons (a missing key, a service that is down) if no search worked."""
    failed = [search for search in job.searches if search.what not in ("", "ok")]
    if not failed or len(failed) < len(job.searches):
        return []
    reasons = dict.fromkeys(clean_line(search.reason.text) or search.what for search in failed)
    return [f"No search worked: {'; '.join(reasons)}."]


def _answer(job: Job, answer: Sequence[Cited], draft: ReportDraft, offers: Offers | None) -> str:
    text = _sentences(answer)
    if not text and offers and offers[1].chosen:
        text = recommendation_text(offers[1])
    elif not text:
        text = _not_found(job, draft)
    certainty = inert(own_words(draft.certainty, _named(job)))
    lacking = [
        item for item in job.plan.missing if clean_line(item) and clean_line(item) not in draft.certainty
    ]
    missing = f"Missing or uncertain: {inert('; '.join(lacking))}." if lacking else ""
    return "\n\n".join(part for part in (text, " ".join(p for p in (certainty, missing) if p)) if part)


def _sentences(answer: Sequence[Cited]) -> str:
    """Sentences as a paragraph, excerpts as blocks, each group under its heading."""
    blocks = []
    for heading_, group in groupby(answer, key=lambda sentence: sentence.heading):
        sentences = list(group)
        if heading_:
            blocks.append(f"**{inert(heading_)}**")
        if any(sentence.excerpt for sentence in sentences):
            blocks += [sentence.as_blocks() for sentence in sentences]
        else:
            blocks.append(" ".join(sentence.written() for sentence in sentences))
    return "\n\n".join(blocks)


def _not_found(job: Job, draft: ReportDraft) -> str:
    """That there is no answer, what was read instead, and what was tried."""
    if not draft.not_found:
        return NO_ANSWER
    read, searches = pages_read(job), len(job.searches)
    tried = f"{read} page{'' if read == 1 else 's'} read, {searches} search{'' if searches == 1 else 'es'}"
    return f"{NOT_ANSWERED} ({tried}; {inert(draft.not_found)}.)"


def _key_sources(sources: Sequence[Source]) -> str:
    return "\n".join(_source_line(source) for source in sources) or "None."


def _source_line(source: Source) -> str:
    read = f"read {source.fetched_at[:10]}" if source.fetched_at else "undated"
    title = inert(source.title) or source.host
    numbers = ", ".join(map(str, source.page_numbers))
    pages = f"page{'s' if len(source.page_numbers) > 1 else ''} {numbers}, " if numbers else ""
    return f"{source.n}. {title} – {source.host}, {inert(source.published[:10]) or read}, {pages}{address(source.url)}"


def _rests_on(report: Report) -> str:
    """How many sources and hosts the report is based on, and their dates."""
    if not report.sources:
        return "This report is based on no source."
    count = f"{report.source_count} source" + ("s" if report.source_count > 1 else "")
    hosts = len({host_of(source.url) for source in report.sources})
    spans = [
        span
        for name, dates in (
            ("published", [s.published for s in report.sources]),
            ("read", [s.fetched_at for s in report.sources]),
        )
        if (span := _span(name, dates))
    ]
    dated = f" ({'; '.join(spans)})" if spans else ""
    return f"This report is based on {count} from {hosts} host{'s' if hosts > 1 else ''}{dated}."


def _span(name: str, dates: Sequence[str]) -> str:
    days = sorted(inert(date[:10]) for date in dates if date)
    if not days:
        return ""
    return f"{name} {days[0]}" if days[0] == days[-1] else f"{name} {days[0]} to {days[-1]}"


def _brains(job: Job, draft: ReportDraft, chooser: str) -> str:
    parts = brains_by_part(job, draft.by, chooser)
    return "Brains: " + ", ".join(f"{part} by {inert(by)}" for part, by in parts.items()) + "."


def brains_by_part(job: Job, writer: str, chooser: str = "") -> dict[str, str]:
    """Which brains decided, labelled results, extracted, chose an offer and wrote: {part: names}."""
    by = {
        "decisions": [e.by for e in job.timeline if e.action in ("search", "visit", "done")],
        "labels of results": [e.by for e in job.timeline if e.action == "brain"],
        "findings": [visit.by for visit in job.visits],
        "recommendation": [chooser],
        "report": [writer],
    }
    named = {part: " and ".join(dict.fromkeys(name for name in names if name)) for part, names in by.items()}
    return {part: names for part, names in named.items() if names}


def _dropped_line(count: int) -> str:
    many = "sentences" if count > 1 else "sentence"
    return (
        f"{count} {many} of the draft named no valid evidence and {'were' if count > 1 else 'was'} left out."
    )
