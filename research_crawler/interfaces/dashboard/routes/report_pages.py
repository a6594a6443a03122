"""The report of a job, each of its quotes in the text of its page, and its documents."""

import asyncio
import re
from collections.abc import Sequence
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import Response

from research_crawler.core.models.reports.cited_parts import Evidence, Verdict
from research_crawler.core.text.plain_text import cleaned
from research_crawler.interfaces.dashboard.forms import INTERVALS
from research_crawler.interfaces.dashboard.page_templates import page
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.exports.formats import export_formats
from research_crawler.services.exports.manuscript import shortened_quote
from research_crawler.services.exports.page_markup import marked_page
from research_crawler.services.exports.quoted_page import page_around, quoted_page
from research_crawler.services.exports.reading_view import SHOWN_OTHERWISE, kind_of_source, reading_view
from research_crawler.services.exports.report_export import export_report, reading_manuscript
from research_crawler.services.jobs.job_lookup import find_job
from research_crawler.services.jobs.job_view import partly_words
from research_crawler.services.shop_names import shop_names
from research_crawler.services.submission.further_shops import unasked_shops
from research_crawler.services.watch_control import watch_of_page

router = APIRouter(prefix="/jobs")
FIRST_SOURCES: Final = 24
"""Sources whose cards the page of a report has; further ones come when they are asked for."""
MOST_QUOTES: Final = 20
"""Most quotes of a source that are shown in its page."""
NAMED_WORDS: Final = 8
"""So many words of the question name a document that is downloaded."""
NAMED_LETTERS: Final = 60
"""Of the question, in the name of a file."""
EXCERPT_LETTERS: Final = 300
"""Letters of the page before a quote and after it, where it opens beside the sentence."""
PIECE_LETTERS: Final = 3_000
"""The same once more of the page is asked for there."""
LETTERS_AROUND: Final = 20_000
"""The same on a page of its own: a stored page may have a million."""


@router.get("/{job_id}/report")
async def report_page(request: Request, job_id: str, runtime: RuntimeOf) -> Response:
    """The report; each mark opens its quotes."""
    manuscript = await reading_manuscript(runtime, job_id)
    offer = manuscript.report.phase2.recommended if manuscript.report.phase2 else None
    view = await asyncio.to_thread(reading_view, manuscript)
    job = await find_job(runtime, job_id)
    return page(
        request,
        "report.html",
        {
            "manuscript": manuscript,
            "report": manuscript.report,
            "inputs": job.inputs,
            "why_partly": partly_words(job),
            "view": view,
            "shown_otherwise": SHOWN_OTHERWISE,
            "evidence": {piece.id: piece for piece in manuscript.report.evidence},
            "shortened": shortened_quote,
            "kind_of": kind_of_source,
            "sources": manuscript.report.sources[:FIRST_SOURCES],
            "formats": list(export_formats()),
            "offer": offer,
            "shops": await shop_names(runtime, [offer.vendor]) if offer else {},
            "intervals": INTERVALS,
            "watched": await watch_of_page(runtime, offer.url) if offer else None,
            "unasked_shops": len(await unasked_shops(runtime, job)),
        },
    )


@router.get("/{job_id}/sources")
async def sources_page(
    request: Request, job_id: str, runtime: RuntimeOf, *, after: int = 0, piece: bool = False
) -> Response:
    """The sources of a report; `piece`: only the cards that come after the first ones."""
    manuscript = await reading_manuscript(runtime, job_id)
    sources = manuscript.report.sources[max(0, after) :]
    template = "sources_piece.html" if piece else "sources.html"
    return page(
        request,
        template,
        {"job_id": job_id, "manuscript": manuscript, "sources": sources, "kind_of": kind_of_source},
    )


@router.get("/{job_id}/quotes/{number}")
async def quotes_page(
    request: Request,
    job_id: str,
    number: int,
    runtime: RuntimeOf,
    *,
    of: str = "",
    verdict: Annotated[Verdict | None, Query(alias="said")] = None,
    piece: bool = False,
) -> Response:
    """The quotes of one source that a sentence rests on; `piece`: as the note that a mark opens beside the sentence."""
    manuscript = await reading_manuscript(runtime, job_id)
    source = manuscript.sources.get(number)
    if source is None:
        raise HTTPException(404)
    quotes = manuscript.quotes_named(number, of.split(","))[:MOST_QUOTES]
    return page(
        request,
        "quotes_piece.html" if piece else "quotes.html",
        {
            "job_id": job_id,
            "manuscript": manuscript,
            "source": source,
            "quotes": quotes,
            "excerpts": await _excerpts(runtime, quotes),
            "verdict": verdict,
            "kind_of": kind_of_source,
        },
    )


async def _excerpts(runtime: Runtime, quotes: Sequence[Evidence]) -> dict[str, Markup]:
    """Each quote marked among the blocks of its page that stand around it, by the id of the evidence."""
    found = {}
    for piece in quotes:
        around = await page_around(runtime, piece, EXCERPT_LETTERS)
        found[piece.id] = await asyncio.to_thread(
            marked_page, around.before, around.quote, around.after, anchor=""
        )
    return found


@router.get("/{job_id}/report/document")
async def document(
    job_id: str, runtime: RuntimeOf, form: Annotated[str, Query(alias="format")] = "html"
) -> Response:
    """The report as a document to keep or to hand on."""
    chosen = export_formats().get(form)
    if chosen is None:
        raise HTTPException(404)
    body = await export_report(runtime, job_id, chosen)
    job = await find_job(runtime, job_id)
    words = "-".join(re.findall(r"\w+", job.inputs.goal)[:NAMED_WORDS])[:NAMED_LETTERS] or job_id
    name = f"attachment; filename*=UTF-8''{quote(words + chosen.suffixes[0])}"
    return Response(body, media_type="application/octet-stream", headers={"Content-Disposition": name})


@router.get("/{job_id}/evidence/{evidence_id}")
async def evidence_page(
    request: Request, job_id: str, evidence_id: str, runtime: RuntimeOf, *, piece: bool = False
) -> Response:
    """A quote, marked in the stored text of its page; `piece`: only the text around it, for the note of a mark."""
    letters = PIECE_LETTERS if piece else LETTERS_AROUND
    found = await quoted_page(runtime, job_id, evidence_id, letters)
    shown = found.before, found.quote, found.after
    text = await asyncio.to_thread(marked_page, *shown) if found.is_kept else ""
    template = "page_piece.html" if piece else "evidence.html"
    return page(
        request, template, {"job_id": job_id, "found": found, "piece": cleaned(found.piece), "text": text}
    )
