"""End phase 1: by a decision, or without one. Pure."""

from collections.abc import Sequence

from planner.job.allowances import ForcedEnd, forced_line, in_flight
from planner.job.completeness import as_said, unmet
from planner.job.job_editor import JobEditor
from planner.job.progress import DECIDING, SYNTHESIZING
from planner.quality.quality_policy import should_finish
from planner.reviews.review_questions import ask_for_help, difficulty_of
from planner.rounds.opening import await_the_rest
from planner.rounds.phase2_start import asks_before_vendors, begin_phase2
from planner.rounds.stuck.recovery import ask_or_warn_if_uncertain
from planner.rounds.stuck.stuck_rules import RecoveryStrategy, stuck_because
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import Decision
from research_crawler.core.models.jobs.job import Job
from research_crawler.text.languages.words import terms

MAX_DONE_REASON = 400
"""Longest reason with which phase 1 ends."""
MAX_MISSING, MAX_MISSING_LINE, MAX_NAMED_LINE = 8, 100, 200
"""Most things that are said to be missing, their longest line, and the longest one that names a sub-question."""
ENDS_AT_ONCE = frozenset({ForcedEnd.TIMEOUT, ForcedEnd.WAITING, ForcedEnd.TARGETS, ForcedEnd.ACCEPTED})
"""Forced ends that do not wait for commands in flight: there is no time left, or nothing is missing."""


def finish(job: Job, forced: ForcedEnd, *, now_ms: int, findings: Sequence[Finding]) -> Job:
    """End phase 1 without a decision of the planner.

    While pages of earlier rounds are in flight and time is left, the job waits for them instead.
    """
    editor = JobEditor(job, now_ms)
    if forced not in ENDS_AT_ONCE and in_flight(job):
        return await_the_rest(editor)
    if forced is ForcedEnd.NOTHING_LEFT:
        taken = ask_or_warn_if_uncertain(editor.job, now_ms)
        if taken.strategy is RecoveryStrategy.ASK_PERSON:
            return ask_for_help(taken.job, "", difficulty_of(taken.job, taken.reason), now_ms)
        editor.job = taken.job
    editor.plan(forced=forced, missing=_lacking(editor, (), findings), last_resort=forced is ForcedEnd.STUCK)
    editor.note("forced", forced_line(forced))
    if forced is ForcedEnd.STUCK:
        editor.warn(
            editor.translate(
                "got_stuck", why=stuck_because(job, editor.translate) or editor.translate("no_progress")
            )
        )
    return _closed_phase(editor)


def end_by_decision(editor: JobEditor, decision: Decision, findings: Sequence[Finding], by: str) -> Job:
    """End phase 1 because the planner is done, with its reason and what was not found."""
    missing = _lacking(editor, decision.missing, findings)
    editor.plan(
        done_reason=" ".join(decision.reason.split())[:MAX_DONE_REASON],
        missing=missing,
        named_missing=_named_besides(editor, decision.missing, missing),
    )
    editor.note("done", decision.reason or "enough to answer", by)
    return _closed_phase(editor)


def _lacking(editor: JobEditor, named: Sequence[str], findings: Sequence[Finding]) -> list[str]:
    """What the job did not find: the unanswered leaves of its outline, and what an offer needs.

    What the brain names counts as these only where there is no outline: it may name what was answered.
    """
    outline = editor.job.outline
    asked = list(named)
    if outline.leaves:
        # A single question is the goal itself: the report says whether it is answered.
        is_goal = len(outline.leaves) == 1 and not outline.is_given and editor.job.inputs.intent != "commerce"
        # A sub-question may stand open, for its words are others, where who has read all says that it is answered.
        is_answered = should_finish(editor.job.assessed, editor.job.limits.quality)
        unanswered = [leaf for leaf in outline.unanswered if leaf.state != "open" or not is_answered]
        lacking = [
            leaf.question.rstrip("?") for leaf in unanswered if not outline.has_unjudged_evidence(leaf)
        ]
        asked = [] if is_goal else lacking
    lacking = as_said([*asked, *unmet(editor.job, findings)], editor.translate)
    return list(dict.fromkeys(" ".join(item.split())[:MAX_MISSING_LINE] for item in lacking))[:MAX_MISSING]


def _named_besides(editor: JobEditor, named: Sequence[str], missing: Sequence[str]) -> list[str]:
    """What the brain names as missing and is neither told already nor only the words of a sub-question.

    A sub-question may be answered and yet lack something: the report's writer is told, and judges by all evidence.
    """
    asked = [frozenset(terms(leaf.question)) for leaf in editor.job.outline.leaves]
    items = (" ".join(item.split()) for item in as_said(named, editor.translate))
    besides = (
        _shortened(item)
        for item in items
        if item[:MAX_MISSING_LINE] not in missing
        and not any(frozenset(terms(item)) <= question for question in asked)
    )
    return list(dict.fromkeys(besides))[:MAX_MISSING]


def _shortened(item: str) -> str:
    return item if len(item) <= MAX_NAMED_LINE else f"{item[:MAX_NAMED_LINE].rsplit(' ', 1)[0]} …"


def _closed_phase(editor: JobEditor) -> Job:
    # That nothing at all was found is no question without an answer: the report says it for all of them.
    missing = [item for item in editor.job.plan.missing if item != editor.translate("any_finding")]
    if missing:
        editor.warn(editor.translate("not_found_items", items="; ".join(missing)))
    if editor.job.strategy != "phase1_only" and asks_before_vendors(editor):
        return editor.job
    editor.plan(open_commands=[], round_until_ms=0, finished_ms=editor.now_ms)
    if editor.job.strategy == "phase1_only":
        editor.enter("synthesizing")
        return editor.finish_step(SYNTHESIZING)
    begin_phase2(editor)
    return editor.finish_step(DECIDING)
