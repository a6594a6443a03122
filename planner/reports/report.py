"""Assemble the report from a brain's report draft and the job's record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from planner.evidence.contradictions import days_between
from planner.evidence.length_plan import report_words
from planner.goal.goal_subject import asked_of
from planner.goal.report_language import messages_of
from planner.job.clock import date_of, elapsed_s
from planner.job.outcome import outcome_of
from planner.job.progress import decided_visits
from planner.money.rates import Rates, packaged_rates
from planner.offers.collection import priced
from planner.offers.recommendation import ranked_recommendation, recommendation_view
from planner.reports.checks.check_log import MARKED
from planner.reports.code_filled_lists import lines_as_entries, without_answered
from planner.reports.lengths.length_limit import EXTRACTIVE_BRAIN, within_length
from planner.reports.phase1_result import pages_read, phase1_of
from planner.reports.records.meta_document import quality_of
from planner.reports.records.outlines import reported_outline
from planner.reports.report_text import Offers, ReportContents, markdown_of, named_in
from planner.reports.review_notes import review_summary
from planner.reports.sections import claim_of, marked_as_disputed, report_body
from planner.reports.shopping.named_products import named_lines
from planner.reports.shopping.offers import (
    phase2_record,
    recommended,
    shops_not_asked,
)
from planner.reports.sources.citations import Citations, Cited, Phrases
from planner.reports.sources.ranked_evidence import as_evidence, evidence_of
from planner.reports.sources.snippets import quotes_before_snippets, without_snippets
from planner.reports.typed.lists import typed_lists
from planner.reports.typed.part_readings import PartReadings
from planner.reports.warnings import is_insufficient, report_warnings
from planner.reports.writer_view import MAX_FINDINGS_WITH_MODEL, MAX_FINDINGS_WITHOUT_MODEL
from planner.reports.written_lists import list_entries, listed_sections
from planner.sources.credibility import by_credibility, diversity_of, with_credibility
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job, status_of
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.models.reports.drafts import RecommendationDraft, ReportDraft, Sentence
from research_crawler.core.models.reports.report import EVIDENCE_INSUFFICIENT, Metrics, Report, RunRecord
from research_crawler.core.models.reports.report_parts import LISTED_PARTS
from research_crawler.core.text.plain_text import clean_line
from research_crawler.core.vendors import Catalogue
from research_crawler.text.writing.citation_marks import strip_citations
from research_crawler.text.writing.markdown import escape_markdown
from research_crawler.text.writing.messages import ENGLISH_MESSAGES, Messages

PLAIN_SENTENCES = 6
"""Quotes that make the answer of a report whose brain wrote none."""
EXCERPTS_BESIDE_OFFER = 4
"""Most excerpts that the answer has beside a recommendation."""
CURRENT_DAYS = 365
"""A sentence of older pages alone is shown with their year."""


@dataclass(frozen=True)
class RenderContext:
    """When the report was written, and how long the whole job took."""

    generated_at: str
    seconds: float
    """Work for the job; 0: that of phase 1."""
    waited_seconds: float = 0.0
    """Waiting for hosts, providers, nodes and slots."""
    rates: Rates = field(default_factory=packaged_rates)
    """To compare offers in several currencies."""
    catalogue: Catalogue = field(default_factory=Catalogue)
    """To recognise the vendors that phase 1 names."""
    readings: PartReadings = field(default_factory=PartReadings)
    """What a reader has found for the parts on request."""
    sites: Mapping[str, str] = field(default_factory=dict)
    """What sites call themselves, by host."""


@dataclass(frozen=True)
class _CitedParts:
    """What a report says, with the evidence that it has: the sentences of the draft, and what code adds."""

    contents: ReportContents
    offers: Offers | None
    dropped: int
    """Sentences of the brain that name no evidence which there is. What code adds does not count."""

    @property
    def has_offer(self) -> bool:
        """Whether an offer is recommended."""
        return bool(self.offers and self.offers.recommendation.chosen)

    @property
    def cited(self) -> list[Cited]:
        """All that names a source in the report."""
        parts = self.contents
        listed = [entry for part in parts.lists for entry in part.entries]
        of_offers = self.offers.recommendation.cited if self.offers else []
        return [
            *parts.answer,
            *listed,
            *parts.body.cited,
            *parts.typed.cited,
            *parts.named,
            *of_offers,
            *parts.further,
            *parts.certainty,
        ]


def assemble(
    job: Job,
    findings: Sequence[Finding],
    draft: ReportDraft,
    context: RenderContext,
    choice: RecommendationDraft | None = None,
) -> Report:
    """The report of a job whose research has ended.

    Citations are made from the evidence indexes of the draft. URLs and citation marks that the evidence
    does not have are removed, and sentences without valid evidence are dropped and counted.

    1. The draft is shortened to its length; excerpts beside a recommended offer are few.
    2. What has evidence is kept, and code adds what it makes itself: offers, lists of the record (`_cited_parts`).
    3. Its sources are numbered (`_numbered_sources`).
    4. The record of the report is filled, and rendered as report.md (`markdown_of`).

    Args:
        choice: the recommendation, for a job that has asked vendors.
    """
    known, translate = evidence_of(findings), messages_of(job.inputs)
    citations = _citations(job, known[:MAX_FINDINGS_WITH_MODEL], translate, context.sites)
    draft, length_note = within_length(job, known, marked_as_disputed(draft), translate)
    job = without_answered(job, draft, translate)
    if job.phase2 and choice and choice.product is not None and draft.by == EXTRACTIVE_BRAIN:
        draft = beside_offer(draft, choice)
    parts = _cited_parts(job, known, draft, choice, citations, context, translate)
    warnings = report_warnings(
        job,
        has_evidence=bool(parts.contents.answer or without_snippets(known)),
        is_answered=parts.has_offer or not draft.not_found,
        dropped=parts.dropped,
        translate=translate,
        has_offer=parts.has_offer,
        why_not=draft.why_not,
    )
    sources = _numbered_sources(job, findings, citations, parts.cited, context)
    is_lacking = is_insufficient(job, is_answered=bool(parts.contents.answer), has_offer=parts.has_offer)
    report = _facts(job, findings, context).changed(
        sources=sources,
        source_count=len(sources),
        diversity=diversity_of(sources),
        words=report_words(draft),
        length_note=length_note,
        check_note=draft.checks,
        journey=strip_citations(draft.journey, named_in(job)) or default_journey(job, translate),
        warnings=warnings,
        exit_code=EVIDENCE_INSUFFICIENT if is_lacking else 0,
    )
    report = _with_offers(_with_contents(report, parts.contents), job, parts.offers, translate)
    text = markdown_of(job, report, parts.contents, draft, parts.offers, translate)
    return report.changed(report_markdown=text)


def _cited_parts(
    job: Job,
    known: Sequence[Finding],
    draft: ReportDraft,
    choice: RecommendationDraft | None,
    citations: Citations,
    context: RenderContext,
    translate: Messages,
) -> _CitedParts:
    """What of a draft has evidence, and what code adds.

    The order is that of the report's marks, which `citations` hands out as sentences come. What the brain wrote comes
    first: of it alone the sentences without evidence are counted.
    """
    quotes = quotes_before_snippets(known)
    answer = _cited_answer(draft, quotes, citations)
    sections = listed_sections(draft, citations)
    body = report_body(draft, citations, job, named_in(job))
    offers = _offers(job, known, choice, citations, context)
    recommendation = offers.recommendation if offers else None
    named = named_lines(job, known[:MAX_FINDINGS_WITH_MODEL], citations, recommendation, translate)
    dropped = citations.dropped
    typed = typed_lists(
        job,
        quotes[:MAX_FINDINGS_WITH_MODEL],
        citations,
        answer=draft.answer or extractive_answer(quotes),
        readings=context.readings,
        today=context.generated_at[:10],
        translate=translate,
    )
    further = citations.cite(_titles(draft, known))
    certainty = citations.cite(_certainty(draft))
    contents = ReportContents(answer, sections, named, body, typed, further, certainty)
    return _CitedParts(contents, offers, dropped)


def _cited_answer(draft: ReportDraft, quotes: Sequence[Finding], citations: Citations) -> list[Cited]:
    """The answer of the draft; where nothing of it has evidence, the best quotes, unless it says that none answers."""
    answer = citations.cite(draft.answer)
    if answer or draft.not_found:
        return answer
    return citations.cite(extractive_answer(quotes))


def _with_contents(report: Report, contents: ReportContents) -> Report:
    """The record with what the report says."""
    body, typed = contents.body, contents.typed
    lists = {part.key: list_entries(contents.lists, part.key) for part in LISTED_PARTS}
    return report.changed(
        claims=[claim_of(sentence) for sentence in contents.answer],
        key_findings=lists["key_findings"],
        lists=lists | lines_as_entries(body.lists),
        sections=[section.as_record() for section in body.sections],
        contradictions=[pair.as_record() for pair in body.contradictions],
        news=typed.news,
        technical=typed.technical,
        parts=typed.parts,
        not_known=list(body.lists["not_known"]),
        follow_ups=list(body.lists["follow_ups"]),
    )


def _with_offers(report: Report, job: Job, offers: Offers | None, translate: Messages) -> Report:
    """The record with what vendors offer; without phase 2 it has no products."""
    found = phase2_record(job, offers.phase2, offers.recommendation, translate) if offers else None
    return report.changed(
        phase2=found,
        products=found.products if found else [],
        recommendation=found.recommendation if found else None,
        price_assessment=found.price_assessment if found else None,
    )


def _citations(
    job: Job, evidence: Sequence[Finding], translate: Messages, sites: Mapping[str, str]
) -> Citations:
    """Citations of this evidence that speak the report's language, and call sites by their names."""

    def also_said(hosts: int) -> str:
        return translate("also_said", n=hosts)

    def of_age(published: str) -> str:
        is_old = days_between(date_of(job.plan.touched_ms), published) > CURRENT_DAYS
        return translate("of_year", year=published[:4]) if is_old else ""

    return Citations(
        evidence,
        job.visits,
        similar=also_said,
        remarks={verdict: translate(f"remark_{verdict}") for verdict in (*MARKED, "contradicted")},
        phrases=Phrases(
            translate("of_snippet"),
            translate("composed_from"),
            translate("worked_out_from"),
            translate("quoted", text="{text}"),
        ),
        of_age=of_age,
        goal=asked_of(job.inputs),
        sites=sites,
    )


def _numbered_sources(
    job: Job,
    findings: Sequence[Finding],
    citations: Citations,
    cited: Sequence[Cited],
    context: RenderContext,
) -> list[Source]:
    """Key Sources of these sentences, the most credible first; from here on all marks have their numbers."""
    sources = with_memory_marked(job, citations.sources(cited), findings)
    kinds = {visit.final_url or visit.url: visit.kind for visit in job.visits}
    rated = with_credibility(
        sources, [sentence.pages for sentence in cited], context.generated_at or job.created_at, kinds
    )
    return citations.numbered(by_credibility(rated))


def beside_offer(draft: ReportDraft, choice: RecommendationDraft) -> ReportDraft:
    """The excerpts that a recommended offer leaves to say: few, and none that is one of its reasons."""
    of_offer = {index for reason in (*choice.reasons, *choice.cautions) for index in reason.evidence}

    def beside(sentences: Sequence[Sentence]) -> list[Sentence]:
        return [sentence for sentence in sentences if not of_offer.issuperset(sentence.evidence)]

    answer = beside(draft.answer)
    lists = {key: beside(sentences) for key, sentences in draft.lists.items()}
    return draft.changed(answer=answer[:EXCERPTS_BESIDE_OFFER], lists=lists)


def _certainty(draft: ReportDraft) -> list[Sentence]:
    """What a model says of its answer, with what it speaks of."""
    indexes = draft.certainty_evidence
    return [Sentence(text=draft.certainty, evidence=indexes)] if indexes else []


def _titles(draft: ReportDraft, known: Sequence[Finding]) -> list[Sentence]:
    """The titles of the pages that tell more, each once."""
    of_pages = {known[index].url: index for index in draft.further if index < len(known)}
    return [Sentence(text=known[index].title or url, evidence=[index]) for url, index in of_pages.items()]


def _offers(
    job: Job,
    known: Sequence[Finding],
    choice: RecommendationDraft | None,
    citations: Citations,
    context: RenderContext,
) -> Offers | None:
    """Phase 2 with its recommendation; None for a job without one."""
    if job.phase2 is None:
        return None
    view = recommendation_view(job, known[:MAX_FINDINGS_WITHOUT_MODEL], context.rates)
    choice = choice or ranked_recommendation(view, "")
    not_asked = shops_not_asked(job, job.phase2, context.catalogue)
    best = recommended(view, choice, citations, context.rates, context.catalogue, not_asked)
    stages = [vendor.stage for vendor in job.phase2.vendors if vendor.stage in ("answered", "failed")]
    return Offers(job.phase2, replace(best, answered=stages.count("answered"), asked=len(stages)))


def unfinished(job: Job, findings: Sequence[Finding], context: RenderContext) -> Report:
    """The report of a job that was cancelled, failed, or still runs: its record.

    If it has ended, the best quotes that it found stand for an answer; or the report without a model that was written
    because the synthesis never ended.
    """
    has_ended = job.state in ("failed", "cancelled")
    report = _facts(job, findings, context).changed(exit_code=1 if has_ended else 0)
    translate = messages_of(job.inputs)
    if not job.report and has_ended and without_snippets(findings):
        warning = translate("ended_early")
        warned = job.changed(warnings=[*job.warnings, warning])
        return assemble(warned, findings, ReportDraft(by=""), context).changed(exit_code=1)
    if not job.report:
        return report
    warning = translate("synthesis_failed", reason=clean_line(job.error) or job.state)
    title, _, rest = job.report.partition("\n\n")
    return report.changed(
        report_markdown=f"{title}\n\n> **{translate('warning')}:** {escape_markdown(warning)}\n\n{rest}",
        warnings=[*report.warnings, warning],
    )


def extractive_answer(findings: Sequence[Finding]) -> list[Sentence]:
    """An answer without a brain: the quotes of the best findings."""
    return [Sentence(text=f.quote, evidence=[index]) for index, f in enumerate(findings[:PLAIN_SENTENCES])]


def default_journey(job: Job, translate: Messages = ENGLISH_MESSAGES) -> str:
    """One sentence about the main steps, for a draft that has none."""
    asked = [translate("quoted", text=clean_line(search.query)) for search in job.searches]
    queries = ", ".join(asked) or translate("nothing")
    return translate("searched", queries=queries, read=pages_read(job), requested=decided_visits(job))


def _facts(job: Job, findings: Sequence[Finding], context: RenderContext) -> Report:
    """The parts of a report that come from the job's record alone."""
    usage, plan, queries = job.usage, job.plan, [search.query for search in job.searches]
    evidence = evidence_of(findings)
    return Report(
        job=job.id,
        status=status_of(job.state),
        state=job.state,
        outcome=outcome_of(job),
        goal=job.inputs.goal,
        intent=job.inputs.intent,
        strategy=job.strategy,
        brain=job.brain,
        depth=job.inputs.depth,
        type=job.inputs.type,
        generated_at=context.generated_at,
        evidence=as_evidence(evidence, job.id),
        outline=reported_outline(job.outline, evidence),
        quality=quality_of(job),
        attempts=job.assessed.attempts,
        analysis=job.assessed.analysis,
        warnings=list(job.warnings),
        phase1=phase1_of(job, without_snippets(findings), context.catalogue) if plan.finished_ms else None,
        run=RunRecord(queries=queries, final_query=queries[-1] if queries else None, web_calls=job.downloads),
        metrics=Metrics(
            searches=plan.searches_used,
            pages_visited=pages_read(job),
            pages_fetched=job.pages_fetched,
            model_calls=usage.model_calls,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            usd=usage.usd,
            seconds=round(context.seconds or plan.spent_ms / 1000 or elapsed_s(job, 0), 3),
            waited_seconds=round(context.waited_seconds, 3),
        ),
        folder=job.folder or None,
        error=job.error,
        products=priced(job.phase2.products) if job.phase2 else [],
        review=review_summary(job),
    )


def with_memory_marked(job: Job, sources: Sequence[Source], findings: Sequence[Finding]) -> list[Source]:
    """The sources, each marked if all that the job has of it comes from earlier jobs or their pages."""
    again = {visit.sha for visit in job.visits if visit.origin == "memory"}
    fetched = {visit.sha for visit in job.visits if visit.sha and visit.origin != "memory"}
    earlier = {f.page_sha256 for f in findings if not f.command.startswith(f"{job.id}:")}
    known = (again | earlier) - fetched
    return [
        source.changed(is_remembered=True) if source.content_hash in known else source for source in sources
    ]
