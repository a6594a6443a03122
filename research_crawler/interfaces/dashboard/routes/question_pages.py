"""The first page: the box for a question. It also takes follow-up questions of reports."""

import asyncio
import secrets
import tempfile
from pathlib import Path
from typing import Annotated, get_args

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.caller_question import Depth, ResearchType
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.settings.depth import limits_for
from research_crawler.interfaces.dashboard.asked_form import (
    SHOWN_FIELDS,
    asked_again,
    form_values,
    question_of,
    request_key,
    written_files,
)
from research_crawler.interfaces.dashboard.forms import Form, FormOf
from research_crawler.interfaces.dashboard.page_templates import page, see, shown_error
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_lifecycle import missing_process
from research_crawler.services.jobs.job_lookup import find_job
from research_crawler.services.jobs.listed_jobs import own_questions
from research_crawler.services.submission.extension import extended_question
from research_crawler.services.submission.further_shops import further_shops_question
from research_crawler.services.submission.job_question import ShopsAsked, request_from, shops_asked
from research_crawler.services.submission.own_files import TYPES
from research_crawler.services.submission.submit import submit_job
from research_crawler.services.submission.usual_jobs import estimated_job
from research_crawler.text.writing.messages import REPORT_LANGUAGES

router = APIRouter()
JOBS_BELOW_BOX = 6
"""Jobs below the box."""
MOST_PREFILLED = 2_000
"""Longest question that an address puts into the box."""


@router.get("/")
async def box(
    request: Request,
    runtime: RuntimeOf,
    q: Annotated[str, Query(max_length=MOST_PREFILLED)] = "",
    *,
    buy: bool = False,
    again: Annotated[str, Query(max_length=MOST_PREFILLED)] = "",
) -> Response:
    """The box, and the newest jobs below it; `q` and `buy` fill it, or the question and options of the job `again`."""
    if again:
        job = await find_job(runtime, again)
        usual = limits_for(runtime.config, job.inputs.depth)
        return await _box(request, runtime, dict.fromkeys(SHOWN_FIELDS, "") | asked_again(job, usual))
    return await _box(
        request, runtime, dict.fromkeys(SHOWN_FIELDS, "") | {"goal": q, "buy": "1" if buy else ""}
    )


@router.get("/estimate")
async def estimate(request: Request, runtime: RuntimeOf, depth: str = "standard") -> Response:
    """What a question of this depth is likely to take, as a piece of the page."""
    chosen: Depth = next((one for one in get_args(Depth) if one == depth), "standard")
    usual, usd = await estimated_job(runtime, chosen)
    return page(request, "estimate.html", {"usual": usual, "usd": usd, "depth": chosen})


@router.post("/shops-asked")
async def shops(request: Request, form: FormOf) -> Response:
    """Whether shops will be asked for what was typed, as a piece of the page; empty if it is nothing to buy."""
    said: ShopsAsked = "yes" if form.one("buy") else await asyncio.to_thread(shops_asked, form.one("goal"))
    return page(request, "shops_asked.html", {"shops": said})


@router.post("/ask")
async def ask(request: Request, runtime: RuntimeOf, form: FormOf) -> Response:
    """Put the question into the queue, and show its job; what cannot be asked is said beside what was written."""
    try:
        job = await _asked(runtime, form)
    except UsageError as error:
        if form.one("about"):
            raise
        return await _box(request, runtime, form_values(form), fault=shown_error(request, error))
    return see(f"/jobs/{job.id}")


@router.post("/jobs/{job_id}/extend")
async def extend(job_id: str, runtime: RuntimeOf, form: FormOf) -> Response:
    """Ask anew with the outline of a report, and a further section for this question."""
    question = await extended_question(runtime, job_id, [form.one("goal")])
    asked = await asyncio.to_thread(request_from, runtime.config, question, about_job=job_id)
    job = await submit_job(runtime, asked)
    return see(f"/jobs/{job.id}")


@router.post("/jobs/{job_id}/further-shops")
async def further_shops(job_id: str, runtime: RuntimeOf, _form: FormOf) -> Response:
    """Ask the shops that a report has left out, with what its job has found."""
    question = await further_shops_question(runtime, await find_job(runtime, job_id))
    asked = await asyncio.to_thread(request_from, runtime.config, question)
    return see(f"/jobs/{(await submit_job(runtime, asked)).id}")


async def _asked(runtime: Runtime, form: Form) -> Job:
    question = question_of(form)
    with tempfile.TemporaryDirectory(prefix="research-asked-") as folder:
        paths = await asyncio.to_thread(written_files, Path(folder), form.files)
        asked = await asyncio.to_thread(
            request_from, runtime.config, question, files=paths, about_job=form.one("about")
        )
        return await submit_job(runtime, asked, key=request_key(form))


async def _box(request: Request, runtime: Runtime, values: dict[str, str], *, fault: str = "") -> Response:
    return page(
        request,
        "ask.html",
        {
            "values": values,
            "fault": fault,
            "once": secrets.token_hex(8),
            "jobs": await own_questions(runtime, JOBS_BELOW_BOX),
            "depths": get_args(Depth),
            "types": get_args(ResearchType),
            "report_languages": REPORT_LANGUAGES,
            "endings": ",".join(TYPES),
            "most_bytes": runtime.config.serve_max_bytes,
            "has_model": runtime.config.has_endpoint,
            "model": runtime.config.mind_model,
            "missing": "" if runtime.plan and runtime.crawl else await missing_process(runtime),
        },
        code=422 if fault else 200,
    )
