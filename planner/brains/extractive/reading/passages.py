"""Find the excerpts of a page that answer a question, and rate how near each is to it."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from planner.brains.extractive.asking.queries import aspects, question_of
from planner.brains.extractive.reading.kinds import finding_kind, is_furniture
from planner.brains.extractive.reading.relevance import ASPECT_SHARE, MAX_ASPECTS, NEIGHBOUR_FACTOR
from planner.outline.kinds import is_answer_kind
from research_crawler.core.models.decisions import PageView
from research_crawler.core.models.findings import Finding, ProposedFinding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.manual_words import with_manual_words
from research_crawler.text.pieces.excerpts import Excerpt, excerpts
from research_crawler.text.ranking import Bm25, cosine, normalised
from research_crawler.text.sentences import DEPENDENT_START
from research_crawler.text.statements import only_refers, points_elsewhere
from research_crawler.text.subject import subject_of
from research_crawler.text.words import overlap, terms

MOST_EMBEDDED, MOST_LABELLED = 14, 6
"""Most excerpts of a page that are embedded, chosen by BM25 (0.2 s of one core), and most further ones, chosen by what
names them: a listing under "Undo a commit and redo" has few of the question's words in its lines."""
_LABEL_CHARS = 60
MAX_FINDINGS = 12
OF_EACH_PART = 3
"""So many of the best excerpts that are nearer to one part of the question than to the others are among the findings: a
page about two things may say more about one of them than the findings of a page have room for."""
WITHOUT_KIND = 0.85
"""Factor for an excerpt without the kind of thing that a part asks for: a duration, a version, a number."""
DENSE_SHARE = 0.75
"""Weight of the cosine; the rest is the share of the question's words in the excerpt and its headings."""
DENSE_FLOOR, DENSE_CEILING = 0.05, 0.8
"""MiniLM's cosines of a question with unrelated text and with an excerpt that answers it, headings included."""
LEAST_RELEVANCE, LEAST_OF_PAGE = 0.3, 0.5
"""Least score of a finding, and least share of the page's best score."""
PART_WEIGHT = 0.9
"""Weight of an excerpt's similarity to one part of the question, compared with that to all of it."""
LEANING = 0.85
"""Factor for an excerpt whose first sentence needs the one before it, which it lacks."""
_LEAST_WORDS, _FEW_WORDS, _SHORT_WORDS = 4, 8, 13
"""An excerpt of fewer words is a label, and one of few words too unless it is a sentence or has a figure. A short one
is near to the question by the title of its page alone, unless it has a word of the question, a figure or code."""
_CODE_SIGN = re.compile(r"\d|[A-Za-z]_[A-Za-z]|(?:^|\s)--?[A-Za-z]|[/\\$={}<>]|\w\(\)")
_TRAIL = " > "
_HALF = re.compile(r"[a-zß-öø-ÿ]{2,}[ ,.;)]")


@dataclass(frozen=True)
class Ranked:
    """An excerpt with its score, 0 to 1."""

    excerpt: Excerpt
    score: float
    by_part: tuple[float, ...] = ()
    """Its scores for the parts of the question, if there are several."""


async def proposed_from(page: PageView, embedder: Embedder) -> tuple[list[ProposedFinding], float]:
    """The page's best excerpts for the question, best first, at most twelve; and the best score of all."""
    ranked = await rank_excerpts(page, embedder)
    best = ranked[0].score if ranked else 0.0
    enough = [one for one in ranked if one.score >= max(LEAST_RELEVANCE, LEAST_OF_PAGE * best)]
    chosen = _with_each_part(enough)
    return [_proposed(page, one) for one in chosen], best


def _with_each_part(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The best of these excerpts, and among them the best ones for each part of the question."""
    by_part: defaultdict[int, list[Ranked]] = defaultdict(list)
    for one in ranked:
        if one.by_part:
            by_part[one.by_part.index(max(one.by_part))].append(one)
    own = [
        one
        for part, near in by_part.items()
        for one in sorted(near, key=lambda one: -one.by_part[part])[:OF_EACH_PART]
    ]
    kept = [*own, *(one for one in ranked if one not in own)][:MAX_FINDINGS]
    return [one for one in ranked if one in kept]


async def rank_excerpts(page: PageView, embedder: Embedder) -> list[Ranked]:
    """The excerpts of a page with their scores for the question, best first."""
    question = question_of(page.purpose.goal, page.purpose.task)
    wanted_words = frozenset(terms(question))
    found = [
        piece
        for piece in excerpts(
            page.markdown, page.passages, is_noise=lambda text: is_furniture(text, question)
        )
        if _says_enough(piece.text, wanted_words)
    ]
    texts = [shown(page.title, piece.heading, piece.text) for piece in found]
    asked = [with_manual_words(question), *(page.purpose.questions or aspects(question)[:MAX_ASPECTS])]
    bm25 = Bm25(texts)
    lexical = [max(scores) for scores in zip(*(normalised(bm25.scores(one)) for one in asked), strict=True)]
    chosen = _most_promising(found, lexical, wanted_words, asked)
    if not chosen:
        return []
    vectors = await embedder.embed([*asked, *(texts[place] for place in chosen)])
    wanted = [terms(one) for one in asked]
    subject = subject_of(page.purpose.goal, page.purpose.task)
    ranked = []
    for place, vector in zip(chosen, vectors[len(asked) :], strict=True):
        scores = (
            relevance(cosine(one, vector), words, texts[place]) * _kind_factor(told, found[place].text)
            for one, words, told in zip(vectors, wanted, asked, strict=False)
        )
        whole, *parts = scores
        score = max([whole, *(ASPECT_SHARE * part for part in parts)])
        factor = NEIGHBOUR_FACTOR if subject.is_neighbour(texts[place]) else 1.0
        factor *= LEANING if leans(found[place].text) else 1.0
        ranked.append(
            Ranked(found[place], round(factor * score, 3), tuple(round(factor * part, 3) for part in parts))
        )
    return sorted(ranked, key=lambda one: -one.score)


def _kind_factor(asked: str, text: str) -> float:
    return 1.0 if is_answer_kind(asked, text) else WITHOUT_KIND


def _most_promising(
    found: Sequence[Excerpt], lexical: Sequence[float], wanted: Collection[str], asked: Sequence[str]
) -> list[int]:
    """The excerpts that are worth embedding: the best by BM25, those whose labels have the question's words, and where
    there is room for more, those with the kind of thing that is asked for: "defaults to 90 days" has no word of it."""
    ranked = sorted(range(len(found)), key=lambda place: (-lexical[place], place))
    rest = ((overlap(wanted, _label(found[place])), place) for place in ranked[MOST_EMBEDDED:])
    labelled = sorted((one for one in rest if one[0] > 0), key=lambda one: -one[0])
    chosen = [*ranked[:MOST_EMBEDDED], *(place for _, place in labelled[:MOST_LABELLED])]
    further = (place for place in ranked if place not in chosen)
    room = MOST_EMBEDDED + MOST_LABELLED - len(chosen)
    of_kind = [place for place in further if _is_of_asked_kind(asked, found[place].text)]
    return [*chosen, *of_kind[:room]]


def _is_of_asked_kind(asked: Sequence[str], text: str) -> bool:
    """Whether an excerpt has the kind of thing that some part asks for, if one asks for a kind at all."""
    return any(is_answer_kind(one, text) and not is_answer_kind(one, "") for one in asked)


def _label(piece: Excerpt) -> str:
    """What names an excerpt: the last heading above it, and its first words."""
    return f"{piece.heading.rsplit(_TRAIL, 1)[-1]}\n{piece.text[:_LABEL_CHARS]}"


def _says_enough(text: str, wanted: Collection[str]) -> bool:
    """Whether an excerpt says something about a question with these stems, and not only where something stands."""
    words = len(text.split())
    if only_refers(text):
        return False
    is_told = text.endswith((".", "!", "。")) or any(char.isdigit() for char in text)
    if words < (_LEAST_WORDS if is_told else _FEW_WORDS):
        return False
    if words >= _SHORT_WORDS:
        return True
    if points_elsewhere(text) or text.count(_TRAIL) > 1:
        return False
    return _CODE_SIGN.search(text) is not None or not frozenset(terms(text)).isdisjoint(wanted)


def leans(text: str) -> bool:
    """Whether a text begins in the middle of a sentence, or with a pronoun for what stood before it."""
    return DEPENDENT_START.match(text) is not None or _HALF.match(text) is not None


def shown(title: str, heading: str, text: str) -> str:
    """An excerpt as rankers see it: with the page's title and its headings, which say what it is about."""
    above = " > ".join(part for part in (title, heading) if part)
    return f"{above}\n{text}" if above else text


def finding_text(finding: Finding) -> str:
    """A finding as rankers see it: the same text as its excerpt, so that its vector is known."""
    return shown(finding.title, finding.heading, finding.claim)


def relevance(similarity: float, wanted: Sequence[str], text: str) -> float:
    """How well an excerpt answers a question, 0 to 1, by its cosine and by the question's stems."""
    dense = min(1.0, max(0.0, (similarity - DENSE_FLOOR) / (DENSE_CEILING - DENSE_FLOOR)))
    return DENSE_SHARE * dense + (1 - DENSE_SHARE) * overlap(wanted, text)


def _proposed(page: PageView, one: Ranked) -> ProposedFinding:
    piece, intent = one.excerpt, page.purpose.intent
    return ProposedFinding(
        # For shopping, a whole excerpt is no price and no recommended model: one of its sentences is.
        kind="key_fact" if intent == "commerce" else finding_kind(piece.text, intent),
        claim=piece.text,
        quote=page.markdown[piece.start : piece.end],
        heading=piece.heading,
        score=one.score,
        start=piece.start,
    )
