"""The functions that a parse process runs. They take bytes, texts, numbers and functions, and return a string."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.why import NO_REASON, STORED, Why
from research_crawler.core.ports.crawler import PageProcessor
from research_crawler.extraction.process.limits import OUT_OF_MEMORY, ended_after

if TYPE_CHECKING:
    from research_crawler.core.models.web.pages import PageText, Passage

Argument = bytes | str | dict[str, str] | int | float | PageProcessor | None
ANSWERED, REFUSED = "r", "x"


def run_in_worker(work: Callable[..., str], seconds: float, *arguments: Argument) -> str:
    """Do one piece of work within the limits. The first letter of the answer says what follows.

    It is the answer as JSON, or a `ParsedPage` with the reason for which the page is unreadable.
    """
    try:
        with ended_after(seconds):
            return ANSWERED + work(*arguments)
    except PageUnreadable as refused:
        return REFUSED + refused_page(refused.reason)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # another process starts with all of its memory


def refused_page(reason: Why) -> str:
    """A `ParsedPage` of which nothing could be read."""
    from research_crawler.core.models.web.pages import ParsedPage

    return ParsedPage(page=None, refused=reason).model_dump_json(context=STORED)


# The parsers are imported within the functions, because the parent process needs none.


def read_in_worker(
    body: bytes,
    url: str,
    headers: dict[str, str],
    status: int,
    processor: PageProcessor | None = None,
    instructions: str = "",
) -> str:
    """Read a page, split it, and run the processor that is wanted beside: a `ParsedPage`."""
    from research_crawler.core.models.web.pages import ParsedPage
    from research_crawler.extraction.blockers.detection import needs_render
    from research_crawler.extraction.evidence.passages import bare, estimated_tokens, split_thread
    from research_crawler.extraction.page import read_page

    if blocker := _wall(body, url, headers, status):
        return ParsedPage(page=None, blocker=blocker).model_dump_json(context=STORED)
    page, refused = None, NO_REASON
    try:
        page = read_page(body, url=url, headers=headers, status=status)
    except PageUnreadable as error:
        refused = error.reason
    renders = needs_render(body, page.text if page else "", headers, url=url, status=status)
    passages = split_thread(page.markdown, page.replies_start, estimated_tokens) if page else []
    return ParsedPage(
        page=page,
        passages=bare(passages),
        refused=refused,
        needs_render=renders is not None,
        processed=_processed(processor, page, passages, instructions) if processor and page else "",
    ).model_dump_json(context=STORED)


def _processed(
    processor: PageProcessor, page: "PageText", passages: "Sequence[Passage]", instructions: str
) -> str:
    """What the processor makes of a page; "" if it fails, for the page itself is read."""
    try:
        return processor(page.markdown, page.title, passages, instructions)
    except MemoryError:
        raise
    except Exception:  # it is done again, with its error, by whoever wanted it
        return ""


def read_products_in_worker(body: bytes, url: str, headers: dict[str, str], wanted: str) -> str:
    """Read the products of a page."""
    from research_crawler.extraction.products.event_products import products_json

    return products_json(body, url=url, headers=headers, wanted=wanted)


def read_sitemap_in_worker(body: bytes, url: str, query: str) -> str:
    """The URLs of a sitemap that match a query."""
    from research_crawler.extraction.products.sitemap import sitemap_json

    return sitemap_json(body, url, query)


def look_in_worker(body: bytes, url: str, headers: dict[str, str], status: int) -> str:
    """A `ParsedPage` with the wall that was sent instead of the page, if there is one."""
    from research_crawler.core.models.web.pages import ParsedPage

    return ParsedPage(page=None, blocker=_wall(body, url, headers, status)).model_dump_json(context=STORED)


def _wall(body: bytes, url: str, headers: dict[str, str], status: int) -> Why:
    from research_crawler.extraction.blockers.detection import detect_blocker
    from research_crawler.extraction.blockers.model import SHELL

    blocker = detect_blocker(body, url=url, status=status, headers=headers)
    return NO_REASON if blocker is None or blocker.kind == SHELL else blocker.why


def split_in_worker(markdown: str) -> str:
    """The passages of a stored page, without their texts and tokens."""
    from research_crawler.extraction.evidence.passages import passages_json

    return passages_json(markdown)


def process_in_worker(
    markdown: str, title: str, replies_start: int, processor: PageProcessor, instructions: str
) -> str:
    """What a processor makes of a stored page."""
    from research_crawler.extraction.evidence.passages import estimated_tokens, split_thread

    return processor(markdown, title, split_thread(markdown, replies_start, estimated_tokens), instructions)


def verify_in_worker(extraction: str, stored: str, command: str, goal: str) -> str:
    """The findings whose quotes are in a page."""
    from research_crawler.extraction.evidence.finding_verification import verified_json

    return verified_json(extraction, stored, command, goal)
