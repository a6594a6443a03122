"""Choose the sentences that lead a digest, and its key findings, and count the hosts that say the same."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from planner.brains.extractive.reading.passages import relevance
from planner.brains.extractive.stating.asked import Asked
from planner.brains.extractive.stating.statements import worth_of_sentence
from planner.brains.extractive.stating.things import things_of
from planner.brains.extractive.writing.excerpt_order import Digest, PartOfDigest
from planner.brains.extractive.writing.leading_fit import fit_to_lead
from planner.evidence.evidence_statements import EvidenceStatement
from planner.evidence.parsed_sentence import is_same_fact
from research_crawler.core.models.drafts import Sentence
from research_crawler.core.models.jobs import Depth
from research_crawler.text.pieces.excerpt_markdown import without_sentences
from research_crawler.text.ranking import cosine
from research_crawler.text.statements import is_personal
from research_crawler.text.words import terms

LEAD_SENTENCES: dict[Depth, int] = {"quick": 2, "standard": 3, "deep": 4}
PER_QUESTION = 2
"""Most leading sentences for a question of one part; one of several gets a single one."""
LEAD_NEARNESS, KEY_NEARNESS = 0.66, 0.5
"""Least worth of a leading sentence, and least cosine with the question of one about both things that are compared, or
of a key finding about a purchase. Of 40 sentences that came first for sub-questions about manuals, 13 of the 17 above
this answered them, and 6 of the 23 below: then the excerpts begin at once."""
KEY_WORTH = 0.5
"""Least worth of a further key finding, which has to state what is asked. By their cosine with the question alone, two
of three were beside the point: "PostgreSQL databases require periodic maintenance" for VACUUM FULL."""
KEY_SENTENCES, KEYS_OF_PART = 6, 2
"""Most key findings, and most further ones for one part of the question."""
OPENING_CHARS = 160
"""How far from the beginning of an excerpt its leading sentence may stand, so that it is not told apart as well."""
_THING = re.compile(r" – |: ")
SAME_SENTENCE = 0.85
SAID_AGAIN, MOST_AGAIN = 0.7, 4
"""Cosine from which statements of two hosts are compared, and most of them that are cited for one sentence."""


@dataclass(frozen=True)
class Lead:
    """The sentences that answer first, and the key findings below."""

    sentences: list[Sentence]
    """Each under the sub-question that it answers, if there are several."""
    key_findings: list[Sentence]
    openings: Mapping[int, Sentence] = field(default_factory=dict)
    """Findings near whose beginning the sentence stands that answers best: they are shown first, instead of it."""
    sections: tuple[int, ...] = ()
    """Findings with a leading sentence: the sections that they are from are shown first."""
    stating: tuple[int, ...] = ()
    """Findings that state a part of the question and are understood by themselves: the first ones of their sections."""

    @property
    def all_sentences(self) -> list[Sentence]:
        """The leading sentences, told apart or not."""
        return [*self.sentences, *self.openings.values()]


def lead_of(
    found: Digest,
    said: Sequence[EvidenceStatement],
    question: str,
    depth: Depth,
    *,
    asked: Sequence[Asked] = (),
    outdated: Collection[int] = (),
) -> Lead:
    """The leading sentences of a digest, for each sub-question in turn; and those with further ones as key findings.

    Args:
        said: the statements of the findings, nearest to the question first.
        asked: what each part of the question asks, or the question itself; none for a purchase.
        outdated: findings with a value that a newer page has replaced; they are not told at all.
    """
    if found.not_found:
        return Lead([], [])
    current = [one for one in said if one.place not in outdated]
    shown = {item.place for item in found.answer}
    may_lead = [one for one in current if one.place in shown]
    leading = _leading(found.parts, may_lead, question, LEAD_SENTENCES[depth])
    chosen = [one for one, _ in leading]
    stating = _stating(found, current, asked) if asked else []
    further = [one for _, one in stating] if asked else _near(current)
    keys = [_sentence(one, current) for one in _distinct([*chosen, *further], KEY_SENTENCES)]
    told: list[Sentence] = []
    openings: dict[int, Sentence] = {}
    claims = {item.place: item.finding.claim for item in found.answer}
    for one, heading in leading:
        sentence = _sentence(one, current, heading)
        claim = claims[one.place]
        is_of_all = bool(found.parts) and not heading  # it compares, and stands above all parts
        is_opening = claim != one.text and -1 < claim.find(one.text) <= OPENING_CHARS
        if is_opening and not sentence.similar and not is_of_all:
            openings[one.place] = sentence
        else:
            told.append(sentence)
    told += [
        _sentence(one, current, heading)
        for heading, one in _unshown(found, stating, {heading for _, heading in leading})
    ]
    return Lead(told, keys, openings, tuple(one.place for one in chosen))


def _unshown(
    found: Digest, stating: Sequence[tuple[int, EvidenceStatement]], led: Collection[str]
) -> Iterator[tuple[str, EvidenceStatement]]:
    """For each sub-question that nothing leads: the statement that states it best, if its excerpt is not shown."""
    shown = {item.place for item in found.answer}
    best = dict(reversed(stating))
    for number, part in enumerate(found.parts):
        is_told = number not in best or best[number].place in shown or part.leaf.question in led
        if not is_told:
            yield part.leaf.question, best[number]


def _near(said: Sequence[EvidenceStatement]) -> list[EvidenceStatement]:
    """The statements that are near to the question: of a purchase, all that is told of the thing is of use."""
    return [one for one in said if one.nearness >= KEY_NEARNESS]


def _stating(
    found: Digest, said: Sequence[EvidenceStatement], asked: Sequence[Asked]
) -> list[tuple[int, EvidenceStatement]]:
    """The statements that state a part of the question best, with its number, for each part that something states; best
    first."""
    vectors = {item.place: item.vector for item in (*found.answer, *found.rest)}
    ranked: list[tuple[float, int, EvidenceStatement]] = []
    for number, one in enumerate(asked):
        if found.parts and found.parts[number].leaf.state != "filled":
            continue
        worths = []
        for statement in said:
            near = (cosine(one.vector, statement.vector) + cosine(one.vector, vectors[statement.place])) / 2
            worths.append((worth_of_sentence(one, statement.finding, statement.text, near), statement))
        best = sorted((pair for pair in worths if pair[0] >= KEY_WORTH), key=_worth_of, reverse=True)
        kept = _distinct((statement for _, statement in best), KEYS_OF_PART)
        ranked += [(worth, number, statement) for worth, statement in best if statement in kept]
    return [(number, one) for _, number, one in sorted(ranked, key=_worth_of, reverse=True)]


def with_excerpts(lead: Lead, found: Digest) -> list[Sentence]:
    """The answer: under each sub-question its leading sentence and its excerpts, and nothing twice."""
    led = [sentence.text for sentence in lead.sentences]
    shown = found.opened_by({*lead.openings, *lead.stating}, lead.sections).sentences()
    # A manual in two forms says the same sentence on two of its pages.
    told = {
        item.place: [text for text in led if text in item.finding.claim or text in item.finding.quote]
        for item in found.answer
    }
    quotes = {item.place: item.finding.quote for item in found.answer}
    excerpts = [
        one.changed(told=own) if (own := told[one.evidence[0]]) else one
        for one in shown
        if without_sentences(quotes[one.evidence[0]], told[one.evidence[0]])
    ]
    if len(found.parts) < 2:
        return [*lead.sentences, *excerpts]
    headings = dict.fromkeys(["", *(part.leaf.question for part in found.parts)])
    return [one for heading in headings for one in (*lead.sentences, *excerpts) if one.heading == heading]


def _leading(
    parts: Sequence[PartOfDigest], said: Sequence[EvidenceStatement], question: str, most: int
) -> list[tuple[EvidenceStatement, str]]:
    """The statements that lead, each with the sub-question that it answers; empty if there is only one."""
    if not parts:
        ranked = sorted(
            ((one.nearness * fit_to_lead(question, one), one) for one in said), key=_worth_of, reverse=True
        )
        near = (one for worth, one in ranked if worth >= LEAD_NEARNESS)
        return [(one, "") for one in _distinct(near, PER_QUESTION)]
    best: dict[str, EvidenceStatement] = {}
    if comparing := _comparing(parts, said):
        best[""] = comparing
    pairs = (
        (_worth(part, one), part.leaf.question, one)
        for part in parts
        for one in said
        if one.place in part.places and not _is_of_other_thing(part, parts, one.text)
    )
    # A statement leads the sub-question that it answers best, not the first one that it answers at all.
    for _, asked, one in sorted(
        (pair for pair in pairs if pair[0] >= LEAD_NEARNESS), key=_worth_of, reverse=True
    ):
        if asked not in best and not _is_told(one, best.values()):
            best[asked] = one
    in_order = ["", *(part.leaf.question for part in parts)]
    return [(best[asked], asked) for asked in dict.fromkeys(in_order) if asked in best][:most]


def _is_of_other_thing(part: PartOfDigest, parts: Sequence[PartOfDigest], text: str) -> bool:
    """Whether a sentence tells of another one of the things that are compared, and not of this one."""
    things = things_of([one.leaf.question for one in parts])
    own = things[parts.index(part)]
    if own is None or own.is_told_of(text):
        return False
    return any(other is not None and other.is_told_of(text) for other in things)


def _comparing(parts: Sequence[PartOfDigest], said: Sequence[EvidenceStatement]) -> EvidenceStatement | None:
    """For things that are compared: the statement nearest to the question that names all of them."""
    if any(part.leaf.question.endswith("?") for part in parts):
        return None
    things = [set(terms(_THING.split(part.leaf.question, maxsplit=1)[0])) for part in parts]
    both = (
        one for one in said if one.nearness >= KEY_NEARNESS and set().union(*things) <= set(terms(one.text))
    )
    return next(both, None) if all(things) else None


def _worth(part: PartOfDigest, one: EvidenceStatement) -> float:
    nearness = cosine(part.vector, one.vector)
    lexical = relevance(nearness, terms(part.leaf.question), one.text)
    return (nearness + lexical) / 2 * fit_to_lead(part.leaf.question, one, part.leaf.query)


def _worth_of(ranked: tuple[float, *tuple[object, ...]]) -> float:
    return ranked[0]


def _distinct(said: Iterable[EvidenceStatement], most: int) -> list[EvidenceStatement]:
    kept: list[EvidenceStatement] = []
    for one in said:
        if len(kept) < most and not _is_told(one, kept):
            kept.append(one)
    return kept


def _is_told(one: EvidenceStatement, kept: Iterable[EvidenceStatement]) -> bool:
    return any(cosine(one.vector, other.vector) >= SAME_SENTENCE or one.text == other.text for other in kept)


def _sentence(one: EvidenceStatement, said: Sequence[EvidenceStatement], heading: str = "") -> Sentence:
    """The statement, told in the third person if it is personal, with the other hosts that state the same."""
    by_host: dict[str, int] = {}
    for other in said:
        if (
            other.host != one.host
            and other.host not in by_host
            and cosine(one.vector, other.vector) >= SAID_AGAIN
            and is_same_fact(one.parsed, other.parsed)
        ):
            by_host[other.host] = other.place
    return Sentence(
        text=one.text,
        evidence=[one.place],
        similar=list(by_host.values())[:MOST_AGAIN],
        heading=heading,
        speaker=one.host if is_personal(one.text) else "",
    )
