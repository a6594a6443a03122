"""Extract findings from a page without a model: its excerpts that come nearest to the question."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter

from planner.brains.extractive.nearness import SimilarityIndex, excerpt_in_context
from planner.brains.extractive.policy.commerce import finding_kind, quotable_sentences
from planner.brains.question_and_outline import question_to_answer
from planner.job.job_editor import MAX_SUMMARY
from research_crawler.core.models.evidence.findings import Extraction, ProposedFinding
from research_crawler.core.models.jobs.decisions import PageView
from research_crawler.core.models.messages.commands import JobContext
from research_crawler.core.models.web.pages import Passage
from research_crawler.core.ports.crawler import PageParser
from research_crawler.core.ports.models import Embedder
from research_crawler.text.languages.language import detect
from research_crawler.text.markdown_blocks.excerpts import excerpts
from research_crawler.text.measures.embedded_text import embedded
from research_crawler.text.measures.likeness import Bm25
from research_crawler.text.measures.ranking import choose_passages, passage_scores

_MOST_COMPARED: Final = 8
"""Most excerpts of a page that get a vector, chosen by BM25, beside two for each part of the question (about 32
sentences). Of 12 questions on manuals, 16, 12 and 8 give the same facts within 600 words (0.700), and 0.533, 0.533 and
0.567 of them within 200; 6 give 0.433 of them there."""
MAX_FINDINGS: Final = 10
"""Most findings that are kept of one page."""
_MOST_PARTS: Final = 4
"""Most questions beside that of the job with which excerpts are compared. To compare them, and results, with the
parts of a question too found 106 instead of 107 facts of 100 questions, 19 of which have parts."""
OF_EACH_PART: Final = 2
"""So many of the best excerpts that fit one part of the question better than the others are among the findings."""
LEAST_OF_PAGE: Final = 0.3
"""Least fit of a finding, as a share of the page's best one. Of 163 facts on manuals and the small web that nobody
looked at, 118 stand within 600 words and 76 in the first 200; with 0.5 114 and 71, without it 117 and 73."""
_QUESTION_MARKS: Final = "?？؟"
"""What ends a question, in Latin, Chinese and Arabic script."""


@dataclass(frozen=True)
class Piece:
    """A piece of a page that can be quoted: `markdown[start:end]`."""

    start: int
    end: int
    heading: str
    text: str
    is_sentence: bool = False
    """It says one thing, as sentences about a purchase do; else it is an excerpt."""


_PIECES = TypeAdapter(list[Piece])
_PASSAGES = TypeAdapter(list[Passage])
_QUESTIONS = TypeAdapter(list[str])
Picker = Callable[[PageView, Sequence[str]], Awaitable[list[Piece]]]
"""Gives the pieces of a page that have most of the words of these questions, in page order."""


async def pick_here(page: PageView, asked: Sequence[str]) -> list[Piece]:
    """Pick from a page in this process."""
    return _picked(page.markdown, page.passages, page.title, asked, page.job_context.intent)


def pick_by(parser: PageParser) -> Picker:
    """Pick from pages in the processes that read them, under their limits, so that no page holds up a crawler."""

    async def pick(page: PageView, asked: Sequence[str]) -> list[Piece]:
        passages = _PASSAGES.dump_json([passage.changed(text="") for passage in page.passages]).decode()
        arguments = (page.markdown, passages, page.title, _QUESTIONS.dump_json(list(asked)).decode())
        answer = await parser.run(picked_json, *arguments, page.job_context.intent, url=page.url)
        return _PIECES.validate_json(answer)

    return pick


def picked_json(markdown: str, passages: str, title: str, asked: str, intent: str) -> str:
    """The pick from a page for another process: passages, questions and the answer are JSON."""
    found = _picked(
        markdown, _PASSAGES.validate_json(passages), title, _QUESTIONS.validate_json(asked), intent
    )
    return _PIECES.dump_json(found).decode()


def pick_while_read(
    markdown: str, title: str, passages: Sequence[Passage], job_context_json: str, /, *, most_tokens: int
) -> str:
    """A `PageProcessor`: the pick from a page in the process that reads it, as JSON.

    Args:
        markdown: the page.
        title: its title.
        passages: all of it.
        job_context_json: the `JobContext`.
        most_tokens: of a longer page only the passages that have most of the goal's words are picked from.
    """
    job_context = JobContext.model_validate_json(job_context_json)
    passages = _without_question(markdown, title, passages)
    if sum(passage.tokens for passage in passages) > most_tokens:
        scores = passage_scores(job_context.words, passages, detect(job_context.words))
        passages = choose_passages(passages, scores, most_tokens)
    return _PIECES.dump_json(
        _picked(markdown, passages, title, _asked(job_context), job_context.intent)
    ).decode()


def _asked(job_context: JobContext) -> list[str]:
    """The question of a job, and what its caller or a model asks beside it."""
    return [question_to_answer(job_context.goal, job_context.task), *job_context.sub_questions[:_MOST_PARTS]]


def _picked(
    markdown: str, passages: Sequence[Passage], title: str, asked: Sequence[str], intent: str
) -> list[Piece]:
    passages = _without_question(markdown, title, passages)
    pieces = [Piece(one.start, one.end, one.heading, one.text) for one in excerpts(markdown, passages)]
    best = _by_words(pieces, title, asked)
    if intent != "commerce":
        return best
    sentences = [Piece(*one, is_sentence=True) for one in quotable_sentences(markdown, list(passages))]
    return [*best, *_by_words(sentences, title, asked)]


def _without_question(markdown: str, title: str, passages: Sequence[Passage]) -> Sequence[Passage]:
    """The replies of a thread whose first post, or title, asks something: who asks does not answer.

    A first post that asks nothing tells something, as its replies do. Of 14 threads of sites that nobody looked at,
    asked by their titles, 10 instead of 5 answers begin with what a reply says to it, and 13 instead of 7 of 28 things
    that replies say stand in the first 100 words; none is lost.
    """
    replies = [one for one in passages if not one.is_opening]
    if not replies or len(replies) == len(passages):
        return passages
    asking = f"{title}\n{markdown[passages[0].start : replies[0].start]}"
    return replies if any(mark in asking for mark in _QUESTION_MARKS) else passages


def _by_words(pieces: Sequence[Piece], title: str, asked: Sequence[str]) -> list[Piece]:
    """The best of some pieces by BM25 for each question in turn, in page order."""
    bm25 = Bm25([excerpt_in_context(title, one.heading, one.text) for one in pieces], detect(asked[0]))
    rows = [bm25.scores(one) for one in asked]
    best = [sorted(range(len(pieces)), key=lambda index: (-row[index], index)) for row in rows]
    in_turn = dict.fromkeys(index for turn in zip(*best, strict=True) for index in turn)
    most = _MOST_COMPARED + OF_EACH_PART * (len(asked) - 1)
    return [pieces[index] for index in sorted(list(in_turn)[:most])]


async def extract_quotes(page: PageView, embedder: Embedder, pick: Picker = pick_here) -> Extraction:
    """The page's best excerpts for the goal as findings, each a slice of the stored text.

    For shopping there are sentences as well, each of which says one thing, from which offers are searched and judged.
    """
    if page.nosnippet:
        return Extraction(by="extractive", note="the page forbids quotes (nosnippet)")
    asked = _asked(page.job_context)
    pieces = _PIECES.validate_json(page.picked) if page.picked else await pick(page, asked)
    if not pieces:
        return Extraction(by="extractive")
    texts = [excerpt_in_context(page.title, one.heading, one.text) for one in pieces]
    vectors = await embedder.embed([*asked, *(embedded(one.text) for one in pieces)])
    index = SimilarityIndex(texts, vectors[len(asked) :], detect(asked[0]))
    fits = [
        [one.fit for one in index.similarities_to(text, vector)]
        for text, vector in zip(asked, vectors[: len(asked)], strict=True)
    ]
    best = [max(of) for of in zip(*fits, strict=True)]
    chosen = _with_each_part(fits, best)
    chosen += [number for number in _best_of_kinds(pieces, best) if number not in chosen]
    return _extraction([_proposed(page, pieces[number], best[number]) for number in chosen], max(best))


def _with_each_part(fits: Sequence[Sequence[float]], best: Sequence[float]) -> list[int]:
    """The indexes of the best pieces, best first, and among them the best of those that fit each part best."""
    order = sorted(range(len(best)), key=lambda index: -best[index])
    nearest = [max(range(len(fits)), key=lambda part: fits[part][index]) for index in range(len(best))]
    of_parts: list[int] = []
    for part in range(len(fits)):
        of_parts += [index for index in order if nearest[index] == part][:OF_EACH_PART]
    least = LEAST_OF_PAGE * best[order[0]]
    kept = list(dict.fromkeys([*of_parts, *order]))[:MAX_FINDINGS]
    return [index for index in order if index in kept and best[index] >= least]


def _best_of_kinds(pieces: Sequence[Piece], best: Sequence[float]) -> list[int]:
    """The best sentences of each kind that a purchase needs: a model that is recommended, a price, a warning."""
    of_kinds: dict[str, list[int]] = {}
    for index in sorted(range(len(pieces)), key=lambda index: -best[index]):
        if pieces[index].is_sentence:
            of_kinds.setdefault(finding_kind(pieces[index].text), []).append(index)
    return [index for indexes in of_kinds.values() for index in indexes[:OF_EACH_PART]]


def _proposed(page: PageView, piece: Piece, fit: float) -> ProposedFinding:
    return ProposedFinding(
        kind=finding_kind(piece.text) if piece.is_sentence else "key_fact",
        claim=piece.text,
        quote=page.markdown[piece.start : piece.end],
        heading=piece.heading,
        score=round(min(1.0, fit), 3),
        start=piece.start,
    )


def _extraction(findings: list[ProposedFinding], relevance: float) -> Extraction:
    relevance = min(1.0, max(0.0, relevance))
    return Extraction(
        by="extractive",
        relevance=round(relevance, 2),
        confidence=round(min(0.9, relevance * (0.6 + 0.1 * len(findings))), 2) if findings else 0.0,
        summary=_summary(findings),
        findings=findings,
    )


def _summary(findings: Sequence[ProposedFinding]) -> str:
    """The best finding, shortened."""
    text = findings[0].claim if findings else ""
    return text if len(text) <= MAX_SUMMARY else text[: MAX_SUMMARY - 1].rsplit(" ", 1)[0] + "…"
