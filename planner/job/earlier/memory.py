"""Recall what earlier jobs found about the same subject, no older than the caller allows."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime

from planner.goal.goal_subject import asked_of
from planner.goal.intent import asks_cost_or_stock, priorities
from planner.goal.topic_match import SAME_GOAL_MIN_COSINE, is_same_thing
from planner.job.allowances import is_date_wanted, is_host_wanted
from planner.memory.memory_search import by_words, hit_of, is_of_sibling, text_of_finding
from research_crawler.core.models.archive.memory import (
    MAX_HITS,
    FindingFilter,
    MemoryAnswer,
    MemoryHit,
    MemoryQuery,
)
from research_crawler.core.models.evidence.findings import Finding, FindingKind
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.ports.archives import Archive, VectorIndex
from research_crawler.core.ports.models import Embedder
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import content_words, stem
from research_crawler.text.measures.likeness import cosine, word_coverage
from research_crawler.text.measures.normal_quote import normal_quote
from research_crawler.text.questions.subject import subject_of
from research_crawler.text.source_types import source_type

_NEAR, MAX_NEAR = 0.35, 80
"""Least cosine of a finding and the goal, and most findings looked at. A forum's sentence about a laptop has 0.4 to
0.7; findings below 0.35 are not about the goal."""
MAX_JOBS_LOOKED_AT, MAX_JOBS_USED, MAX_RECALLED = 12, 3, 60
"""Most earlier jobs that are looked at, that are used, and most findings taken from them."""
MAX_OF_FIRST_JOB = 60
"""Most findings of a finished job that a follow-up question (`ask`) sees."""
RECENT_JOBS = 50
"""How many recent jobs are looked through if this process has no vector index."""
_SAME_SUBJECT, _SHARED_WORDS = 0.5, 0.5
"""Least cosine of a question and a finding of an earlier job, and least share of the question's words that the finding,
its title and its headings have, for it to be about the same subject. A question and its answer have 0.55 to 0.8; so
does another subject in the same words ("default port of MySQL"), so the words decide too."""
_LEAST_NAMES = 0.5
"""Least share of the question's names that a finding must have: both of a question that compares two things name it."""
_OF_OFFERS: frozenset[FindingKind] = frozenset(
    {"recommended_product", "price_expectation", "spec_to_look_for", "vendor_mentioned"}
)
"""Findings that only a question about choosing or paying asks for. A job about an offer has many of them, in the words
of every other question about the same thing."""
MAX_COMPARED_HERE = 40
"""Most findings that are embedded where there is no vector index; 40 of 25 words take 0.1 s."""
_NEWS_FINDING_MAX_AGE_S = 86_400
"""Older findings are no news, whatever the caller allows for other jobs."""
_LONGEST_S = 15.0
"""Longest time of a recall. After it the job starts as if nothing were known, at the cost of a phase 1."""
_KINDS: frozenset[FindingKind] = frozenset(
    {
        "recommended_product",
        "price_expectation",
        "spec_to_look_for",
        "recommendation",
        "warning",
        "vendor_mentioned",
    }
)

log = logging.getLogger(__name__)


AskMemory = Callable[[MemoryQuery], Awaitable[MemoryAnswer | None]]


async def _nobody(_: MemoryQuery) -> MemoryAnswer | None:
    """Ask nobody."""
    return None


class Memory:
    """Recalls findings of earlier jobs from the vector index and the archive."""

    def __init__(
        self,
        archive: Archive,
        embedder: Embedder,
        index: Callable[[], VectorIndex | None] = lambda: None,
        ask: AskMemory = _nobody,
    ) -> None:
        """Does no I/O.

        Args:
            index: gives the vector index that this process has open now, or None.
            ask: searches the memory by meaning in this process or in another one; None: it cannot be searched.
        """
        self._archive, self._embedder, self._index, self._ask = archive, embedder, index, ask

    async def recall(self, job: Job, now_ms: int) -> list[Finding]:
        """Fresh findings about what the job asks, best first; empty if there are none or a store fails."""
        age_s = job.limits.memory_max_age_seconds
        age_s = min(age_s, _NEWS_FINDING_MAX_AGE_S) if job.inputs.type == "news" else age_s
        since_ms = now_ms - int(age_s * 1000)
        since = datetime.fromtimestamp(max(0, since_ms) / 1000, UTC).isoformat(timespec="seconds")
        try:
            async with asyncio.timeout(_LONGEST_S):
                if job.inputs.intent == "commerce":
                    return await self._recall_for_offer(job, since)
                return await self._on_same_subject(job, since)
        except TimeoutError:
            log.info("job %s: earlier findings are not used, their search took over %g s", job.id, _LONGEST_S)
            return []
        except Exception:  # earlier findings help, but a job must be able to do without them
            log.warning("job %s: cannot look for earlier findings", job.id, exc_info=True)
            return []

    async def of_job(self, earlier: str, job: Job) -> list[Finding]:
        """The findings of the job to which this one is a follow-up question, those nearest to the question first."""
        archived = await self._archive.get_job(earlier)
        findings = await self._still_valid(archived[1]) if archived else []
        if not findings:
            return []
        texts = [text_of_finding(finding) for finding in findings]
        question, *vectors = await self._embedder.embed([asked_of(job.inputs), *texts])
        nearest = sorted(zip(findings, vectors, strict=True), key=lambda pair: -cosine(question, pair[1]))
        return [finding for finding, _ in nearest][:MAX_OF_FIRST_JOB]

    async def _on_same_subject(self, job: Job, since: str) -> list[Finding]:
        """Findings that fit the question by meaning and by its words, whatever job they were made for."""
        asked = asked_of(job.inputs)
        where = FindingFilter(since=since)
        hits = await self._hits(MemoryQuery(text=asked, where=where, limit=MAX_HITS))
        language = detect(asked)
        wanted = {stem(word, language) for word in content_words(asked, language)}
        subject = subject_of(asked, language=language)
        unasked = frozenset[str]() if _is_about_choice(asked) else _OF_OFFERS
        shops = _shops_of(hit.finding for hit in hits) if unasked else frozenset[str]()
        near = [
            hit.finding
            for hit in hits
            if (hit.similarity or 0.0) >= _SAME_SUBJECT
            and not hit.finding.is_snippet
            and hit.job != job.id
            and is_host_wanted(job, hit.finding.url)
            and is_date_wanted(job, hit.finding.published)
            and hit.finding.kind not in unasked
            and hit.finding.url not in shops
            and word_coverage(wanted, text_of_finding(hit.finding), language) >= _SHARED_WORDS
            and subject.share(text_of_finding(hit.finding)) >= _LEAST_NAMES
            and not is_of_sibling(subject.numbered, hit.finding)
        ]
        kept: dict[str, Finding] = {}
        for finding in await self._still_valid(near):
            kept.setdefault(normal_quote(finding.quote), finding)
        return list(kept.values())[:MAX_RECALLED]

    async def _hits(self, query: MemoryQuery) -> list[MemoryHit]:
        """What the memory has on a query, with similarities.

        A process that has just started makes its vector index in the background; then the findings that fit best by
        their words are compared by meaning here.
        """
        answer = await self._ask(query) or await by_words(self._archive, query)
        if answer.by == "meaning":
            return answer.hits
        near = answer.hits[:MAX_COMPARED_HERE]
        if not near:
            return []
        texts = [hit.finding.claim for hit in near]
        question, *vectors = await self._embedder.embed([query.text, *texts])
        return [
            hit_of(hit.finding, hit.score, cosine(question, vector))
            for hit, vector in zip(near, vectors, strict=True)
        ]

    async def _still_valid(self, findings: Sequence[Finding]) -> list[Finding]:
        """Those whose page is still stored and that no review has rejected: what was retracted stays so."""
        pages = await self._archive.kept_pages({finding.page_sha256 for finding in findings})
        return [f for f in await self._not_rejected(findings) if f.page_sha256 in pages]

    async def _recall_for_offer(self, job: Job, since: str) -> list[Finding]:
        (goal,) = await self._embedder.embed([asked_of(job.inputs)])
        found: dict[str, Finding] = {}
        used = 0
        for candidate in await self._jobs_near(goal):
            archived = await self._archive.get_job(candidate) if candidate != job.id else None
            if archived is None or not await self._serves(archived[0], job, goal):
                continue
            fresh = [f for f in archived[1] if f.kind in _KINDS and f.fetched_at >= since]
            fresh = await self._not_rejected(fresh)
            used += bool(fresh)
            for finding in fresh:
                found.setdefault(normal_quote(finding.quote), finding)
            if used == MAX_JOBS_USED:
                break
        return sorted(found.values(), key=lambda finding: -finding.score)[:MAX_RECALLED]

    async def _not_rejected(self, findings: Sequence[Finding]) -> list[Finding]:
        known = await self._archive.find_findings([finding.id for finding in findings])
        rejected = {finding.id for finding in known if finding.retracted}
        return [finding for finding in findings if finding.id not in rejected]

    async def _jobs_near(self, goal: Sequence[float]) -> list[str]:
        """Jobs with findings near the goal, the nearest first; recent jobs if there is no vector index."""
        index = self._index()
        if index is None:
            return [job.id for job in await self._archive.list_jobs(RECENT_JOBS)][:MAX_JOBS_LOOKED_AT]
        near = await index.search(list(goal), limit=MAX_NEAR)
        findings = await self._archive.find_findings([id_ for id_, score in near if score >= _NEAR])
        return list(dict.fromkeys(_jobs_of(findings)))[:MAX_JOBS_LOOKED_AT]

    async def _serves(self, earlier: Job, job: Job, goal: Sequence[float]) -> bool:
        """Whether an earlier job was about the same kind of product, for a buyer in the same country."""
        if earlier.state != "completed" or earlier.inputs.intent != "commerce":
            return False
        if earlier.inputs.region != job.inputs.region:
            return False
        if not is_same_thing(asked_of(job.inputs), asked_of(earlier.inputs)):
            return False
        (other,) = await self._embedder.embed([asked_of(earlier.inputs)])
        return cosine(goal, other) >= SAME_GOAL_MIN_COSINE


def _is_about_choice(question: str) -> bool:
    """Whether a question asks which one to take, what it costs or if it can be had."""
    return bool(priorities(question)) or asks_cost_or_stock(question)


def _shops_of(findings: Iterable[Finding]) -> frozenset[str]:
    """The pages of shops among those of findings, which search leaves out for such a question too."""
    quotes: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for finding in findings:
        quotes[finding.url, finding.title].append(finding.quote)
    return frozenset(
        url for (url, title), said in quotes.items() if source_type(url, title, " ".join(said)) == "vendor"
    )


def _jobs_of(findings: Iterable[Finding]) -> Iterable[str]:
    return (finding.command.rpartition(":")[0] for finding in findings)
