"""Turn what a model says about the evidence and writes from it into drafts, without ids that it was not shown."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from planner.brains.model.answers.evidence_ids import cited_sentences, indexes_of, normal_id, uncited_texts
from planner.evidence.evidence_plan import (
    AuditedClaim,
    EvidencePlan,
    SectionPlan,
    disjoint,
    with_further_evidence,
)
from prompts.answers import CitedSentence
from prompts.report_answers import (
    MOST_CONTRADICTIONS,
    MOST_FURTHER,
    MOST_QUESTIONS,
    MOST_TABLE_COLUMNS,
    MOST_TABLE_ROWS,
    AuditAnswer,
    ContradictionEntry,
    ReportAnswer,
    SectionAnswer,
    TableEntry,
)
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.core.models.reports.drafts import (
    TABLE_ID,
    Contradiction,
    DraftCell,
    DraftRow,
    DraftSection,
    DraftTable,
    ReportDraft,
    Sentence,
)
from research_crawler.core.models.reports.report_parts import LISTED_PARTS
from research_crawler.text.measures.normal_quote import normal_quote

MOST_LABEL: Final = 120
"""Letters of a title, head or label."""
LEAST_PARTS: Final = 2
"""A heading over all sentences of a section says nothing."""
_LEAST_FILLED: Final = 2
"""Rows and filled cells that make a table."""
_MARK: Final = re.compile(r"(?:#{1,6}|[-*+•])\s+")
"""Of a heading or of an item."""
_NUMBER: Final = re.compile(r"(?P<n>\d{1,2})[.)]\s+")
_LEAST_STEPS: Final = 2
"""One number alone may be a date: "8. Mai 1945"."""


def draft_from(answer: ReportAnswer, shown: Collection[int], by: str) -> ReportDraft:
    """The report draft with evidence as indexes; sentences without evidence are dropped.

    Raises:
        BadAnswer: no sentence of the answer has evidence.
    """
    sentences = without_document_marks(cited_sentences(answer.answer, shown))
    if not sentences:
        raise BadAnswer("no sentence of the model's answer names existing evidence")
    sentences = _said_once(without_lead_in(sentences))
    written = {normal_quote(sentence.text) for sentence in sentences}
    worked_out = [
        sentence.changed(calculation=answer.worked_out.calculation)
        for sentence in cited_sentences([answer.worked_out], shown)
        if normal_quote(sentence.text) not in written
    ]
    lists = {
        part.key: cited_sentences(answer.lists.get(part.key, []), shown, cites=part.cites)
        for part in LISTED_PARTS
    }
    listed_entries = [
        entry for part in LISTED_PARTS if part.cites for entry in answer.lists.get(part.key, [])
    ]
    table = table_from(answer.table, shown)
    is_repeated = normal_quote(answer.certainty.text) in written
    certainty_evidence = [] if is_repeated else indexes_of(answer.certainty.evidence, shown)
    return ReportDraft(
        by=by,
        answer=[*sentences, *worked_out],
        sections=[DraftSection(id=TABLE_ID, title="", table=table)] if table else [],
        contradictions=contradictions_from(answer.contradictions, shown),
        unknown=_lines(answer.missing),
        follow_ups=_lines(answer.follow_ups)[:MOST_QUESTIONS],
        certainty=" ".join(answer.certainty.text.split()) if certainty_evidence else "",
        certainty_evidence=certainty_evidence,
        lists={"key_findings": sentences} | {key: listed for key, listed in lists.items() if listed},
        further=indexes_of(answer.further, shown)[:MOST_FURTHER],
        uncited=uncited_texts([*answer.answer, *listed_entries, answer.worked_out], shown),
    )


def _said_once(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences without those that an earlier one is word for word, as small models write them; steps stay."""
    kept: list[Sentence] = []
    for sentence in sentences:
        texts = {normal_quote(earlier.text) for earlier in kept}
        if sentence.form == "step" or sentence.code or normal_quote(sentence.text) not in texts:
            kept.append(sentence)
    return kept


def audit_from(
    answer: AuditAnswer,
    shown: Collection[int],
    planned: Sequence[SectionPlan],
    by: str,
    *,
    most_sections: int,
    keeps_order: bool = True,
) -> EvidencePlan:
    """The audit; sections of the outline keep their titles, and only where it has none they are named.

    Args:
        answer: what the model says.
        shown: the findings that it was shown.
        planned: the sections of the outline.
        by: the name of the brain.
        most_sections: how many sections may be named.
        keeps_order: whether the sections stand in the order of the outline, as the caller's do; else in the model's.

    Raises:
        BadAnswer: no section has evidence.
    """
    if planned:
        plans = _answered_plans(answer, shown, planned, keeps_order=keeps_order)
    else:
        plans = _named_plans(answer, shown, most_sections)
    plans = disjoint(plans)
    if not any(plan.evidence for plan in plans):
        raise BadAnswer("no section of the model's audit names existing evidence")
    plans = with_further_evidence(plans, planned)
    claims = (
        AuditedClaim(" ".join(claim.text.split()), tuple(indexes), claim.is_inference)
        for claim in answer.claims
        if (indexes := indexes_of(claim.evidence, shown))
    )
    return EvidencePlan(
        by=by,
        sections=tuple(plan for plan in plans if plan.evidence or plan.sub_questions),
        claims=tuple(claims),
        contradictions=tuple(contradictions_from(answer.contradictions, shown)),
        missing=tuple(_lines(answer.missing)),
        follow_ups=tuple(_lines(answer.follow_ups)[:MOST_QUESTIONS]),
    )


def _answered_plans(
    answer: AuditAnswer, shown: Collection[int], planned: Sequence[SectionPlan], *, keeps_order: bool
) -> list[SectionPlan]:
    """The sections of the outline, each with the evidence and the needs that the audit gives it."""
    answered = {normal_id(section.id, "S"): section for section in answer.sections}
    plans = [
        replace(
            plan,
            evidence=tuple(indexes_of(section.evidence, shown)) if section else (),
            needs=(*plan.needs, *(normal_id(need, "S") for need in (section.needs if section else ()))),
        )
        for plan in planned
        for section in [answered.get(plan.id)]
    ]
    if keeps_order:
        return plans
    order = {id_: index for index, id_ in enumerate(answered)}
    return sorted(plans, key=lambda plan: order.get(plan.id, len(order)))


def _named_plans(answer: AuditAnswer, shown: Collection[int], most: int) -> list[SectionPlan]:
    """The sections that the audit names where there is no outline."""
    return [
        SectionPlan(
            id=f"S{n}",
            title=_label(section.title),
            evidence=tuple(indexes_of(section.evidence, shown)),
            needs=tuple(normal_id(need, "S") for need in section.needs),
        )
        for n, section in enumerate(answer.sections[:most], start=1)
        if section.title.strip()
    ]


def draft_section_from(
    answer: SectionAnswer,
    plan: SectionPlan,
    shown: Collection[int],
    parts: Mapping[str, str] | None = None,
    *,
    least_parts: int = LEAST_PARTS,
) -> DraftSection:
    """A section with its table; its sentences stand under the questions that they answer, in their order.

    Args:
        answer: what the model wrote.
        plan: the section.
        shown: indexes of the findings that it was shown.
        parts: the questions of the section by the ids that it was shown.
        least_parts: with fewer of them answered there are no headings.

    Raises:
        BadAnswer: neither a sentence nor a table has evidence.
    """
    sentences, table = (
        _under_parts(answer.sentences, shown, parts or {}, least_parts),
        table_from(answer.table, shown),
    )
    if not sentences and not table:
        raise BadAnswer(f"no sentence of the section “{plan.title}” names existing evidence")
    return DraftSection(
        id=plan.id,
        title=_label(plan.title),
        sub_questions=list(plan.sub_questions),
        sentences=sentences,
        table=table,
        uncited=uncited_texts(answer.sentences, shown),
    )


def _under_parts(
    written: Sequence[CitedSentence], shown: Collection[int], parts: Mapping[str, str], least: int
) -> list[Sentence]:
    """The sentences by the question that they answer; those of no question first."""
    named = [(normal_id(sentence.part, "Q"), sentence) for sentence in written]
    unheaded = cited_sentences([sentence for id_, sentence in named if id_ not in parts], shown)
    headed = {
        id_: cited_sentences([sentence for part, sentence in named if part == id_], shown) for id_ in parts
    }
    if sum(map(bool, headed.values())) < least:
        return cited_sentences(written, shown)
    return unheaded + [
        sentence.changed(heading=_label(parts[id_])) for id_, part in headed.items() for sentence in part
    ]


def table_from(entry: TableEntry, shown: Collection[int]) -> DraftTable | None:
    """A table whose cells all have evidence or are empty; None where that leaves nothing to compare."""
    columns = [_label(column) for column in entry.columns][:MOST_TABLE_COLUMNS]
    rows = []
    for row in entry.rows[:MOST_TABLE_ROWS]:
        cells = [
            DraftCell(text=" ".join(cell.text.split()), evidence=indexes)
            if cell.text.strip() and (indexes := indexes_of(cell.evidence, shown))
            else DraftCell()
            for cell in row.cells[: len(columns) - 1]
        ]
        cells += [DraftCell()] * (len(columns) - 1 - len(cells))
        if _label(row.label) and any(cell.evidence for cell in cells):
            rows.append(DraftRow(label=_label(row.label), cells=cells))
    filled = sum(bool(cell.evidence) for row in rows for cell in row.cells)
    return DraftTable(columns=columns, rows=rows) if len(rows) >= _LEAST_FILLED <= filled else None


def contradictions_from(entries: Sequence[ContradictionEntry], shown: Collection[int]) -> list[Contradiction]:
    """The pairs of which either side names evidence: by its words, the quote of the other one may be found later.

    No quote contradicts itself: of two sides with the same evidence, one has a wrong id.
    """
    contradictions = []
    for entry in entries[:MOST_CONTRADICTIONS]:
        first, second = (cited_sentences([side], shown, cites=False) for side in (entry.one, entry.other))
        if not (first and second and (first[0].evidence or second[0].evidence)):
            continue
        pair = Contradiction(about=_label(entry.about), one=first[0], other=second[0])
        has_one_quote = set(pair.one.evidence) == set(pair.other.evidence)
        unfounded = pair.other.changed(text=pair.other.text, evidence=[])
        contradictions.append(pair.changed(one=pair.one, other=unfounded) if has_one_quote else pair)
    return contradictions


def all_contradictions(named: Sequence[Contradiction], found: Sequence[Contradiction]) -> list[Contradiction]:
    """The contradictions that a model named, and those that code found between other findings."""
    known = [_cited_by(pair) for pair in named]
    more = [pair for pair in found if not any(_cited_by(pair) <= cited for cited in known)]
    whole = [pair for pair in named if pair.is_founded]
    return [*whole, *more, *(pair for pair in named if pair not in whole)][:MOST_CONTRADICTIONS]


def _cited_by(pair: Contradiction) -> set[int]:
    return {*pair.one.evidence, *pair.other.evidence}


def in_parts(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences with those of one heading together, in the order of the headings; those without one first."""
    headings = dict.fromkeys(["", *(one.heading for one in sentences)])
    return [one for heading in headings for one in sentences if one.heading == heading]


def new_sentences(sentences: Sequence[Sentence], known: Sequence[Sentence]) -> list[Sentence]:
    """Those sentences whose words are not those of a known one."""
    wordings = {_letters(sentence.text) for sentence in known}
    new = []
    for sentence in sentences:
        if _letters(sentence.text) not in wordings:
            wordings.add(_letters(sentence.text))
            new.append(sentence)
    return new


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _label(text: str) -> str:
    return " ".join(text.split())[:MOST_LABEL].strip()


def _lines(texts: Sequence[str]) -> list[str]:
    folded = (" ".join(text.split()) for text in texts)
    return list(dict.fromkeys(text for text in folded if text))


def without_document_marks(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences without marks of headings and items; those that a model has numbered in their order are steps."""
    bare = [
        sentence.changed(text=sentence.text[mark.end() :])
        if (mark := _MARK.match(sentence.text))
        else sentence
        for sentence in sentences
    ]
    numbers = [_NUMBER.match(sentence.text) for sentence in bare]
    steps = [int(number["n"]) for number in numbers if number]
    if len(steps) < _LEAST_STEPS or steps != [*range(1, len(steps) + 1)]:
        return bare
    return [
        sentence.changed(text=sentence.text[number.end() :], form="step") if number else sentence
        for sentence, number in zip(bare, numbers, strict=True)
    ]


def without_lead_in(answer: Sequence[Sentence]) -> list[Sentence]:
    """The answer without a first line that only says what follows: it ends in a colon, shows no code and no figure, and
    cites nothing that the lines below do not cite."""
    first, *rest = answer
    cited = {index for one in rest for index in one.evidence}
    says_something = first.code or "`" in first.text or any(map(str.isdigit, first.text))
    is_lead_in = first.text.endswith((":", "：")) and not says_something and cited.issuperset(first.evidence)
    return rest if rest and is_lead_in else [*answer]
