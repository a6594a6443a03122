"""Show in a report what a person has said in its reviews: as the person's words, never as a quote of a page. Pure."""

from datetime import UTC, datetime

from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.report import PersonStatement, ReviewSummary
from research_crawler.core.web.urls import canonical_url
from research_crawler.text.writing.markdown import address, escape_markdown
from research_crawler.text.writing.messages import Messages

SHOWN_KINDS = ("fact", "opinion", "constraint")


def review_summary(job: Job) -> ReviewSummary | None:
    """What a person has said and rejected in the reviews of a job; None if nobody has answered."""
    review = job.review
    if not review.remarks:
        return None
    remarks = [one for one in review.remarks if one.kind == "append" and one.of in SHOWN_KINDS and one.text]
    return ReviewSummary(
        rounds=review.rounds,
        accepted=review.accepted,
        statements=[
            PersonStatement(id=f"P{index}", kind=one.of, text=one.text, at=_iso(one.at_ms))
            for index, one in enumerate(remarks, 1)
        ],
        rejected_findings=len([name for name in review.rejected_findings if "-" in name]),
        rejected_sources=review.rejected_sources,
        reasons=[one.text for one in review.remarks if one.kind == "reject" and one.text],
    )


def review_section(summary: ReviewSummary | None, translate: Messages) -> str:
    """The section of report.md with a person's statements and what was left out; "" if there is neither."""
    if summary is None:
        return ""
    lines = [f"- {translate.word(one.kind)}: {escape_markdown(one.text)}" for one in summary.statements]
    parts = ["\n".join([*lines, "", translate("stated_by_person")])] if lines else []
    if summary.rejected_findings or summary.rejected_sources:
        named = ", ".join(
            address(source) if canonical_url(source) else escape_markdown(source)
            for source in summary.rejected_sources
        )
        counts = {"findings": summary.rejected_findings, "sources": len(summary.rejected_sources)}
        parts.append(translate("left_out_rejected", **counts) + (f" ({named})" if named else ""))
    text = "\n\n".join(parts)
    return f"## {translate('from_reviewer')}\n\n{text}" if text else ""


def remarks_as_task(job: Job) -> str:
    """What a person wants differently, for a model that writes; "" without a model or without remarks."""
    if job.brain == "extractive":
        return ""
    wanted = [one.text for one in job.review.remarks if one.kind == "reject" and one.text]
    limits = [one.text for one in job.review.remarks if one.kind == "append" and one.of == "constraint"]
    said = [f"The reviewer wants: {text}" for text in wanted] + [f"Keep to this: {text}" for text in limits]
    return " ".join(said)


def _iso(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="seconds") if at_ms else ""
