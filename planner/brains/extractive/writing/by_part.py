"""Show the parts of a question one by one: what states each, and which of them nothing states."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from planner.brains.extractive.reading.passages import leans
from planner.brains.extractive.stating.asked import Asked, read_asked
from planner.brains.extractive.stating.statements import statement_for
from planner.brains.extractive.stating.things import Thing, things_of
from planner.brains.extractive.writing.excerpt_order import Digest, Item, PartOfDigest
from planner.brains.extractive.writing.lead import Lead
from planner.brains.extractive.writing.on_point import MOST_NEAR, has_a_name
from planner.outline.kinds import asks_who, is_answer_kind, tells_way, tells_when
from planner.outline.making import leaf_texts
from research_crawler.core.models.drafts import ReportView, Sentence
from research_crawler.core.models.outline import Leaf, Outline
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of
from research_crawler.text.messages import Messages
from research_crawler.text.ranking import cosine
from research_crawler.text.statements import is_personal, is_statement


def led_leaves(outline: Outline, lead: Lead) -> dict[str, Leaf]:
    """The leaves that are held to be open and have a leading sentence, as filled ones, by their ids.

    A sentence that is near enough to lead answers as often as one whose words state what is asked, but for a name: "who
    painted it?" is near to all that is told of the paint. It also holds what is asked for: how something is done is not
    said by where it comes from.
    """
    leaves = outline.leaves
    led: defaultdict[str, list[str]] = defaultdict(list)
    for sentence in lead.all_sentences:
        led[sentence.heading].append(sentence.text)
    return {
        leaf.id: leaf.changed(state="filled", reason="")
        for leaf in leaves
        if leaf.state != "filled"
        and not asks_who(leaf.question)
        and any(_is_of_kind(leaf.question, text) for text in led["" if len(leaves) == 1 else leaf.question])
    }


def _is_of_kind(question: str, text: str) -> bool:
    return all(holds(question, text) for holds in (is_answer_kind, tells_way, tells_when))


async def with_stated(lead: Lead, found: Digest, view: ReportView, embedder: Embedder) -> Lead:
    """The lead with the sentence that states it for each part whose excerpt stands under another part, or nowhere.

    An excerpt is shown once, and "Admission costs 6 crowns" may stand in the one that says when the tower is open.
    """
    if len(found.parts) < 2:
        return lead
    findings = {item.finding.id: item for item in found.by_value}
    shown = {(item.part, item.place) for item in found.answer}
    told = {sentence.heading for sentence in lead.sentences}
    said = {sentence.text for sentence in lead.all_sentences}
    near = [item.place for item in found.by_value for part in found.parts if part.is_stated_by(item.finding)]
    added: list[Sentence] = []
    texts = leaf_texts([part.leaf for part in found.parts])
    things = things_of([part.leaf.question for part in found.parts])
    for number, (part, text, thing) in enumerate(zip(found.parts, texts, things, strict=True)):
        first = findings.get(next(iter(part.leaf.evidence), ""))
        if part.leaf.state != "filled" or first is None or part.leaf.question in told:
            continue
        if (number, first.place) in shown:
            continue
        asked = await read_asked(part.leaf.question, text, view.findings, embedder, thing)
        nearness = [cosine(part.vector, first.vector)]
        statement = await statement_for(asked, [first.finding], nearness, embedder)
        if statement is not None and statement.text not in said and is_statement(statement.text):
            said.add(statement.text)
            speaker = host_of(first.finding.url) if is_personal(statement.text) else ""
            added.append(
                Sentence(
                    text=statement.text,
                    evidence=[first.place],
                    heading=part.leaf.question,
                    speaker=speaker,
                )
            )
    opening = [
        item.place for item in found.answer if item.place in near and _stands_alone(item.finding.claim)
    ]
    return replace(
        lead, sentences=[*lead.sentences, *added], sections=(*lead.sections, *near), stating=tuple(opening)
    )


def _stands_alone(claim: str) -> bool:
    """Whether an excerpt is understood without the one before it."""
    return not (claim.startswith("(") or leans(claim))


def is_unstated(outline: Outline) -> bool:
    """Whether nothing states a question of one part."""
    return [leaf.state == "filled" for leaf in outline.leaves] == [False]


def nearest_alone(found: Digest, outline: Outline, asked: Sequence[Asked] = ()) -> Digest:
    """The digest with only the best excerpts, if nothing states a question of one part: those with the names that are
    asked for, if there are any.

    Args:
        found: the digest.
        outline: of the job.
        asked: what the question asks; nothing for a purchase.
    """
    if not is_unstated(outline):
        return found
    named = [item for item in found.answer if all(has_a_name(one, item.finding) for one in asked)]
    best = sorted(named or found.answer, key=lambda item: -item.value)[:MOST_NEAR]
    return replace(found, answer=[item for item in found.answer if item in best])


def without_beside_point(found: Digest) -> Digest:
    """The digest without what is beside the point of its part.

    Under one of several compared things, an excerpt without a word of it; under a part that nothing states, all but the
    best excerpts.
    """
    things = things_of([part.leaf.question for part in found.parts])
    kept: list[Item] = []
    for number, (part, thing) in enumerate(zip(found.parts, things, strict=True)):
        own = [item for item in found.answer if item.part == number and _is_of(thing, item)]
        best = sorted(own, key=lambda item: -item.value)[: None if part.leaf.state == "filled" else MOST_NEAR]
        kept += [item for item in own if item in best]
    left = [item for item in found.answer if item not in kept]
    return replace(found, answer=kept, rest=[*left, *found.rest]) if kept else found


def _is_of(thing: Thing | None, item: Item) -> bool:
    return thing is None or thing.is_named_in(
        f"{item.finding.title} {item.finding.heading} {item.finding.claim}"
    )


def with_open_parts(
    answer: Sequence[Sentence], parts: Sequence[PartOfDigest], language: str
) -> list[Sentence]:
    """The answer with a remark at each part of the question to which excerpts are near and which none states."""
    say = Messages(language)
    open_ = {part.leaf.question for part in parts if part.leaf.state != "filled"}
    return [
        one.changed(heading=f"{one.heading} ({say('nearest_only')})") if one.heading in open_ else one
        for one in answer
    ]
