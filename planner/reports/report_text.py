"""Render report.md: its sections in their order, from a report and its cited sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.reports.lengths.length_limit import EXTRACTIVE_BRAIN
from planner.reports.phase1_result import pages_read
from planner.reports.review_notes import review_section
from planner.reports.sections import ReportBody, paragraphs
from planner.reports.shopping.named_products import named_section
from planner.reports.shopping.offers import (
    Recommended,
    assessment_section,
    opening_sentence,
    recommendation_section,
    recommendation_text,
)
from planner.reports.sources.citations import Cited
from planner.reports.typed.lists import TypedLists
from planner.reports.warnings import is_said
from planner.reports.written_lists import ListedSection
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.offers.phase2 import Phase2
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.models.reports.drafts import ReportDraft
from research_crawler.core.models.reports.report import Report
from research_crawler.core.text.plain_text import clean_line
from research_crawler.core.web.urls import host_of
from research_crawler.text.writing.citation_marks import strip_citations
from research_crawler.text.writing.markdown import address, escape_markdown, escape_with_code, is_own_file
from research_crawler.text.writing.messages import ENGLISH_MESSAGES, Messages


@dataclass(frozen=True)
class ReportContents:
    """The cited sentences of report.md: the answer, the lists below it, and what stands before the journey."""

    answer: Sequence[Cited]
    lists: Sequence[ListedSection]
    """The lists of sentences below the answer (`LISTED_PARTS`)."""
    named: Sequence[Cited]
    """The products that pages recommend by name."""
    body: ReportBody
    typed: TypedLists
    """What the type of research and the caller ask for."""
    further: Sequence[Cited] = ()
    """Pages that tell more, by their titles."""
    certainty: Sequence[Cited] = ()
    """What a model says of how certain its answer is."""


@dataclass(frozen=True)
class Offers:
    """What vendors offer, and what is recommended of it."""

    phase2: Phase2
    recommendation: Recommended


def markdown_of(
    job: Job,
    report: Report,
    contents: ReportContents,
    draft: ReportDraft,
    offers: Offers | None,
    translate: Messages,
) -> str:
    """The text of report.md; what stands in it decides its order, but within `contents.body` (`ReportBody.markdown`).

    Args:
        draft: for what a brain says about the answer, and who wrote it.
        offers: phase 2 with its recommendation, if the job has asked vendors.
    """
    opens_with_offer = bool(offers and offers.recommendation.chosen and draft.by == EXTRACTIVE_BRAIN)
    answer = _answer(
        job, contents, draft, offers, report.warnings, translate, has_evidence_below=opens_with_offer
    )
    bought = [
        f"## {translate('recommendation')}\n\n{recommendation_section(offers.phase2, offers.recommendation, translate)}"
        if offers
        else "",
        f"## {translate('price_assessment')}\n\n{assessment_section(offers.recommendation, translate)}"
        if offers
        else "",
    ]
    evidence = paragraphs(contents.answer, translate) if opens_with_offer else ""
    warnings = (shown for warning in report.warnings if (shown := escape_markdown(warning)) not in answer)
    sections = [
        f"# {escape_markdown(report.goal)}",
        "\n>\n".join(f"> **{translate('warning')}:** {warning}" for warning in warnings),
        f"## {translate('answer')}\n\n{answer}",
        *(bought if opens_with_offer else ()),
        f"## {translate('in_detail')}\n\n{evidence}" if evidence else "",
        review_section(report.review, translate),
        *(part.markdown(translate, unless_in=contents.answer) for part in contents.lists),
        named_section(contents.named, translate),
        contents.body.markdown(translate, already_said=job.plan.missing),
        contents.typed.markdown(translate),
        *(() if opens_with_offer else bought),
        f"## {translate('journey')}\n\n{escape_with_code(report.journey)}",
        f"## {translate('sources')}\n\n{_key_sources(report.sources, translate)}",
        f"---\n\n{_end(job, report, draft, offers.recommendation.by if offers else '', translate)}",
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _answer(
    job: Job,
    contents: ReportContents,
    draft: ReportDraft,
    offers: Offers | None,
    warnings: Sequence[str],
    translate: Messages,
    *,
    has_evidence_below: bool,
) -> str:
    """The answer: what was found with its table, how certain that is and what it lacks, and where to look further."""
    text = _answer_text(job, contents.answer, draft, offers, translate, has_evidence_below=has_evidence_below)
    table = contents.body.table_of_answer(translate)
    if any(sentence.excerpt for sentence in contents.answer):
        shown = [table, text]
    else:  # who compares looks for the table right below the sentence that answers
        first, _, rest = text.partition("\n\n")
        shown = [first, table, rest]
    certainty = _certainty(job, contents.certainty, draft, translate)
    missing = _missing(job, [*warnings, draft.certainty], translate) if contents.answer else ""
    blocks = ["\n\n".join(filter(None, shown)), " ".join(filter(None, [certainty, missing]))]
    if draft.is_doubtful:  # who reads no further must know it
        blocks.reverse()
    return "\n\n".join(filter(None, [*blocks, _further(contents.further, translate)]))


def _answer_text(
    job: Job,
    answer: Sequence[Cited],
    draft: ReportDraft,
    offers: Offers | None,
    translate: Messages,
    *,
    has_evidence_below: bool,
) -> str:
    """The sentences that answer, below the offer that is recommended; without any, the offer or that there is none."""
    opening = opening_sentence(offers.recommendation, translate) if offers else ""
    if offers and has_evidence_below:
        return opening
    if text := paragraphs(answer, translate, is_answer=True):
        return "\n\n".join(filter(None, [opening, text]))
    if offers and offers.recommendation.chosen:
        return recommendation_text(offers.recommendation, translate)
    return _not_found(job, draft, translate)


def _missing(job: Job, said: Sequence[str], translate: Messages) -> str:
    """What the research did not find, without what the texts `said` tell already."""
    lacking = [item for item in job.plan.missing if clean_line(item) and not is_said(item, said)]
    return translate("missing", items=escape_markdown("; ".join(lacking))) if lacking else ""


def _certainty(job: Job, cited: Sequence[Cited], draft: ReportDraft, translate: Messages) -> str:
    """How certain the answer is: below a label where a model says it of what it cites, else as a sentence."""
    if cited:
        return f"{translate('how_certain')}: {' '.join(one.with_marks() for one in cited)}"
    return escape_with_code(strip_citations(draft.certainty, named_in(job)))


def _further(pages: Sequence[Cited], translate: Messages) -> str:
    """Where to look further, in a line."""
    return f"{translate('look_further')}: {'; '.join(one.with_marks() for one in pages)}" if pages else ""


def _not_found(job: Job, draft: ReportDraft, translate: Messages) -> str:
    """That there is no answer, what was tried, and what was read instead."""
    if draft.why_not:
        return escape_markdown(
            draft.why_not if draft.not_found else f"{translate('no_answer')} {draft.why_not}"
        )
    if not draft.not_found:
        return translate("no_answer")
    tried = translate(
        "not_found_in",
        pages=pages_read(job),
        searches=len(job.searches),
        titles=escape_markdown(draft.not_found),
    )
    return f"{translate('not_answered')} {tried}"


def _key_sources(sources: Sequence[Source], translate: Messages) -> str:
    return "\n".join(_source_line(source, translate) for source in sources) or translate("none")


def _source_line(source: Source, translate: Messages) -> str:
    read = (
        translate("read_on", day=translate.day(source.fetched_at[:10]))
        if source.fetched_at
        else translate("undated")
    )
    if source.is_remembered and source.fetched_at:
        read = translate("remembered_on", day=translate.day(source.fetched_at[:10]))
    title = escape_markdown(source.title) or source.host
    numbers = ", ".join(map(str, source.page_numbers))
    pages = f"{translate('pages', n=len(source.page_numbers), numbers=numbers)}, " if numbers else ""
    day = escape_markdown(translate.day(source.published[:10]))
    dated = f"{day}, {read}" if day and source.is_remembered else day or read
    at = source.host or translate("own_file")
    return f"{source.n}. {title} – {at}, {dated}, {pages}{address(source.url)}"


def _end(job: Job, report: Report, draft: ReportDraft, chooser: str, translate: Messages) -> str:
    """What the report rests on, what its checks found, why it is not longer, and who wrote it."""
    sentences = [
        _rests_on(report, translate),
        escape_markdown(report.check_note),
        escape_markdown(report.length_note),
        _brains(job, draft, chooser, translate),
    ]
    return " ".join(part for part in sentences if part)


def _rests_on(report: Report, translate: Messages) -> str:
    """How many sources and hosts the report is based on, and their dates."""
    if not report.sources:
        return translate("based_on_nothing")
    hosts = len({host_of(source.url) for source in report.sources if not is_own_file(source.url)})
    spans = [
        span
        for name, dates in (
            ("published_span", [s.published for s in report.sources]),
            ("read_span", [s.fetched_at for s in report.sources]),
        )
        if (span := _span(name, dates, translate))
    ]
    dated = f" ({'; '.join(spans)})" if spans else ""
    files = sum(is_own_file(source.url) for source in report.sources)
    pages = report.source_count - files
    based = translate("based_on", sources=pages, hosts=hosts, dated=dated) if pages else ""
    if files:
        based = f"{based} {translate('based_on_files', n=files)}".strip()
    seen = report.diversity
    if seen.is_enough is not False:
        return based
    return f"{based} {translate('few_hosts', hosts=seen.hosts, sources=seen.sources)}"


def _span(name: str, dates: Sequence[str], translate: Messages) -> str:
    days = sorted(date[:10] for date in dates if date)
    if not days:
        return ""
    first, last = (escape_markdown(translate.day(day)) for day in (days[0], days[-1]))
    return translate(name, days=first if first == last else translate("days", first=first, last=last))


def _brains(job: Job, draft: ReportDraft, chooser: str, translate: Messages) -> str:
    by_part = brains_by_part(job, draft.by, chooser, translate)
    if set(by_part.values()) <= {EXTRACTIVE_BRAIN}:
        return translate("brains_none")
    rules = translate("brains_rules")
    named = (
        (part, escape_markdown(names).replace(EXTRACTIVE_BRAIN, rules)) for part, names in by_part.items()
    )
    return translate(
        "brains", parts=", ".join(translate("done_by", part=part, names=names) for part, names in named)
    )


def brains_by_part(
    job: Job, writer: str, chooser: str = "", translate: Messages = ENGLISH_MESSAGES
) -> dict[str, str]:
    """Which brains decided, labelled results, extracted, chose an offer and wrote: {part: names}."""
    by = {
        "brains_decisions": [
            e.by for e in job.timeline if e.action in ("search", "visit", "section", "done")
        ],
        "brains_labels": [e.by for e in job.timeline if e.action == "brain"],
        "brains_findings": [visit.by for visit in job.visits],
        "brains_recommendation": [chooser],
        "brains_report": [writer],
    }
    between = f" {translate('and')} "
    named = {translate(part): between.join(dict.fromkeys(filter(None, names))) for part, names in by.items()}
    return {part: names for part, names in named.items() if names}


def named_in(job: Job) -> list[str]:
    """Texts of the record that a brain may repeat as they are: queries, titles and what is missing."""
    return [
        *(search.query for search in job.searches),
        *(text for visit in job.visits for text in (visit.title, visit.url, visit.final_url)),
        *job.plan.missing,
        *job.plan.named_missing,
    ]
