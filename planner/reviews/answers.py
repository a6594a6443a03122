"""What follows from the answer of a person: the job is completed, goes on, or begins a new round. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, assert_never

from planner.goal.goal_subject import asked_of
from planner.goal.report_language import report_language
from planner.job.allowances import ForcedEnd
from planner.job.job_editor import JobEditor
from planner.job.rejected import quote_digest, rejected_among
from planner.outline.given_outline import given_outline
from planner.outline.making import MAX_LEAF_QUESTION, QUERY_WORDS, query_of
from planner.outline.rewriting import fitted_outline
from planner.outline.states import without_unknown
from planner.reviews.new_round import open_new_round, rebase_clock
from research_crawler.core.errors import OutlineError
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.models.messages.events import PersonAnswered
from research_crawler.core.models.people.reviews import (
    MAX_ANSWER_CHARS,
    MAX_REJECTED,
    MAX_REMARKS,
    OpenQuestion,
    Remark,
    ReviewAnswer,
)
from research_crawler.text.questions.query_words import distinct_words, most_words, query_words
from research_crawler.text.questions.question import begins_as_clause

Effect = Literal["ignored", "conclude", "go_on"]
SECTION_TITLE: Final = "Asked by the reviewer"
_LEAF_KINDS: Final = frozenset({"constraint"})
"""What is appended and has to be looked up; a fact or an opinion is what the person says, and nothing to search for."""


@dataclass(frozen=True)
class Answering:
    """An answer that was applied.

    effect: ignored: it answers no open question; conclude: the job's report is accepted; go_on: the job has work to do.
    """

    effect: Effect
    rejected: tuple[Finding, ...] = ()
    """The findings that the job may not use any more."""
    seen: tuple[str, ...] = ()
    """Pages that may be visited from now on, because the person names them."""


IGNORED: Final = Answering("ignored")


def apply_answer(editor: JobEditor, event: PersonAnswered, found: Sequence[Finding]) -> Answering:
    """Apply a person's answer to the job, once: an answer to another question than the open one has no effect.

    Args:
        editor: of the job.
        event: with the number of the question and the answer.
        found: the job's findings.
    """
    question, answer = editor.job.review.question, event.answer
    if question is None or event.no != question.no:
        return IGNORED
    if answer.kind == "outline" and question.kind != "plan":
        return IGNORED
    _remember(editor, answer, found)
    if answer.kind == "accept":
        return _accept(editor, question)
    before = {finding.id for finding in rejected_among(editor.job.review, found)}
    seen = _apply(editor, answer, found)
    rejected = rejected_among(editor.job.review, found)
    _reopen_leaves(editor, {finding.id for finding in found} - {finding.id for finding in rejected})
    if question.kind == "plan":
        rebase_clock(editor)
        editor.set(review=editor.job.review.changed(question=None, plan_approved=answer.kind == "outline"))
        editor.enter("planning")
    else:
        open_new_round(editor)
        _put_first(editor, answer, question)
    return Answering("go_on", tuple(f for f in rejected if f.id not in before), seen)


def _accept(editor: JobEditor, question: OpenQuestion) -> Answering:
    rebase_clock(editor)
    review = editor.job.review
    if question.kind == "plan":
        editor.set(review=review.changed(question=None, proposal=question, plan_approved=True))
        editor.enter("planning")
        return Answering("go_on")
    editor.set(review=review.changed(question=None, accepted=True))
    if question.kind == "review":
        return Answering("conclude")
    editor.plan(forced=ForcedEnd.ACCEPTED)
    editor.enter("executing")
    return Answering("go_on")


def _apply(editor: JobEditor, answer: ReviewAnswer, found: Sequence[Finding]) -> tuple[str, ...]:
    """Record what is rejected or added; returns the pages that the person names."""
    review, inputs, text = editor.job.review, editor.job.inputs, _cut_text(answer.text)
    match answer.kind:
        case "reject_finding":
            quotes = [quote_digest(finding.quote) for finding in found if finding.id in answer.findings]
            names = dict.fromkeys([*review.rejected_findings, *answer.findings, *quotes])
            editor.set(review=review.changed(rejected_findings=list(names)[-2 * MAX_REJECTED :]))
        case "reject_source":
            sources = dict.fromkeys([*review.rejected_sources, answer.source])
            editor.set(review=review.changed(rejected_sources=list(sources)[-MAX_REJECTED:]))
            editor.set(inputs=inputs.changed(urls=[url for url in inputs.urls if url != answer.source]))
        case "outline":
            try:
                editor.set(outline=given_outline(answer.outline, asked_of(inputs)))
            except OutlineError as error:  # it was checked before it was sent, by the same rules
                editor.warn(str(error))
        case "append" if answer.of == "url":
            editor.set(inputs=inputs.changed(urls=list(dict.fromkeys([*inputs.urls, answer.text]))))
            return (answer.text,)
        case "append" | "accept":
            if text and answer.of in _LEAF_KINDS:
                _ask_in_outline(editor, text)
        case "reject":
            if text and _is_asked(text):
                _ask_in_outline(editor, text)
        case unknown:
            assert_never(unknown)
    return ()


def _remember(editor: JobEditor, answer: ReviewAnswer, found: Sequence[Finding]) -> None:
    """Keep the answer in the record and in the timeline; of a rejected finding what it says, which brains are told."""
    review = editor.job.review
    rejected = "; ".join(finding.claim for finding in found if finding.id in answer.findings)
    is_new_round = answer.kind not in ("accept", "outline") and review.question is not None
    remark = Remark(
        kind=answer.kind,
        of=answer.of,
        text=_cut_text(answer.text or answer.source or rejected),
        at_ms=editor.now_ms,
        round=review.rounds + 1 if is_new_round and _kind_of(editor.job) != "plan" else review.rounds,
    )
    editor.set(review=review.changed(remarks=[*review.remarks, remark][-MAX_REMARKS:]))
    what = f"{answer.kind} ({answer.of})" if answer.kind == "append" else answer.kind
    editor.note("review", f"a person answered: {what} {remark.text}".strip())


def _kind_of(job: Job) -> str:
    return job.review.question.kind if job.review.question else ""


def _ask_in_outline(editor: JobEditor, text: str) -> None:
    """Add what the person misses to the outline, so that it is searched for; before there is one it is made later."""
    outline = editor.job.outline
    if not outline.sections:
        return
    question = text[:MAX_LEAF_QUESTION]
    query = _query_for(question, editor.job)
    index = next((n for n, section in enumerate(outline.sections) if section.title == SECTION_TITLE), None)
    sections = list(outline.sections)
    if index is None:
        number = max((int(section.id) for section in sections if section.id.isdecimal()), default=0) + 1
        leaf = Leaf(id=f"{number}.1", question=question, query=query)
        sections.append(Section(id=str(number), title=SECTION_TITLE, leaves=[leaf]))
    else:
        section = sections[index]
        leaf = Leaf(id=f"{section.id}.{len(section.leaves) + 1}", question=question, query=query)
        sections[index] = section.changed(leaves=[*section.leaves, leaf])
    editor.set(outline=fitted_outline(outline.changed(sections=sections)))


def _put_first(editor: JobEditor, answer: ReviewAnswer, question: OpenQuestion) -> None:
    """What the new round begins with: a search for what the person misses, or a different one for what was rejected.

    What the person only states needs no search, and a page that the person names is read first anyway.
    """
    if answer.kind == "append" and answer.of not in _LEAF_KINDS:
        return
    text = _cut_text(answer.text) if answer.kind in ("reject", "append") else ""
    if answer.kind == "reject" and text and not _is_asked(text):
        queries = [_query_beside(text, editor.job)]
    else:
        # The words as they were written too: they may name a thing as no list of keywords does.
        queries = [_query_for(text, editor.job), text] if text else []
    first = question.changed(
        kind="plan", action="search", queries=queries, urls=[], reason=text or answer.kind
    )
    editor.set(review=editor.job.review.changed(proposal=first))


def _is_asked(text: str) -> bool:
    """Whether a person says what to look for. A complaint ("you only looked at loud pumps") is no question: as one it
    would be searched for, stand as a heading, and never be answered."""
    return "?" in text or begins_as_clause(text, report_language(text))


def _query_beside(text: str, job: Job) -> str:
    """The words of the question with those of a complaint: of what it is about, these alone say the wrong things."""
    words = distinct_words([*query_words(asked_of(job.inputs)), *query_words(text)])
    return " ".join(most_words(words, QUERY_WORDS))


def _query_for(text: str, job: Job) -> str:
    """The words of a search for what a person misses, with the question's where they say too little by themselves."""
    asked = asked_of(job.inputs)
    return query_of(text, asked)


def _reopen_leaves(editor: JobEditor, standing: set[str]) -> None:
    """Take what was rejected out of the outline: a sub-question that loses all its evidence is open again."""
    outline: Outline = editor.job.outline
    if outline.sections:
        editor.set(outline=without_unknown(outline, standing))


def _cut_text(text: str) -> str:
    return " ".join(text.split())[:MAX_ANSWER_CHARS]
