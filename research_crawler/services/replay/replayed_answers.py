"""What the person answered in a reviewed job, for its replay, which has nobody to ask. Pure."""

from collections.abc import Sequence

from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.people.reviews import OpenQuestion, Remark, ReviewAnswer
from research_crawler.core.web.urls import canonical_url


class RecordedAnswers:
    """The answers of a job's record in their order; after the last one, what there is is accepted."""

    def __init__(self, job: Job) -> None:
        """`job` as it was archived."""
        self._remarks = list(job.review.remarks)
        self._sources = list(job.review.rejected_sources)
        self._findings = list(job.review.rejected_findings)

    def next(self, question: OpenQuestion) -> ReviewAnswer:
        """The answer to a question of the replay."""
        if not self._remarks:
            return ReviewAnswer(kind="accept")
        remark = self._remarks.pop(0)
        while remark.kind == "accept" and question.kind == "review" and self._remarks:  # it was opened again
            remark = self._remarks.pop(0)
        if (
            question.kind == "plan" and remark.kind == "outline"
        ):  # the outline stands in the inputs or the record
            return ReviewAnswer(kind="accept")
        return self._answer(remark)

    def _answer(self, remark: Remark) -> ReviewAnswer:
        if remark.kind == "reject_source" and self._sources:
            return ReviewAnswer(kind="reject_source", source=self._sources.pop(0), text=remark.text)
        if remark.kind == "reject_finding":
            findings, self._findings = self._findings, []
            return ReviewAnswer(kind="reject_finding", findings=findings, text=remark.text)
        if remark.kind in ("outline", "reject_source"):
            return ReviewAnswer(kind="accept")
        return ReviewAnswer(kind=remark.kind, of=remark.of, text=remark.text)


def inputs_before_review(job: Job) -> JobInputs:
    """The inputs without the pages that the person named later, with a review where there was one."""
    remarks: Sequence[Remark] = job.review.remarks
    named = {canonical_url(one.text) or one.text for one in remarks if one.of == "url"}
    urls = [url for url in job.inputs.urls if url not in named]
    return job.inputs.changed(urls=urls, review="always" if remarks else "never")
