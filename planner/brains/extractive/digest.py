"""Write the answer to a question as a digest of excerpts, and say when the pages do not answer it."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.brains.extractive.passages import finding_text, relevance
from planner.brains.extractive.queries import aspects, question_of
from planner.text.agreement import says_the_same_of
from planner.text.messages import Messages
from planner.text.ranking import Bm25, cosine, normalised
from planner.text.sentences import DEPENDENT_START, sentence_spans
from planner.text.subject import subject_of
from planner.text.words import WORD, stem, terms
from research_crawler.core.models.decisions import ReportView, Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Depth
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of

DIGEST_WORDS: dict[Depth, int] = {"quick": 150, "standard": 520, "deep": 1_000}
"""About how many words a digest has. With 280, 460 and 540 words, the best excerpts hold 0.53, 0.64 and 0.69 of the
facts that answers to questions about manuals need."""
LEXICAL_SHARE = 0.25
"""How much BM25 among all findings adds to an excerpt's value."""
OLD_COST, MAX_OLD_YEARS = 0.03, 3
"""How much a finding loses for each year that its page is older than the newest one, for at most so many years."""
WORTH_SHOWING = 0.55
"""Least value of an excerpt, as a share of the best one."""
REPEATS = 0.93
"""Cosine from which an excerpt says what one before it says."""
ANSWERS, UNNAMED_COST = 0.45, 0.25
"""Cosine that the nearest excerpt must have with the question, and how much more if it lacks the question's names.

Of 30 questions about manuals, the five that these do not answer have at most 0.41, or 0.61 with no name of the question
in any excerpt; the others have 0.48 or more.
"""
ANSWERS_OTHER = 0.25
"""The same for a question in another language than English, the only one in which the packaged model is good: there
its names cannot be told from other nouns (German), and the pages may be in English."""
MEDIUM_NEARNESS = 0.6
"""Cosine of the nearest excerpt from which the digest is called certain to a medium degree. It is never called highly
certain: nothing has checked that the excerpts answer the question."""
SIMILAR, MAX_SIMILAR = 0.72, 2
"""Cosine from which excerpts of two hosts with the same names and figures are called similar."""
KEY_SENTENCES, KEY_EXCERPTS, KEY_NEARNESS = 6, 16, 0.4
SAME_SENTENCE = 0.85
KEY_WORDS = (6, 45)
"""Least and most words of a key finding."""
_NEAREST = 3


@dataclass(frozen=True)
class Item:
    """A finding with what the digest goes by."""

    place: int
    finding: Finding
    vector: Sequence[float]
    similarity: float
    value: float


@dataclass(frozen=True)
class Digest:
    """Excerpts in the order in which they are shown, and those that were left out, best first."""

    answer: list[Item]
    rest: list[Item]
    not_found: str = ""
    """If the findings do not answer the question: the titles of the nearest pages."""

    def sentences(self) -> list[Sentence]:
        """The answer, each excerpt under the headings of its section."""
        return [
            Sentence(
                text=item.finding.claim,
                evidence=[item.place],
                similar=self._similar(item),
                heading=_heading(item.finding),
                is_excerpt=True,
            )
            for item in self.answer
        ]

    def _similar(self, item: Item) -> list[int]:
        """Findings of other hosts with the same names and figures and nearly the same meaning."""
        host = host_of(item.finding.url)
        return [
            other.place
            for other in (*self.answer, *self.rest)
            if host_of(other.finding.url) != host
            and cosine(item.vector, other.vector) >= SIMILAR
            and says_the_same_of(item.finding.claim, other.finding.claim)
        ][:MAX_SIMILAR]


async def digest(view: ReportView, embedder: Embedder) -> Digest:
    """The excerpts that answer the question, by section; none if they do not answer it."""
    if not view.findings:
        return Digest([], [])
    question = question_of(view.goal, view.task)
    items = await _items(view, question, embedder)
    if reason := _not_found(view, question, items):
        return Digest([], items, reason)
    chosen = await _chosen(view, question, items, embedder)
    rest = [item for item in items if item not in chosen]
    return Digest(_by_section(chosen), rest)


async def _items(view: ReportView, question: str, embedder: Embedder) -> list[Item]:
    """The findings with their values, best first."""
    texts = [finding_text(f) for f in view.findings]
    question_vector, *vectors = await embedder.embed([question, *texts])
    lexical, wanted = normalised(Bm25(texts).scores(question)), terms(question)
    newest = max((finding.published for finding in view.findings), default="")
    items = []
    for place, (finding, vector) in enumerate(zip(view.findings, vectors, strict=True)):
        similarity = cosine(question_vector, vector)
        value = relevance(similarity, wanted, texts[place]) + LEXICAL_SHARE * lexical[place]
        value -= age_cost(finding.published, newest)
        # A sibling of the subject was marked down where the page was read.
        items.append(Item(place, finding, vector, similarity, value * min(1.0, 0.5 + finding.score)))
    return sorted(items, key=lambda item: -item.value)


def _not_found(view: ReportView, question: str, items: Sequence[Item]) -> str:
    """The titles of the nearest pages, if their excerpts do not answer the question; else empty."""
    nearest = max(item.similarity for item in items)
    is_english = view.language.startswith("en")
    needed = ANSWERS + UNNAMED_COST * _share_unnamed(question, items) if is_english else ANSWERS_OTHER
    if nearest >= needed:
        return ""
    near = sorted(items, key=lambda item: -item.similarity)
    titles = list(dict.fromkeys(item.finding.title or host_of(item.finding.url) for item in near))
    return "; ".join(titles[:_NEAREST])


def _share_unnamed(question: str, items: Sequence[Item]) -> float:
    """The share of the question's names and years that no excerpt and no title of its page has, 0 to 1."""
    subject = subject_of(question)
    names = subject.words | subject.years
    if not names:
        return 0.0
    text = " ".join(finding_text(i.finding) for i in items)
    known = {stem(word.lower().replace("’", "'").removesuffix("'s")) for word in WORD.findall(text)}
    return len(names - known) / len(names)


async def _chosen(view: ReportView, question: str, items: Sequence[Item], embedder: Embedder) -> list[Item]:
    """The best excerpt for each part of the question, then the best of all until the digest is long enough."""
    parts = aspects(question)
    vectors = await embedder.embed(parts) if parts else []
    first = [_nearest(items, vector) for vector in vectors]
    least = WORTH_SHOWING * items[0].value
    chosen: list[Item] = []
    room = DIGEST_WORDS[view.depth]
    by_place = {item.place: item for item in items}
    for place in dict.fromkeys(item.place for item in (items[0], *first, *items)):
        one = by_place[place]
        length = len(one.finding.claim.split())
        if chosen and (length > room or one.value < least or _repeats(one, chosen)):
            continue
        chosen.append(one)
        room -= length
    return chosen


def _nearest(items: Sequence[Item], part: Sequence[float]) -> Item:
    """The excerpt for one part of the question."""
    return max(items, key=lambda item: item.value + cosine(part, item.vector))


def _repeats(item: Item, chosen: Sequence[Item]) -> bool:
    return any(
        cosine(item.vector, other.vector) >= REPEATS
        or item.finding.claim in other.finding.claim
        or other.finding.claim in item.finding.claim
        for other in chosen
    )


def _by_section(chosen: Sequence[Item]) -> list[Item]:
    """The excerpts by page and section in the order of the best of each, and by place inside a section."""
    sections: dict[tuple[str, str], list[Item]] = {}
    for item in chosen:
        sections.setdefault((item.finding.url, item.finding.heading), []).append(item)
    return [item for section in sections.values() for item in sorted(section, key=lambda i: i.finding.start)]


def _heading(finding: Finding) -> str:
    """Title and section of an excerpt: `Guide: Setup`."""
    section = finding.heading.rsplit(" > ", 1)[-1].strip(" ¶#")
    title = finding.title.strip()
    if not section or section.lower() in title.lower():
        return title
    return f"{title}: {section}" if title else section


def age_cost(published: str, newest: str) -> float:
    """How much a finding loses because its page is older than the newest one; nothing if a date is unknown."""
    if not (published[:4].isdecimal() and newest[:4].isdecimal()):
        return 0.0
    return OLD_COST * min(MAX_OLD_YEARS, int(newest[:4]) - int(published[:4]))


async def key_sentences(view: ReportView, found: Digest, embedder: Embedder) -> list[Sentence]:
    """The sentence of each of the best excerpts that is nearest to the question, each said once."""
    items = [] if found.not_found else sorted([*found.answer, *found.rest], key=lambda item: -item.value)
    candidates = [
        (item, sentence) for item in items[:KEY_EXCERPTS] for sentence in _whole_sentences(item.finding.claim)
    ]
    if not candidates:
        return []
    question = question_of(view.goal, view.task)
    question_vector, *vectors = await embedder.embed([question, *(sentence for _, sentence in candidates)])
    best: dict[int, tuple[float, str, Sequence[float], Item]] = {}
    for (item, sentence), vector in zip(candidates, vectors, strict=True):
        nearness = cosine(question_vector, vector)
        if item.place not in best or nearness > best[item.place][0]:
            best[item.place] = (nearness, sentence, vector, item)
    kept: list[tuple[str, Sequence[float], Item]] = []
    for nearness, sentence, its_vector, item in sorted(best.values(), key=lambda one: -one[0]):
        is_new = all(cosine(its_vector, other) < SAME_SENTENCE for _, other, _ in kept)
        if nearness >= KEY_NEARNESS and is_new and len(kept) < KEY_SENTENCES:
            kept.append((sentence, its_vector, item))
    return [Sentence(text=sentence, evidence=[item.place]) for sentence, _, item in kept]


def digest_certainty(view: ReportView, found: Digest) -> str:
    """What the answer is and how far it can be relied on."""
    say = Messages(view.language)
    if not view.findings:
        return say("certainty_none")
    if found.not_found:
        return ""
    pages = len({item.finding.url for item in found.answer})
    hosts = len({host_of(item.finding.url) for item in found.answer})
    nearest = max(item.similarity for item in found.answer)
    level = say("certainty_medium" if nearest >= MEDIUM_NEARNESS else "certainty_low")
    lack = f" {say('missing', items='; '.join(view.missing))}" if view.missing else ""
    return say("certainty_digest", level=level, pages=pages, hosts=hosts) + lack


def _whole_sentences(text: str) -> list[str]:
    """Sentences that say something by themselves."""
    found = (text[start:end] for start, end in sentence_spans(text))
    return [
        sentence
        for sentence in found
        if sentence[-1] in ".!。"
        and KEY_WORDS[0] <= len(sentence.split()) <= KEY_WORDS[1]
        and not DEPENDENT_START.match(sentence)
    ]
