import json
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.brains.extractive.extract import (
    MAX_FINDINGS,
    extract_quotes,
    pick_by,
    pick_here,
    pick_while_read,
)
from planner.brains.extractive.extractive_brain import ExtractiveBrain
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.pages import Passage
from research_crawler.core.ports.models import Call
from research_crawler.extraction.evidence.passages import split_passages
from research_crawler.extraction.process.pool import ParsePool
from research_crawler.text.measures.embedded_text import embedded
from tests.planner.brains.views import page

LIGHTHOUSE = """# Skelder lighthouse

The Skelder lighthouse is a granite tower on Skelder Point. It is 43 metres tall and was built in 1871.
We use cookies to make this site better. Terns nest on the shingle until July.

## Other things

The bakery in the village sells poppy rolls. Its owner collects stamps of the post office.

| What | Value |
|---|---|
| Height | 43 m |

By Ada Brook, 3 May 2024
"""


async def test_the_answer_is_quoted_word_for_word(embedder):
    extraction = await extract_quotes(page(LIGHTHOUSE, title="Skelder lighthouse"), embedder)
    assert all(finding.quote in LIGHTHOUSE for finding in extraction.findings)
    assert "It is 43 metres tall and was built in 1871." in extraction.findings[0].quote
    assert extraction.by == "extractive"
    assert extraction.relevance > 0.4
    assert "43" in extraction.summary


def thread(opening, reply, title="Old lantern"):
    markdown = f"{opening}\n\n{reply}"
    at = len(opening)
    passages = [
        Passage(start=0, end=at, text="", tokens=40, is_opening=True),
        Passage(start=at + 2, end=len(markdown), text="", tokens=40),
    ]
    return page(markdown, "Why does an old lantern smoke?", title=title, passages=passages)


REPLY = "It is the oil: paraffin that stood open for a year draws water, and wet oil smokes."


async def test_who_asks_in_a_thread_is_not_quoted_as_its_answer(embedder):
    asking = "Why does my old lantern smoke? I have trimmed the wick of this old lantern twice."
    (found,) = (await extract_quotes(thread(asking, REPLY), embedder)).findings
    assert found.quote == REPLY


async def test_a_first_post_that_asks_nothing_is_quoted_as_its_replies_are(embedder):
    telling = "An old lantern smokes because of its wick. Trim the wick of an old lantern straight."
    found = (await extract_quotes(thread(telling, REPLY), embedder)).findings
    assert found[0].quote.startswith(telling)


async def test_a_page_that_forbids_quotes_gives_none(embedder):
    extraction = await extract_quotes(page(LIGHTHOUSE, nosnippet=True), embedder)
    assert extraction.findings == []
    assert "nosnippet" in extraction.note


async def test_commerce_findings_have_their_kinds(embedder):
    text = (
        "I would buy the Lenovo LOQ 15 again as a cheap gaming laptop. Expect to pay $850 for a gaming laptop. "
        "Avoid the older gaming laptop, its hinge broke."
    )
    extraction = await extract_quotes(page(text, "cheap gaming laptop", intent="commerce"), embedder)
    kinds = {finding.kind for finding in extraction.findings}
    assert kinds & {"recommended_product", "price_expectation", "warning"}


async def test_a_shopping_page_gives_whole_excerpts_beside_its_sentences(embedder):
    text = (
        "# Kestrel Duo tested\n\nBy the maker the Kestrel Duo takes branches of 40 mm. Up to 38 mm it did so.\n\n"
        "The Kestrel Duo costs $315 at Larkin's, with one blade and a case.\n"
    )
    goal = "How thick may a branch be for the Kestrel Duo?"
    extraction = await extract_quotes(page(text, goal, intent="commerce"), embedder)
    assert any(
        "40 mm" in finding.quote and "38 mm" in finding.quote and finding.kind == "key_fact"
        for finding in extraction.findings
    )
    assert any(finding.kind == "price_expectation" for finding in extraction.findings)


async def test_only_shown_passages_are_quoted(embedder):
    start = LIGHTHOUSE.index("## Other things")
    shown = Passage(start=start, end=len(LIGHTHOUSE), text=LIGHTHOUSE[start:], tokens=50)
    extraction = await extract_quotes(page(LIGHTHOUSE, passages=[shown]), embedder)
    assert all(LIGHTHOUSE.index(finding.quote) >= start for finding in extraction.findings)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.sampled_from(
            ["The tower is tall. ", "It was built in 1871. ", "\n\n", "# Head\n", "| a | 43 m |\n", "- 9 items here\n",
             "***", "[x](y) ", "é" * 30, "? ", "\n", "Skelder lighthouse is 43 m tall and white. "]
        ),
        max_size=40,
    ).map("".join)
)  # fmt: skip
async def test_quotes_are_always_slices_of_the_page(markdown):
    extraction = await extract_quotes(page(markdown), HashEmbedder())
    assert len(extraction.findings) <= MAX_FINDINGS
    assert 0 <= extraction.relevance <= 1
    assert all(finding.quote and finding.quote in markdown for finding in extraction.findings)


def a_call():
    return Call(job="jobaaaaaaaaa", key="1", token="t", deadline_s=60.0)


@pytest.fixture(scope="module")
def parser():
    pool = ParsePool(1, max_seconds=0.8)
    pool.start()
    yield pool
    pool.close()


async def test_pages_are_split_in_the_processes_that_read_them_with_the_same_result(parser, embedder):
    text = "## Lamps\n\nThe Orlo lamp costs 40 euro in most shops. It gives 800 lumens of light.\n\n| Orlo | 40 € |\n"
    shop = page(text, "buy a lamp", intent="commerce", passages=split_passages(text, embedder.count_tokens))
    here, there = await pick_here(shop, ["buy a lamp"]), await pick_by(parser)(shop, ["buy a lamp"])
    assert here == there
    assert here
    assert await ExtractiveBrain(embedder, pick_by(parser)).extract(shop, a_call()) == (
        await ExtractiveBrain(embedder).extract(shop, a_call())
    )


async def test_what_is_picked_while_a_page_is_read_gives_the_same_findings(parser, embedder):
    text = "## Lamps\n\nThe Orlo lamp costs 40 euro in most shops. It gives 800 lumens of light.\n\n| Orlo | 40 € |\n"
    processor, told = (
        partial(pick_while_read, most_tokens=4_000),
        page(text, "What does the Orlo lamp cost?").job_context,
    )
    body, job_context = text.encode(), told.model_dump_json()
    headers = {"content-type": "text/markdown"}
    read = await parser.look_and_read(
        body, url="http://a.test/", headers=headers, processor=processor, instructions=job_context
    )
    assert read.page is not None
    stored = await parser.process(processor, read.page, job_context, url="http://a.test/")
    assert stored == read.processed
    text = read.page.markdown
    plain = page(text, told.goal, passages=split_passages(text, embedder.count_tokens), title=read.page.title)
    picked = page(text, told.goal, picked=read.processed, title=read.page.title)
    found = await extract_quotes(picked, embedder)
    assert found == await extract_quotes(plain, embedder)
    assert "40 euro" in found.findings[0].quote


def test_of_a_long_page_only_the_passages_with_the_words_of_the_goal_are_picked_from():
    parts = [f"## Part {n}\n\n" + "The committee spoke of tar, rope and coal. " * 30 for n in range(30)]
    parts[17] = "## Part 17\n\nThe Skelder lighthouse is 43 metres tall."
    text = "\n\n".join(parts)
    passages = split_passages(text, lambda piece: len(piece.split()))
    told = page(text, "How tall is the Skelder lighthouse?").job_context.model_dump_json()
    made = pick_while_read(text, "", passages, told, most_tokens=300)
    assert "43 metres" in made
    assert len({piece["heading"] for piece in json.loads(made)}) < 6


async def test_a_page_that_takes_too_long_to_split_ends_there_and_holds_up_nobody(parser, embedder):
    hostile = page("a. b! " * 600_000, "buy a lamp", intent="commerce")  # about twelve seconds of work
    with pytest.raises(PageUnreadable) as refused:
        await ExtractiveBrain(embedder, pick_by(parser)).extract(hostile, a_call())
    assert refused.value.reason.kind is Reason.PARSE_TIMEOUT


async def test_a_shopping_finding_keeps_the_heading_that_says_what_it_is_about(embedder):
    heading, advice = (
        "The Moorcraft Hush 24",
        "It is the best quiet shredder for a small garden, and we would buy it.",
    )
    text = f"# Shredders\n\n## {heading}\n\n{advice}"
    extraction = await extract_quotes(page(text, "best quiet garden shredder", intent="commerce"), embedder)
    assert extraction.findings
    assert all(heading in finding.heading for finding in extraction.findings)


async def test_a_page_about_two_things_gives_findings_of_both(embedder):
    """Though it says far more about one of them."""
    plenty = "".join(
        f"A soft reset of the Brask pump, in case {n}, waits until the water of chamber {n} has run out, and the soft "
        "reset then starts the pump again without a loss of pressure in its pipes. It takes the settings from the "
        f"panel, writes line {n} of the log, and keeps all other chambers at work until the soft reset is complete.\n\n"
        for n in range(1, 17)
    )
    little = "Sending the code 9 to the panel ends all work of the Brask pump at once, and then starts it from cold."
    goal = "What is the difference between a soft reset and a hard reset of the Brask pump?"
    text = f"# Brask pump\n\n## Soft reset\n\n{plenty}## Hard reset\n\n{little}\n"
    found = await extract_quotes(page(text, goal, title="Brask pump"), embedder)
    assert 1 < len(found.findings) <= MAX_FINDINGS
    assert any(little in finding.quote for finding in found.findings)


def test_what_gets_a_vector_ends_at_a_word_and_a_text_without_spaces_is_cut_where_it_must():
    assert embedded("東京" * 300) == "東京" * 150
    assert embedded("東京 " + "京" * 400) == ("東京 " + "京" * 400)[:300]
    cut = embedded("heat pump " * 60)
    assert cut.endswith(("heat", "pump")) and len(cut) <= 300
