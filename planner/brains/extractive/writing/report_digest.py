"""Write the report of a question without a model: leading sentences, excerpts, tables of numbers, contradictions."""

from collections.abc import Sequence
from dataclasses import replace

from planner.brains.extractive.asking.queries import question_of
from planner.brains.extractive.writing.by_part import (
    is_unstated,
    led_leaves,
    nearest_alone,
    with_open_parts,
    with_stated,
    without_beside_point,
)
from planner.brains.extractive.writing.digest import SAME_POINT, digest
from planner.brains.extractive.writing.excerpt_order import Digest
from planner.brains.extractive.writing.lead import KEY_NEARNESS, Lead, lead_of, with_excerpts
from planner.brains.extractive.writing.on_point import asked_parts
from planner.brains.extractive.writing.other_language import why_not_compared
from planner.evidence.contradictions import Difference, contradictions, in_words, replaced_places
from planner.evidence.evidence_statements import evidence_statements
from planner.evidence.number_tables import NumberTable, number_tables
from planner.outline.making import leaf_texts
from research_crawler.core.models.drafts import (
    Contradiction,
    DraftCell,
    DraftRow,
    DraftSection,
    DraftTable,
    ReportDraft,
    ReportView,
    Sentence,
)
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of
from research_crawler.text.manual_words import with_manual_words
from research_crawler.text.messages import Messages


async def digest_report(view: ReportView, embedder: Embedder) -> ReportDraft:
    """The draft of a digest, without the journey: everything in it is a quote, or counted by code."""
    question = question_of(view.goal, view.task)
    said = await evidence_statements(with_manual_words(question), view.findings, embedder)
    differing = contradictions(question, view.findings, said)
    outdated = replaced_places(differing)
    found = without_beside_point(await digest(view, embedder, outdated=outdated))
    texts = leaf_texts([part.leaf for part in found.parts])
    asked = await asked_parts(view, question, found.parts, texts, embedder) if view.findings else []
    lead = lead_of(found, said, question, view.depth, asked=asked, outdated=outdated)
    led = led_leaves(view.outline, lead)
    view = view.changed(outline=view.outline.with_leaves(led))
    found = replace(
        found, parts=tuple(replace(part, leaf=led.get(part.leaf.id, part.leaf)) for part in found.parts)
    )
    found = nearest_alone(found, view.outline, asked)
    lead = await with_stated(lead, found, view, embedder)
    answered = not found.not_found
    is_compared = bool(view.findings) and not found.other_language
    disputed = in_words(differing, view.language) if answered else []
    if answered and not lead.sentences:
        lead = replace(lead, sentences=differing_first(disputed, differing))
    return ReportDraft(
        by="extractive",
        answer=with_open_parts(with_excerpts(lead, found), found.parts, view.language),
        not_found=found.not_found,
        answered=[leaf.question for leaf in led.values()],
        why_not=""
        if is_compared
        else why_not_compared(question, found.other_language, Messages(view.language)),
        certainty=certainty_of(view, found, lead, disputed),
        is_unclear=answered and is_unstated(view.outline),
        lists={"key_findings": lead.key_findings},
        sections=_tables(view, number_tables(said)) if answered else [],
        contradictions=disputed,
    )


def differing_first(told: Sequence[Contradiction], found: Sequence[Difference]) -> list[Sentence]:
    """What answers first where no sentence is near enough to the question: both values that pages give for what it
    asks, each with the remark that it is disputed; of a replaced one, the newer.

    Not values that are beside the point.
    """
    for pair, difference in zip(told, found, strict=True):
        near = max(difference.one.nearness, difference.other.nearness)
        if 0 < near < KEY_NEARNESS:  # 0: found as a value of what is asked, and not by its nearness
            continue
        if difference.kind == "contradiction":
            return [pair.one, pair.other]
        if difference.kind == "replaced":
            return [pair.one]
    return []


def certainty_of(view: ReportView, found: Digest, lead: Lead, contradictions: Sequence[Contradiction]) -> str:
    """What the answer is, and how far it can be relied on: by what is covered, agreed on and disputed.

    It is never highly certain: no reader has seen whether the excerpts answer the question.
    """
    say = Messages(view.language)
    if not view.findings or found.not_found:  # the answer says so
        return ""
    pages = len({item.finding.url for item in found.answer})
    hosts = len({host_of(item.finding.url) for item in found.answer})
    leaves = view.outline.leaves
    parts = len(leaves) or 1
    covered = sum(leaf.state == "filled" for leaf in leaves) if leaves else 1
    leading = lead.all_sentences
    agreed = sum(bool(sentence.similar) for sentence in leading)
    sides = {side.text for pair in contradictions if not pair.is_replaced for side in (pair.one, pair.other)}
    disputed = sum(sentence.text in sides for sentence in leading)
    nearest = max(item.similarity for item in found.answer)
    level = "low" if nearest < SAME_POINT or 2 * covered < parts or disputed else "medium"
    counted = [
        say("digest_parts", covered=covered, parts=parts) if parts > 1 else "",
        say("digest_unstated") if is_unstated(view.outline) else "",
        say("digest_agreed", agreed=agreed, n=len(leading)) if agreed else "",
        say("digest_disputed", disputed=disputed) if disputed else "",
    ]
    more = "".join(f" {line}" for line in counted if line)
    return say("certainty_digest", level=say(f"certainty_{level}"), pages=pages, hosts=hosts, more=more)


def _tables(view: ReportView, tables: Sequence[NumberTable]) -> list[DraftSection]:
    """A section for each table of numbers, with its spread in the title."""
    say = Messages(view.language)
    sections = []
    for number, table in enumerate(tables, start=1):
        spread = say("spread", low=table.lowest.amount, high=table.highest.amount)
        rows = [
            DraftRow(
                label=f"{row.said.host} ({row.said.day})" if row.said.day else row.said.host,
                cells=[
                    DraftCell(text=row.amount, evidence=[row.said.place]),
                    DraftCell(text=row.said.text, evidence=[row.said.place]),
                ],
            )
            for row in table.rows
        ]
        columns = [say("page_column"), say("figure_column"), say("said_column")]
        sections.append(
            DraftSection(
                id=f"N{number}",
                title=f"{say('figures_of_pages')}: {spread}",
                table=DraftTable(columns=columns, rows=rows),
            )
        )
    return sections
