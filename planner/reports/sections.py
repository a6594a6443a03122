"""Render what stands between a report's answer and its research journey: sections, contradictions, open questions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, groupby
from operator import itemgetter
from textwrap import indent
from typing import Any, Final

from planner.reports.code_filled_lists import code_filled_lists, lists_markdown
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
    "way": "another_way",
}
"""The label of a line, as a message."""
NEEDS: Final[dict[SentenceForm, SentenceForm]] = {
    "means": "see",
    "except": "rule",
    "or": "step",
    "way": "step",
}
"""A label that says nothing in a part that has no line with the other one: such a line is plain text."""

SEVERAL_FORMS: Final[frozenset[SentenceForm]] = frozenset(("step", "point"))
"""Forms of which there are several, or none."""


@dataclass(frozen=True)
class ShownTable:
    """A table whose cells have their marks; None: an empty cell."""

    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cited | None]]]

    def markdown(self, translate: Messages) -> str:
        """The table, with everything that others wrote escaped; an empty cell says that nothing was found."""
        lines = [[*map(escape_cell, self.columns)], ["---"] * len(self.columns)]
        for label, cells in self.rows:
            lines.append(
                [
                    escape_cell_with_code(label),
                    *(
                        cell.with_marks(escape_cell_with_code) if cell else translate("empty_cell")
                        for cell in cells
                    ),
                ]
            )
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def as_record(self) -> ReportTable:
        """The table for `--json`."""
        rows = [
            TableRow(
                label=label,
                cells=[
                    TableCell(text=cell.text, evidence=cell.evidence_ids) if cell else TableCell()
                    for cell in cells
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

    def markdown(self, translate: Messages) -> str:
        """The section below its own heading; one without a title has none."""
        title = f"### {escape_markdown(self.title)}" if self.title else ""
        table = self.table.markdown(translate) if self.table else ""
        return "\n\n".join(part for part in (title, paragraphs(self.sentences, translate), table) if part)

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
        first, second = (f"- {side.with_marks()}" for side in (self.one, self.other))
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
    """The lines of each of CODE_FILLED_LISTS by its key."""

    @property
    def cited(self) -> list[Cited]:
        """All its sentences and cells that cite something."""
        rows = (row for section in self.sections if section.table for row in section.table.rows)
        return [
            *(sentence for section in self.sections for sentence in section.sentences),
            *(cell for _, cells in rows for cell in cells if cell),
            *(side for pair in self.contradictions for side in (pair.one, pair.other)),
        ]

    def table_of_answer(self, translate: Messages) -> str:
        """The table that stands within the answer, if there is one."""
        tables = (section.table for section in self.sections if section.id == TABLE_ID)
        return "".join(table.markdown(translate) for table in tables if table)

    def markdown(self, translate: Messages, *, already_said: Sequence[str] = ()) -> str:
        """The parts of report.md under their fixed titles; `already_said` is what the answer calls missing already."""
        parts = {
            "in_detail": "\n\n".join(
                part.markdown(translate) for part in self.sections if part.id != TABLE_ID
            ),
            "contradictions": "\n".join(pair.markdown() for pair in self.contradictions),
        }
        shown = [f"## {translate(key)}\n\n{text}" for key, text in parts.items() if text]
        return "\n\n".join([*shown, *lists_markdown(self.lists, translate, already_said=already_said)])


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
        contradictions=[pair for drafted in draft.contradictions if (pair := _pair(drafted, citations))],
        lists=code_filled_lists(job, draft, named),
    )


def marked_as_disputed(draft: ReportDraft) -> ReportDraft:
    """The draft with a remark at each sentence of its answer that states one side of a contradiction as a fact.

    Where code alone compared two values, none is: it calls one in five pairs different that can both be true.
    """
    answer = [
        sentence.changed(text=sentence.text, verdict="contradicted")
        if any(_takes_a_side(sentence, pair) for pair in draft.contradictions if not pair.is_unread)
        else sentence
        for sentence in draft.answer
    ]
    return draft.changed(answer=answer)


def paragraphs(sentences: Sequence[Cited], translate: Messages, *, is_answer: bool = False) -> str:
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
                sentence.as_blocks(goes_on=before == sentence.speaker)
                for before, sentence in zip(speakers, of_group, strict=False)
            ]
        else:
            blocks += in_forms(of_group, translate, is_answer=is_answer)
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
    apart = [figure for figure in stated if not any(same_figure(figure, rival) for rival in denied)]
    has_own = any(
        same_figure(figure, own_figure) for figure in figures(sentence.text) for own_figure in apart
    )
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


def in_forms(sentences: Sequence[Cited], translate: Messages, *, is_answer: bool = False) -> list[str]:
    """The blocks of Markdown, each group of sentences of one form in a row as that form wants.

    Args:
        is_answer: as for `paragraphs`.
    """
    forms = _forms(sentences)
    layout = _FormLayout(forms, translate, is_answer=is_answer)
    for form, group in groupby(zip(forms, sentences, strict=True), key=itemgetter(0)):
        layout.add(form, [sentence for _, sentence in group])
    return layout.blocks


class _FormLayout:
    """Sets groups of sentences, each of one form. What belongs to a step is indented, to stand in its item."""

    def __init__(self, forms: Sequence[SentenceForm], translate: Messages, *, is_answer: bool) -> None:
        """`forms`: of all sentences, in their order."""
        self.blocks: list[str] = []
        self._translate, self._is_answer = translate, is_answer
        steps = [place for place, form in enumerate(forms) if form == "step"]
        self._between_steps = range(steps[0] + 1, steps[-1]) if steps else range(0)
        self._place = 0
        """Of the next sentence among all."""
        self._step_numbers, self._last_marker = count(1), "- "

    def add(self, form: SentenceForm, group: Sequence[Cited]) -> None:
        """Set the next sentences, which have this form."""
        label = f"**{self._translate(LABELS[form])}:** " if form in LABELS else ""
        if form == "line":
            self._add_lines(group)
        elif form == "step":
            markers = [f"{next(self._step_numbers)}. " for _ in group]
            self.blocks += map(_item, group, markers)
            self._last_marker = markers[-1]
        elif form == "or":  # in the item of the step that it replaces
            self.blocks += [self._in_last_step(_item(sentence, "- ", label)) for sentence in group]
        elif form == "way":  # its steps are numbered anew
            self.blocks += [_item(sentence, "", label) for sentence in group]
            self._step_numbers, self._last_marker = count(1), ""
        elif label and len(group) > 1:
            self.blocks.append("- " + _below(label.rstrip(), _bullets(group), 2))
        else:
            self.blocks += [_item(sentence, "- ", label) for sentence in group]
        self._place += len(group)

    def _add_lines(self, group: Sequence[Cited]) -> None:
        """Plain sentences: text, or a list where there are many of them below something else or behind an answer."""
        if self._place in self._between_steps:  # a remark on the step above it
            self.blocks += map(self._in_last_step, _lines(group))
        elif self.blocks and len(group) > MOST_LINES_BELOW_A_LIST:
            self.blocks += [f"**{self._translate('good_to_know')}:**", *_bullets(group)]
        elif self._is_answer and not self.blocks and len(group) > 1 + MOST_LINES_BELOW_A_LIST:
            self.blocks += [*_lines(group[:1]), *_bullets(group[1:])]
        else:
            self.blocks += _lines(group)

    def _in_last_step(self, block: str) -> str:
        return indent(block, " " * len(self._last_marker))


def _bullets(sentences: Sequence[Cited]) -> list[str]:
    return [_item(sentence, "- ") for sentence in sentences]


def _lines(sentences: Sequence[Cited]) -> list[str]:
    """Sentences in paragraphs; the code that one shows stands below it and ends its paragraph."""
    blocks: list[str] = []
    paragraph: list[str] = []
    for sentence in sentences:
        paragraph.append(sentence.with_marks())
        if sentence.code or len(paragraph) == SENTENCES_OF_A_PARAGRAPH:
            blocks, paragraph = [*blocks, " ".join(paragraph), *_listing(sentence)], []
    return [*blocks, " ".join(paragraph)] if paragraph else blocks


def _forms(sentences: Sequence[Cited]) -> list[SentenceForm]:
    """The form of each sentence; a line whose label needs another one that is missing is plain, and so is a step or a
    point that has no other beside it. The first of several rules is plain where it comes first: it is the answer. So is
    another way that does not stand between steps."""
    times = Counter("step" if sentence.form == "or" else sentence.form for sentence in sentences)
    present = {form for form, n in times.items() if n > 1 or form not in SEVERAL_FORMS}
    steps = [place for place, sentence in enumerate(sentences) if sentence.form == "step"]
    forms: list[SentenceForm] = [
        "line"
        if NEEDS.get(sentence.form, sentence.form) not in present
        or (sentence.form == "way" and not steps[0] < place < steps[-1])
        else sentence.form
        for place, sentence in enumerate(sentences)
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


def _item(sentence: Cited, marker: str, label: str = "") -> str:
    """An item of a list (`- ` or `1. `), with the code of its sentence in it."""
    return marker + _below(label + sentence.with_marks(), _listing(sentence), len(marker))


def _below(text: str, blocks: Sequence[str], width: int) -> str:
    """An item of a list with blocks that belong to it."""
    return "\n\n".join([text, *(indent(block, " " * width) for block in blocks)])
