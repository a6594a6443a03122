"""What a brain is shown of a page: all of it where it fits, else passages or sections that fit the goal."""

import asyncio
import time

import pytest
from scrapy import Spider
from scrapy.utils.test import get_crawler

from pipelines.extract import ExtractPipeline
from research_crawler.core import crawler_services
from research_crawler.core.config import Config
from research_crawler.core.models.evidence.findings import Extraction
from research_crawler.core.models.messages.commands import (
    JobContext,
    Lease,
    SectionCommand,
    SectionSpec,
    VisitCommand,
)
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.core.tasks.leases import Task
from tests.crawl_services import crawl_services

ENDPOINT = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "MIND_MODEL": "m"}
FILLER = (
    "The committee met again in the long room and spoke of tar, rope and the price of coal for the winter. "
)


class Watching:
    """A brain that remembers what it was shown."""

    name = "watching"

    def __init__(self):
        self.seen = []

    async def extract(self, page, call):
        self.seen.append(page)
        return Extraction(by=self.name)


class Held:
    """A node that holds the lease."""

    def __init__(self, command):
        self.tasks = {"t": Task(Lease(command=command, token="t"))}


def manual(sections=30):
    parts = ["# Harbour manual"]
    for n in range(sections):
        parts += [f"## Part {n}", FILLER * 8, FILLER * 6]
    parts[parts.index("## Part 11") + 1] = (
        FILLER * 4 + "The Skelder lighthouse is 43 metres tall. " + FILLER * 4
    )
    return "\n\n".join(part.strip() for part in parts)


@pytest.fixture
def shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    async def shown(
        markdown,
        section=None,
        goal="How tall is the Skelder lighthouse?",
        processor=None,
        processed="",
        **settings,
    ):
        brain, crawler = Watching(), get_crawler(Spider)
        fields = {"id": "j:1", "job": "j", "url": "https://a.test/", "purpose": JobContext(goal=goal)}
        command = (
            SectionCommand(**fields, section=SectionSpec(sha="0" * 64, heading=section))
            if section
            else VisitCommand(**fields, slot="a.test", page_key="h")
        )
        config = Config(home=tmp_path, **settings)
        crawler_services.provide(
            crawler, crawl_services(brain=brain, node=Held(command), config=config, page_processor=processor)
        )
        page = StoredPage(
            sha="0" * 64, url="u", final_url="u", page=PageText(markdown=markdown, text=markdown)
        )
        item = CommandItem(command=command, token="t", page=page, processed=processed)
        await ExtractPipeline(crawler).process_item(item)
        shown.left_out = item.to_event().page.left_out
        return brain.seen[0]

    return shown


async def test_a_page_that_fits_is_shown_whole(shown):
    markdown = manual(16)
    view = await shown(markdown, **ENDPOINT)
    assert 4_000 < view.tokens_shown < 16_000
    assert " ".join(p.text for p in view.passages).split() == markdown.split()


async def test_a_longer_page_is_shown_to_a_model_in_sections(shown):
    view = await shown(manual(), **ENDPOINT, page_max_tokens=4_000)
    assert 2_000 < view.tokens_shown <= 4_000
    about = [p for p in view.passages if p.heading == "Harbour manual > Part 11"]
    assert "43 metres" in " ".join(p.text for p in about)
    assert sum(p.tokens for p in about) > 250, "the passage comes with what stands around it"


async def test_without_a_model_passages_are_chosen_from_everywhere(shown):
    view = await shown(manual())
    assert view.tokens_shown <= 4_000
    assert any("43 metres" in passage.text for passage in view.passages)


async def test_the_sections_that_are_left_out_are_told_and_can_be_read_alone(shown):
    await shown(manual(), **ENDPOINT, page_max_tokens=4_000)
    (heading, *_) = shown.left_out
    assert heading.startswith("Harbour manual > Part ")
    assert "Harbour manual > Part 11" not in shown.left_out
    view = await shown(manual(), section=heading, **ENDPOINT, page_max_tokens=4_000)
    assert {passage.heading for passage in view.passages} == {heading}
    assert view.tokens_shown > 200
    assert shown.left_out == []


async def test_a_section_longer_than_the_limit_is_shown_by_its_best_parts(shown):
    view = await shown(manual(), section="Harbour manual", **ENDPOINT, page_max_tokens=4_000)
    assert 2_000 < view.tokens_shown <= 4_000
    assert any("43 metres" in passage.text for passage in view.passages)


def said(markdown, title, passages, told, /):
    """A processor that tells what it was given."""
    return f"{len(passages)} passages for {JobContext.model_validate_json(told).goal}"


async def test_a_page_that_was_processed_while_it_was_read_is_not_processed_again(shown):
    view = await shown("The tower is 43 m tall.", processor=said, processed="made before")
    assert view.picked == "made before"


async def test_a_stored_page_is_processed_when_a_brain_needs_it(shown):
    view = await shown("The tower is 43 m tall.", processor=said, goal="How tall?")
    assert view.picked == "1 passages for How tall?"


CROWDED = {
    "words": "\n\n".join(f"## Part {n}\n\n" + " ".join(f"w{n}x{i}" for i in range(80)) for n in range(700)),
    "sections": "\n\n".join(f"## P{n}\n\na b" for n in range(7_000)),
}


@pytest.mark.parametrize("name", CROWDED)
@pytest.mark.parametrize("settings", [ENDPOINT, {}], ids=["model", "words"])
async def test_a_crowded_page_does_not_hold_the_loop_while_its_parts_are_chosen(shown, name, settings):
    processor = asyncio.ensure_future(shown(CROWDED[name], **settings))
    longest, last = 0.0, time.thread_time()  # of the loop: other work on the machine does not count
    while not processor.done():
        await asyncio.sleep(0.005)
        longest, last = max(longest, time.thread_time() - last), time.thread_time()
    assert 0 < (await processor).tokens_shown <= 16_000
    assert longest < 0.5
