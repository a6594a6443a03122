"""What a job recalls of earlier jobs about the same subject, and how it uses their pages."""

import pytest

from planner.job.allowances import allowed_actions, visits_left
from planner.job.earlier.memory import Memory
from planner.job.earlier.recall import MAX_PAGES_AGAIN, may_recall, with_findings_for_answer
from planner.memory.memory_search import MemorySearch
from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.adapters.in_memory.vector_index import MemoryIndex
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.jobs.planning_state import StoredSource
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.web.pages import PageText, StoredPage
from tests.planner.scripted import Drive, ScriptedBrain, a_finding, a_job, done, found, read, search, start

GOAL = "how does a heat pump heat a house"
FACTS = ("A heat pump moves heat into a house.", "A heat pump house needs heat and a pump of its own.")
NOW = 1_767_322_245_000
"""2026-01-02T02:50:45Z; scripted findings were read a quarter of an hour later."""
DAY_MS = 86_400_000


class Past:
    """An archive and an index with what an earlier job found."""

    def __init__(self) -> None:
        self.archive, self.index, self.embedder = MemoryArchive(), MemoryIndex(), HashEmbedder()

    async def add(self, *quotes, command="oldaaaaaaaaa:2", url="https://a.example/1", **more):
        findings = [
            a_finding(command, quote, url=url).model_copy(
                update={"id": f"{command}/{n}", "page_sha256": command, **more}
            )
            for n, quote in enumerate(quotes)
        ]
        page = StoredPage(sha=command, url=url, final_url=url, page=PageText(markdown="m", text="m"))
        await self.archive.put_page(page, None)
        vectors = await self.embedder.embed([finding.claim for finding in findings])
        await self.archive.index_event(
            CommandDone(uid=command, job=command[:12], command=command, findings=findings)
        )
        await self.index.replace(command, findings, vectors)
        return findings

    def memory(self, *, indexed=True) -> Memory:
        ask = MemorySearch(self.archive, self.embedder, lambda: self.index).by_meaning
        return (
            Memory(self.archive, self.embedder, ask=ask) if indexed else Memory(self.archive, self.embedder)
        )

    async def quotes(self, job=None, now=NOW, **how):
        return [finding.quote for finding in await self.memory(**how).recall(job or a_job(GOAL), now)]


@pytest.fixture
def past():
    return Past()


@pytest.mark.parametrize("indexed", [True, False], ids=["by the index", "by words, where there is no index"])
async def test_findings_on_the_same_subject_are_recalled_and_others_are_not(past, indexed):
    await past.add(*FACTS, "Snow is white.")
    await past.add("A heat pump is a pump.", command="oldbbbbbbbbb:2", is_snippet=True)
    assert set(await past.quotes(indexed=indexed)) == set(FACTS)


async def test_other_things_in_the_same_words_are_not_the_same_subject(past):
    await past.add("The default port of MySQL is 3306.")
    assert await past.quotes(a_job("default listening port PostgreSQL server")) == []


async def test_what_is_older_than_the_caller_allows_is_not_recalled(past):
    await past.add(*FACTS, fetched_at="2025-12-30T00:00:00+00:00")
    assert len(await past.quotes()) == 2
    assert await past.quotes(a_job(GOAL, type="news")) == []
    assert await past.quotes(now=NOW + 9 * DAY_MS) == []
    patient = a_job(GOAL, limits=Limits(memory_max_age_seconds=30 * 86_400))
    assert len(await past.quotes(patient, now=NOW + 9 * DAY_MS)) == 2


async def test_hosts_and_dates_that_the_caller_does_not_want_are_not_recalled(past):
    await past.add(*FACTS, published="2020-05-05")
    assert await past.quotes(a_job(GOAL, exclude_hosts=["a.example"])) == []
    assert await past.quotes(a_job(GOAL, since="2021-01-01")) == []
    assert len(await past.quotes(a_job(GOAL, until="2021-01-01"))) == 2


@pytest.mark.parametrize("indexed", [True, False])
async def test_what_a_review_rejected_or_a_person_forgot_is_never_recalled(past, indexed):
    findings = await past.add(*FACTS)
    await past.archive.retract("oldaaaaaaaaa", [findings[0].id])
    assert await past.quotes(indexed=indexed) == [FACTS[1]]
    past.archive._pages.clear()
    assert await past.quotes(indexed=indexed) == []


async def test_a_follow_up_question_knows_what_its_job_found_the_nearest_first(past):
    findings = await past.add("Snow is white.", *FACTS)
    await past.archive.save_job(a_job(GOAL).model_copy(update={"id": "oldaaaaaaaaa"}), findings, {})
    await past.archive.retract("oldaaaaaaaaa", [findings[2].id])
    known = await past.memory().of_job("oldaaaaaaaaa", a_job("does a heat pump move heat"))
    assert [finding.quote for finding in known] == [FACTS[0], "Snow is white."]
    assert await past.memory().of_job("unknownaaaaa", a_job(GOAL)) == []


def test_a_caller_can_do_without_memory():
    assert may_recall(a_job(GOAL))
    assert not may_recall(a_job(GOAL, memory=False))
    assert not may_recall(a_job(GOAL, limits=Limits(memory_max_age_seconds=0)))
    assert not may_recall(a_job(GOAL, intent="commerce", strategy="phase1_and_phase2"))


def remembered(pages, **inputs):
    findings = [
        a_finding(f"oldaaaaaaaaa:{n}", f"Fact {n}.", url=f"https://a.example/{n}").model_copy(
            update={"page_sha256": f"sha{n}"}
        )
        for n in range(pages)
    ]
    return with_findings_for_answer(a_job(GOAL, **inputs), findings, NOW), findings


def test_what_is_remembered_stands_beside_the_search_and_takes_no_page_of_it():
    job, findings = remembered(20, limits=Limits(max_visits=8))
    assert job.plan.stored == []
    assert (job.plan.remembered, job.plan.findings, visits_left(job)) == (20, 20, 8)
    assert "20 findings of oldaaaaaaaaa" in job.timeline[-1].text
    assert findings[0].fetched_at[:10] in job.timeline[-1].text
    assert "done" not in allowed_actions(job), "what is known is no reason not to look"


def test_all_first_steps_offer_the_same_whether_anything_is_remembered_or_not():
    job, _ = remembered(3)
    assert allowed_actions(job) == allowed_actions(a_job(GOAL)) == ["search"]


def test_a_job_that_remembers_begins_with_the_search_that_it_would_have_begun_with():
    job, findings = remembered(3)
    drive = Drive(job, ScriptedBrain(search("heat pumps"), done()))
    drive.findings = list(findings)
    drive.step(start(drive.job))
    assert [command.kind for command in drive.commands] == ["search"]
    drive.step(found(drive.commands[0], "https://a.example/1"))
    assert "done" in allowed_actions(drive.job)


def test_a_follow_up_question_reads_the_pages_of_its_job_first_and_they_count_for_nothing():
    own = StoredSource(url="file:///a.md", sha="own", title="Mine")
    job, findings = remembered(20, files=[own], about_job="oldaaaaaaaaa", limits=Limits(max_visits=4))
    assert len(job.plan.stored) == 1 + MAX_PAGES_AGAIN
    drive = Drive(job, ScriptedBrain(search("heat pumps")))
    drive.findings = list(findings)
    drive.step(start(drive.job))
    assert [(c.kind, c.slot, c.section.sha) for c in drive.commands] == [
        ("section", "_", "own"),
        *(("section", "_", f"sha{n}") for n in range(MAX_PAGES_AGAIN)),
    ]
    assert [visit.origin for visit in drive.job.visits] == ["file"] + ["memory"] * MAX_PAGES_AGAIN
    assert (drive.job.plan.stored, visits_left(drive.job)) == ([], 3)
    drive.step(*(read(command, f"New fact of {command.url}.") for command in drive.commands))
    assert [command.kind for command in drive.commands][-1] == "search"
    assert drive.job.plan.barren_rounds == 0
    assert (drive.job.plan.pages_read, visits_left(drive.job)) == (1 + MAX_PAGES_AGAIN, 3)


def test_stored_pages_that_say_nothing_new_do_not_count_as_a_barren_round():
    job, findings = remembered(1, about_job="oldaaaaaaaaa")
    drive = Drive(job, ScriptedBrain(search("heat pumps")))
    drive.findings = list(findings)
    drive.step(start(drive.job))
    drive.step(read(drive.commands[0], findings[0].quote))
    assert drive.job.plan.barren_rounds == 0


def test_pages_outside_the_wanted_dates_give_no_findings_and_results_none_to_visit():
    drive = Drive(a_job(GOAL, since="2026-01-01"), ScriptedBrain(search("heat pumps")))
    drive.step(start(drive.job))
    event = found(drive.commands[0], "https://a.example/1", "https://b.example/2")
    old = event.results[0].model_copy(update={"published": "2024-03-03"})
    drive.step(event.model_copy(update={"results": [old, event.results[1]]}))
    assert [result.url for result in drive.job.results] == ["https://b.example/2"]


def test_searches_go_back_to_the_callers_first_day():
    job = a_job(GOAL, since="2026-01-01").model_copy(update={"created_at": "2026-01-31T10:00:00+00:00"})
    drive = Drive(job, ScriptedBrain(search("heat pumps")))
    drive.step(start(drive.job))
    assert drive.commands[0].search.date_restrict == "d31"


async def test_what_an_offer_needed_is_not_mixed_into_a_how_to_about_the_same_thing(past):
    price = "A heat pump that heats a house costs 9,000 dollars."
    await past.add(price, kind="price_expectation")
    await past.add("Look for a heat pump with a quiet house unit.", command="oldb:2", kind="spec_to_look_for")
    await past.add("Salt air makes a heat pump at the house rust.", command="oldc:2", kind="warning")
    assert [text[:4] for text in await past.quotes()] == ["Salt"]
    assert price in await past.quotes(a_job("what does a heat pump for a house cost"))


async def test_what_a_shop_says_is_recalled_only_for_a_question_about_its_offers(past):
    shop = ("The heat pump for a house is in stock.", "This heat pump heats a house in all weathers.")
    await past.add(*FACTS)
    await past.add(*shop, command="oldb:2", url="https://b.example/p/pump")
    assert set(await past.quotes()) == set(FACTS)
    for question in ("what does a heat pump for a house cost", "is the heat pump for a house in stock?"):
        assert set(shop) & set(await past.quotes(a_job(question))), question


async def test_a_finding_that_has_none_of_the_questions_names_is_about_something_else(past):
    await past.add("The heat pump heats a house of the maker with water.")
    assert await past.quotes(a_job("how does the Zelkova heat pump heat a house")) == []
    assert len(await past.quotes(a_job("how does the heat pump heat a house"))) == 1
