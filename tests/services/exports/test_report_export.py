"""Exporting a job from the stores."""

import pytest

from research_crawler.configuration import load_system_config
from research_crawler.core.errors import NoReport, UnknownJob
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.runtime.runtime import running
from research_crawler.services.exports.formats import export_formats, format_of
from research_crawler.services.exports.manuscript import Context
from research_crawler.services.exports.report_export import export_report, manuscript_of
from research_crawler.services.jobs.job_lifecycle import cancel_job
from research_crawler.services.submission.job_question import request_from
from research_crawler.services.submission.submit import submit_job
from tests.services.exports.samples import report_with, sample_jobs

QUOTE = "Heat moves from cold to warm."


@pytest.fixture
def config(tmp_path):
    return load_system_config(home=tmp_path)


def stored_page() -> StoredPage:
    text = f"# Pumps\n\nIt is simple. {QUOTE} That takes power.\n\nMore."
    return StoredPage(
        sha="ab" * 32,
        url="https://a.example/1",
        final_url="https://a.example/1",
        page=PageText(markdown=text, text=text),
    )


async def archived(runtime, page: StoredPage | None) -> str:
    """A finished job in the archive, whose first quote stands in `page`."""
    job, findings = sample_jobs()["pumps"]
    report = report_with()
    start = stored_page().page.markdown.index(QUOTE)
    first = report.evidence[0].model_copy(update={"quote": QUOTE, "start": start, "end": start + len(QUOTE)})
    report = report.changed(evidence=[first, *report.evidence[1:]])
    if page:
        await runtime.container.archive.put_page(page, None)
    await runtime.container.archive.save_job(job, findings, report.model_dump(mode="json"))
    return job.id


async def test_a_quote_has_the_text_around_it_if_its_page_is_stored(config):
    async with running(config, crawl=False, plan=False) as runtime:
        job = await archived(runtime, stored_page())
        manuscript = await manuscript_of(runtime, job)
        page = await export_report(runtime, job, export_formats()["html"])
    assert manuscript.contexts["E1"] == Context("It is simple.", "That takes power. More.")
    assert '<span class="around">It is simple. </span><q>Heat moves' in page.decode()


async def test_a_report_whose_pages_are_gone_is_exported_without_context_and_says_so(config):
    async with running(config, crawl=False, plan=False) as runtime:
        job = await archived(runtime, None)
        manuscript = await manuscript_of(runtime, job)
        page = await export_report(runtime, job, export_formats()["html"])
    assert manuscript.contexts == {}
    assert page.decode().count("page no longer kept") == len(manuscript.report.sources)


async def test_a_job_without_a_report_is_refused_with_the_reason(config):
    async with running(config, crawl=False, plan=False) as runtime:
        job = await submit_job(
            runtime, request_from(runtime.config, JobQuestion(goal="how do heat pumps work"))
        )
        with pytest.raises(NoReport, match=r"is not over; its report can be read when it is$"):
            await manuscript_of(runtime, job.id)
        await cancel_job(runtime, job.id)
        with pytest.raises(NoReport, match=r"ended without a report \(cancelled\)"):
            await manuscript_of(runtime, job.id)
        with pytest.raises(UnknownJob):
            await manuscript_of(runtime, "nosuchjob")


def test_each_format_is_found_by_the_usual_ends_of_names(tmp_path):
    for form in export_formats().values():
        for suffix in form.suffixes:
            assert format_of(tmp_path / f"Report.{suffix[1:].upper()}") is form
    assert format_of(tmp_path / "report") is None
