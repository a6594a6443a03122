"""Close a round. Pure."""

from planner.job.job_editor import JobEditor


def close_round(editor: JobEditor) -> None:
    """Close a round that is complete or whose time is over, and count whether it brought something new.

    A round that brought no page at all says nothing about what can be found: it does not count as barren. Neither does
    the last one from before a person's answer, which was counted when it was closed.
    """
    plan = editor.job.plan
    is_counted = 0 < plan.round <= plan.begun.round
    has_searched = any(search.round == plan.round for search in editor.job.searches)
    has_read = any(
        visit.round == plan.round and visit.what == "ok" and not visit.origin for visit in editor.job.visits
    )
    barren = plan.barren_rounds
    if plan.gained and not has_searched:
        barren = 0
    elif not plan.gained and not is_counted and (has_searched or has_read):
        barren += 1
    if plan.open:
        editor.note("warning", f"round {plan.round}: continued without {len(plan.open)} of its answers")
    editor.plan(open=[], round_until_ms=0, round_limit_ms=0, gained=0, barren_rounds=barren)
