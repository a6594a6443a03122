"""Render what stands between a report's answer and its research journey: sections, contradictions, open questions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, groupby
from operator import itemgetter
from textwrap import indent
from typing import Any, Final

from planner.reports.record_lists import lists_markdown, record_lists
from planner.reports.sources.citations import Citations, Cited
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.cited_parts import (
    Claim,
    ReportSection,
    ReportTable,
    SentenceForm,
    TableCell,
    TableRow,
)
from research_crawler.core.models.reports.drafts import (
    TABLE_ID,
    Contradiction,
    DraftCell,
    DraftTable,
    ReportDraft,
    Sentence,
)
from research_crawler.text.languages.numbers import figures, same_figure
from research_crawler.text.markdown_blocks.excerpt_markdown import code_block
from research_crawler.text.measures.likeness import says_the_same_of
from research_crawler.text.writing.citation_marks import strip_citations
from research_crawler.text.writing.markdown import escape_cell, escape_cell_with_code, escape_markdown
from research_crawler.text.writing.messages import Messages

SENTENCES_OF_A_PARAGRAPH: Final = 8
"""A paragraph of a report has at most so many sentences."""
MOST_LINES_BELOW_A_LIST: Final = 3
"""Plain sentences in a row below steps, points or labels, or behind the first sentence, that stand as text. More of
them, which are facts of their own, are hard to find in a paragraph: they are a list."""
LABELS: Final[dict[SentenceForm, str]] = {
    "see": "you_see",
    "means": "it_means",
    "do": "to_do",
    "rule": "rule_of_thumb",
    "except": "not_where",
    "or": "another_way",
}
"""The label of a line, as a message."""
NEEDS: Final[dict[SentenceForm, SentenceForm]] = {"means": "see", "except": "rule", "or": "step"}
"""A label that says nothing in a part that has no line with the other one: such a line is plain text."""

SEVERAL_FORMS: Final[frozenset[SentenceForm]] = frozenset(("step", "point"))
"""Forms of which there are several, or none."""


@dataclass(frozen=True)
class ShownTable:
    """A table whose cells have their marks; None: an empty cell."""

    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cited | None]]]

    def markdown(self, say: Messages) -> str:
        """The table, with everything that others wrote escaped; an empty cell says that nothing was found."""
        lines = [[*map(escape_cell, self.columns)], ["---"] * len(self.columns)]
        for label, cells in self.rows:
            lines.append(
                [
                    escape_cell_with_code(label),
                    *(one.written(escape_cell_with_code) if one else say("empty_cell") for one in cells),
                ]
            )
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def as_record(self) -> ReportTable:
        """The table for `--json`."""
        rows = [
            TableRow(
                label=label,
                cells=[
                    TableCell(text=one.text, evidence=one.evidence_ids) if one else TableCell()
                    for one in cells
                ],
            )
            for label, cells in self.rows
        ]
        return ReportTable(columns=list(self.columns), rows=rows)


@dataclass(frozen=True)
class ShownSection:
    """A section with its citations."""

    id: str
    title: str
    sentences: Sequence[Cited]
    table: ShownTable | None

    def markdown(self, say: Messages) -> str:
        """The section below its own heading; one without a title has none."""
        title = f"### {escape_markdown(self.title)}" if self.title else ""
        table = self.table.markdown(say) if self.table else ""
        return "\n\n".join(part for part in (title, paragraphs(self.sentences, say), table) if part)

    def as_record(self) -> ReportSection:
        """The section for `--json`."""
        table = self.table.as_record() if self.table else None
        return ReportSection(
            id=self.id, title=self.title, claims=list(map(claim_of, self.sentences)), table=table
        )


@dataclass(frozen=True)
class ShownContradiction:
    """Two statements side by side."""

    about: str
    one: Cited
    other: Cited
    is_replaced: bool = False

    def markdown(self) -> str:
        """A list item with both statements below it; if nothing says what they are about, one below the other."""
        first, second = (f"- {side.written()}" for side in (self.one, self.other))
        lines = (
            [f"- {escape_markdown(self.about)}", f"  {first}", f"  {second}"]
            if self.about
            else [first, f"  {second}"]
        )
        return "\n".join(lines)

    def as_record(self) -> dict[str, Any]:
        """Both statements for `--json`."""
        sides = {"one": self.one, "other": self.other}
        return {"about": self.about, "is_replaced": self.is_replaced} | {
            name: claim_of(side).model_dump() for name, side in sides.items()
        }


@dataclass(frozen=True)
class ReportBody:
    """Everything between the answer with its lists and the research journey."""

    sections: Sequence[ShownSection] = ()
    contradictions: Sequence[ShownContradiction] = ()
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The lines of each of RECORD_LISTS by its key."""

    @property
    def cited(self) -> list[Cited]:
        """All its sentences and cells that cite something."""
        rows = (row for section in self.sections if section.table for row in section.table.rows)
        return [
            *(one for section in self.sections for one in section.sentences),
            *(one for _, cells in rows for one in cells if one),
            *(side for pair in self.contradictions for side in (pair.one, pair.other)),
        ]

    def table_of_answer(self, say: Messages) -> str:
        """The table that stands within the answer, if there is one."""
        return "".join(one.table.markdown(say) for one in self.sections if one.id == TABLE_ID and one.table)

    def markdown(self, say: Messages, *, already_said: Sequence[str] = ()) -> str:
        """The parts of report.md under their fixed titles; `already_said` is what the answer calls missing already."""
        parts = {
            "in_detail": "\n\n".join(one.markdown(say) for one in self.sections if one.id != TABLE_ID),
            "contradictions": "\n".join(pair.markdown() for pair in self.contradictions),
        }
        shown = [f"## {say(key)}\n\n{text}" for key, text in parts.items() if text]
        return "\n\n".join([*shown, *lists_markdown(self.lists, say, already_said=already_said)])


def report_body(draft: ReportDraft, citations: Citations, job: Job, named: Sequence[str]) -> ReportBody:
    """The middle of the report of a draft.

    Args:
        draft: what a brain wrote.
        citations: which number the sources.
        job: whose outline says what is open.
        named: texts of the record whose addresses may stand in open questions.
    """
    return ReportBody(
        sections=[
            ShownSection(
                section.id,
                strip_citations(section.title),
                citations.cite(section.sentences),
                _table(section.table, citations),
            )
            for section in draft.sections
        ],
        contradictions=[pair for one in draft.contradictions if (pair := _pair(one, citations))],
        lists=record_lists(job, draft, named),
    )


def marked_as_disputed(draft: ReportDraft) -> ReportDraft:
    """The draft with a remark at each sentence of its answer that states one side of a contradiction as a fact.

    Where code alone compared two values, none is: it calls one in five pairs different that can both be true.
    """
    answer = [
        one.changed(text=one.text, verdict="contradicted")
        if any(_takes_a_side(one, pair) for pair in draft.contradictions if not pair.is_unread)
        else one
        for one in draft.answer
    ]
    return draft.changed(answer=answer)


def paragraphs(sentences: Sequence[Cited], say: Messages, *, is_answer: bool = False) -> str:
    """Sentences in their forms, excerpts as blocks, each group under its heading.

    Args:
        is_answer: the first sentence answers, and many plain ones behind it are a list.
    """
    blocks = []
    for heading, group in groupby(sentences, key=lambda sentence: sentence.heading):
        of_group = list(group)
        if heading:
            blocks.append(f"**{escape_markdown(heading)}**")
        if any(sentence.excerpt for sentence in of_group):
            speakers = ["", *(sentence.speaker for sentence in of_group)]
            blocks += [
                one.as_blocks(goes_on=before == one.speaker)
                for before, one in zip(speakers, of_group, strict=False)
            ]
        else:
            blocks += in_forms(of_group, say, is_answer=is_answer)
    return "\n\n".join(blocks)


def claim_of(sentence: Cited) -> Claim:
    """A cited sentence for `--json`."""
    return Claim(
        text=sentence.text,
        verdict=sentence.verdict,
        evidence=sentence.evidence_ids,
        similar=sentence.similar_ids,
        code=sentence.code,
        is_composed=bool(sentence.composed),
        form=sentence.form,
        calculation=sentence.calculation,
    )


def _takes_a_side(sentence: Sentence, pair: Contradiction) -> bool:
    cited, first, second = set(sentence.evidence), set(pair.one.evidence), set(pair.other.evidence)
    if bool(cited & first) == bool(cited & second):
        return False
    if pair.is_replaced and cited & first:  # the newer value is the one to state
        return False
    own, against = (pair.one, pair.other) if cited & first else (pair.other, pair.one)
    stated, denied = figures(own.text), figures(against.text)
    apart = [one for one in stated if not any(same_figure(one, other) for other in denied)]
    has_own = any(same_figure(one, other) for one in figures(sentence.text) for other in apart)
    return has_own or says_the_same_of(sentence.text, own.text)


def _table(table: DraftTable | None, citations: Citations) -> ShownTable | None:
    if table is None:
        return None
    rows = [
        (
            strip_citations(row.label),
            [_cited(cell, citations) for cell in row.cells[: len(table.columns) - 1]],
        )
        for row in table.rows
    ]
    return ShownTable([strip_citations(column) for column in table.columns], rows)


def _cited(cell: DraftCell, citations: Citations) -> Cited | None:
    if not cell.evidence:
        return None
    kept = citations.cite([Sentence(text=cell.text, evidence=cell.evidence, verdict=cell.verdict)])
    return kept[0] if kept else None


def _pair(pair: Contradiction, citations: Citations) -> ShownContradiction | None:
    first, second = citations.cite([pair.one]), citations.cite([pair.other])
    if not first or not second:
        return None
    return ShownContradiction(strip_citations(pair.about), first[0], second[0], pair.is_replaced)


def in_forms(sentences: Sequence[Cited], say: Messages, *, is_answer: bool = False) -> list[str]:
    """The blocks of Markdown, each group of sentences of one form in a row as that form wants.

    Args:
        is_answer: as for `paragraphs`.
    """
    blocks: list[str] = []
    numbers, leads = count(1), ["- "]
    forms = _forms(sentences)
    steps = [n for n, form in enumerate(forms) if form == "step"]
    at = 0
    for form, group in groupby(zip(forms, sentences, strict=True), key=itemgetter(0)):
        of_form = [sentence for _, sentence in group]
        is_within_steps, at = bool(steps) and steps[0] < at < steps[-1], at + len(of_form)
        label = f"**{say(LABELS[form])}:** " if form in LABELS else ""
        if form == "line" and is_within_steps:  # a remark on the step above it
            blocks += [indent(block, " " * len(leads[-1])) for block in _lines(of_form)]
        elif form == "line" and blocks and len(of_form) > MOST_LINES_BELOW_A_LIST:
            blocks += [f"**{say('good_to_know')}:**", *(_item(one, "- ") for one in of_form)]
        elif form == "line" and is_answer and not blocks and len(of_form) > 1 + MOST_LINES_BELOW_A_LIST:
            blocks += [*_lines(of_form[:1]), *(_item(one, "- ") for one in of_form[1:])]
        elif form == "line":
            blocks += _lines(of_form)
        elif form == "step":
            leads = [f"{next(numbers)}. " for _ in of_form]
            blocks += map(_item, of_form, leads)
        elif form == "or":  # in the item of the step that it replaces
            blocks += [indent(_item(one, "- ", label), " " * len(leads[-1])) for one in of_form]
        elif label and len(of_form) > 1:
            blocks.append("- " + _below(label.rstrip(), [_item(one, "- ") for one in of_form], 2))
        else:
            blocks += [_item(one, "- ", label) for one in of_form]
    return blocks


def _lines(sentences: Sequence[Cited]) -> list[str]:
    """Sentences in paragraphs; the code that one shows stands below it and ends its paragraph."""
    blocks: list[str] = []
    paragraph: list[str] = []
    for sentence in sentences:
        paragraph.append(sentence.written())
        if sentence.code or len(paragraph) == SENTENCES_OF_A_PARAGRAPH:
            blocks, paragraph = [*blocks, " ".join(paragraph), *_listing(sentence)], []
    return [*blocks, " ".join(paragraph)] if paragraph else blocks


def _forms(sentences: Sequence[Cited]) -> list[SentenceForm]:
    """The form of each sentence; a line whose label needs another one that is missing is plain, and so is a step or a
    point that has no other beside it. The first of several rules is plain where it comes first: it is the answer."""
    times = Counter("step" if one.form == "or" else one.form for one in sentences)
    present = {form for form, n in times.items() if n > 1 or form not in SEVERAL_FORMS}
    forms: list[SentenceForm] = [
        "line" if NEEDS.get(one.form, one.form) not in present else one.form for one in sentences
    ]
    return ["line", *forms[1:]] if forms[:1] == ["rule"] and times["rule"] > 1 else forms


def _listing(sentence: Cited) -> list[str]:
    """The code of a sentence, and what it is composed from."""
    if not sentence.code or f"`{sentence.code}`" in sentence.text:
        return []
    return [
        "\n".join(code_block(sentence.code.splitlines())),
        *([str(sentence.composed)] if sentence.composed else []),
    ]


def _item(sentence: Cited, lead: str, label: str = "") -> str:
    """An item of a list, with the code of its sentence in it."""
    return lead + _below(label + sentence.written(), _listing(sentence), len(lead))


def _below(text: str, blocks: Sequence[str], width: int) -> str:
    """An item of a list with blocks that belong to it."""
    return "\n\n".join([text, *(indent(block, " " * width) for block in blocks)])
