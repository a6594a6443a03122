"""A new job needs no phase 1, or only a part of it, if earlier jobs found enough about the same kind of product."""

import pytest

from planner.goal.topic_match import is_same_thing
from planner.job.earlier.memory import Memory
from planner.job.earlier.prior_intelligence import prior_intelligence_of, section_from
from planner.job.earlier.recall import wants_recall, with_findings_for_answer, with_findings_for_offer
from planner.reports.records.documents import context_document, documents
from planner.rounds.brain_view import targeted_task
from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.adapters.in_memory.vector_index import MemoryIndex
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.reports.report import Phase1Intelligence, PriceRange
from tests.cases import each_case
from tests.planner.scripted import a_finding, a_job

NOW = 1_767_322_245_000
"""2026-01-02T02:50:45Z; scripted findings were read a quarter of an hour later."""
DAY_MS = 86_400_000
GOAL = "Find me a cheap gaming laptop with an RTX card"
FULL = (
    ("I recommend the Lynx 15 laptop.", "recommended_product"),
    ("A gaming laptop costs $800.", "price_expectation"),
    ("Look for a laptop with 16 GB.", "spec_to_look_for"),
)


def buying(goal: str = GOAL, name: str = "newaaaaaaaaa", **more) -> Job:
    inputs = {"intent": "commerce", "region": "US", "currency": "USD"} | more
    return a_job(goal, limits=Limits(), **inputs).model_copy(
        update={"id": name, "strategy": "phase1_and_phase2"}
    )


class Earlier:
    """An archive and an index with the findings of an earlier job."""

    def __init__(self) -> None:
        self.archive, self.embedder = MemoryArchive(), HashEmbedder()
        self.index = MemoryIndex()

    async def add(self, job: Job, quotes=FULL) -> list[Finding]:
        command = f"{job.id}:2"
        findings = [
            a_finding(command, quote, kind=kind, url="https://forum.example/1") for quote, kind in quotes
        ]
        vectors = await self.embedder.embed([finding.quote for finding in findings])
        event = CommandDone(uid=command, job=job.id, command=command, findings=findings)
        await self.archive.index_event(event)
        await self.index.replace(command, findings, vectors)
        done = job.model_copy(update={"state": "completed", "completed_at": "2026-01-02T03:05:00+00:00"})
        await self.archive.save_job(done, findings, {})
        return findings

    def memory(self, *, indexed: bool = True) -> Memory:
        return Memory(self.archive, self.embedder, lambda: self.index if indexed else None)


@pytest.fixture
def earlier_jobs() -> Earlier:
    return Earlier()


@pytest.mark.parametrize("indexed", [True, False])
async def test_fresh_findings_about_the_same_product_are_recalled(earlier_jobs, indexed):
    findings = await earlier_jobs.add(
        buying("cheap gaming laptop with an RTX card, find me one", "oldaaaaaaaaa")
    )
    found = await earlier_jobs.memory(indexed=indexed).recall(buying(), NOW)
    assert {finding.id for finding in found} == {finding.id for finding in findings}


async def test_findings_that_are_too_old_do_not_count(earlier_jobs):
    await earlier_jobs.add(buying(name="oldaaaaaaaaa"))
    assert await earlier_jobs.memory().recall(buying(), NOW + 8 * DAY_MS) == []
    longer = buying().model_copy(update={"limits": Limits(memory_max_age_seconds=30 * 86_400)})
    assert len(await earlier_jobs.memory().recall(longer, NOW + 8 * DAY_MS)) == 3


@pytest.mark.parametrize(
    "earlier",
    [
        buying("Find me a cheap gaming chair with an RTX card", "oldaaaaaaaaa"),
        buying(name="oldaaaaaaaaa", region="DE", currency="EUR"),
        buying(name="oldaaaaaaaaa", intent="informational"),
    ],
    ids=["another product", "another country", "not commerce"],
)
async def test_findings_about_other_products_or_for_other_buyers_do_not_count(earlier_jobs, earlier):
    await earlier_jobs.add(earlier)
    assert await earlier_jobs.memory().recall(buying(), NOW) == []


async def test_a_job_runs_phase_1_if_its_memory_fails(earlier_jobs, caplog):
    class Broken(MemoryIndex):
        async def search(self, vector, *, limit=10, job=None):
            raise ConnectionError("no server")

    memory = Memory(earlier_jobs.archive, earlier_jobs.embedder, Broken)
    assert await memory.recall(buying(), NOW) == []
    assert "cannot look for earlier findings" in caplog.text


async def test_a_job_with_full_intelligence_starts_with_vendors_and_its_plan_says_why(earlier_jobs):
    findings = await earlier_jobs.add(buying(name="oldaaaaaaaaa"))
    job = with_findings_for_offer(buying(), findings, NOW)
    assert job.strategy == "phase2_only"
    texts = documents(job, findings)
    plan = texts["research_plan.md"]
    assert "phase2_only: full intelligence: recommended products, the price range, specs" in plan
    assert "known from job oldaaaaaaaaa" in plan
    assert f"- {findings[0].id} recommended_product: I recommend the Lynx 15 laptop." in plan
    assert "- recommended product: I recommend the Lynx 15 laptop." in texts["context.md"]
    assert texts["research_state.md"].rstrip().endswith("known from job oldaaaaaaaaa")


async def test_a_job_with_partial_intelligence_asks_phase_1_only_for_the_rest(earlier_jobs):
    findings = await earlier_jobs.add(buying(name="oldaaaaaaaaa"), FULL[:1])
    job = with_findings_for_offer(buying(), findings, NOW)
    assert (job.strategy, job.plan.targets) == ("phase1_and_phase2", ["the price range", "specs to look for"])
    assert targeted_task(job) == "find only the price range, specs to look for"
    assert targeted_task(buying(task="t")) == "t"


@pytest.mark.parametrize("job", [buying(), a_job()], ids=["an offer", "knowledge"])
def test_earlier_findings_are_looked_for_once(job):
    assert wants_recall(job)
    assert not wants_recall(with_findings_for_offer(job, [], NOW))
    assert not wants_recall(with_findings_for_answer(job, [], NOW))


@each_case(
    ("goal", "other", "same"),
    [
        (GOAL, "cheapest gaming laptop under $900", True),
        (GOAL, "buy a gaming laptop", True),
        (GOAL, "buy a gaming chair", False),
        ("find me a quiet dishwasher", "find me a quiet washing machine", False),
        ("a used road bike", "a used mountain bike", False),
        ("cheap gaming laptop backpack", "cheap gaming laptop", False),
        ("find me a cheap hand coffee grinder", "find me a cheap electric coffee grinder", False),
    ],
)
def test_two_goals_are_about_the_same_product_if_its_name_is_the_same(goal, other, same):
    assert is_same_thing(goal, other) is same


CONTEXT = """# Context
## §1 Query
A gaming laptop.
## §2 Prior Research Intelligence (2026-01-01)
Research on gaming laptops.
### Recommended Models
- Orlo Lynx 15, Tamsin Forge 15
### Price Expectations
- $800 to $1,000
**What to look for:** RTX 4060, 16 GB
Vendors: Voltmart
## §3 Other
- Recommended: nothing
"""


def test_section_2_of_the_callers_context_counts_as_prior_intelligence():
    prior = prior_intelligence_of(CONTEXT, GOAL)
    assert prior.products == ("Orlo Lynx 15", "Tamsin Forge 15")
    assert (prior.prices.min, prior.prices.max, prior.prices.currency) == (800, 1000, "USD")
    assert prior.specs == ("RTX 4060, 16 GB",)
    assert prior.vendors == ("Voltmart",)
    job = with_findings_for_offer(buying(context=CONTEXT), [], NOW)
    assert job.strategy == "phase2_only"
    assert "§2 of the context" in job.strategy_reason


def test_prior_intelligence_that_is_old_or_about_another_product_does_not_count():
    assert prior_intelligence_of(CONTEXT, GOAL, oldest="2026-01-02").kinds == []
    assert prior_intelligence_of(CONTEXT, GOAL, oldest="2025-12-31").kinds
    assert prior_intelligence_of(CONTEXT, "a quiet dishwasher").kinds == []
    assert prior_intelligence_of("§2 is not a heading. Recommended: x", GOAL).kinds == []
    assert (
        prior_intelligence_of("## §2 Prior\ngaming laptop\n### Recommended Models\n(none yet)\n", GOAL).kinds
        == []
    )


def test_a_section_that_names_only_products_is_taken_at_its_word():
    text = "## §2\n### Recommended Models\n- Orlo Lynx 15\n\n## §3 Else\nA dishwasher"
    assert prior_intelligence_of(text, "cheap gaming laptop with an RTX card").products == ("Orlo Lynx 15",)


def test_a_section_about_the_kind_of_product_serves_a_narrower_goal():
    text = "## §2 Prior Research Intelligence\nLaptops\n### Recommended Models\n- Orlo Lynx 15\n"
    assert prior_intelligence_of(text, "cheap gaming laptop with an RTX card").products
    assert not prior_intelligence_of(text, "a quiet dishwasher").products


def test_our_own_context_document_can_be_given_back_as_context():
    job = buying(context=CONTEXT)
    again = prior_intelligence_of(context_document(job), GOAL)
    assert again.products == prior_intelligence_of(CONTEXT, GOAL).products


def test_the_section_made_from_a_phase_1_can_be_read_back():
    phase1 = Phase1Intelligence(
        success=True, goal="gaming laptop", search_terms=["Orlo Lynx 15"], vendor_hints=["Voltmart"],
        price_range=PriceRange(min=800, max=1000, currency="USD"), intelligence={"specs_to_look_for": ["16 GB"]},
    )  # fmt: skip
    prior = prior_intelligence_of(section_from(phase1), GOAL)
    assert (prior.products, prior.vendors, prior.specs) == (("Orlo Lynx 15",), ("Voltmart",), ("16 GB",))
    assert (prior.prices.min, prior.prices.max) == (800, 1000)
