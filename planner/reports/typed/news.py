"""The parts of a news report: a timeline and the key developments of the last seven days."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from planner.reports.sources.citations import Citations
from planner.reports.typed.shown import DatedStatement, TypedEntry, TypedList, dated_statements
from planner.text.messages import Messages
from planner.types.searching import NEWS_DAYS
from research_crawler.core.models.drafts import Sentence
from research_crawler.core.models.findings import Finding

MOST_DEVELOPMENTS, MOST_DATES = 5, 15


def news_lists(
    findings: Sequence[Finding], citations: Citations, *, today: str, say: Messages
) -> tuple[list[TypedList], dict[str, Any]]:
    """The lists of a news report, and the same for `--json`.

    Args:
        findings: in the order of their evidence ids.
        citations: numbers what is cited.
        today: the day of the writing, as ISO text.
        say: the language of the report.
    """
    since = _since(today)
    told = dated_statements(findings)
    recent = [one for one in told if since and since <= one.day <= today]
    dated = sorted((one for one in told if one.day), key=lambda one: one.day)
    intro = "" if recent or not dated else say("no_recent_news", days=NEWS_DAYS, day=dated[-1].day)
    chosen = recent or sorted(dated, key=lambda one: one.day, reverse=True) or told
    developments = TypedList("key_developments", _entries(chosen[:MOST_DEVELOPMENTS], citations), intro)
    timeline = TypedList("timeline", _entries(dated[-MOST_DATES:], citations, dated=True))
    record = {
        "since": since,
        "until": today,
        "timeline": timeline.records("date"),
        "key_developments": developments.records(""),
    }
    return [developments, timeline], record


def _since(today: str) -> str:
    try:
        return (date.fromisoformat(today) - timedelta(days=NEWS_DAYS)).isoformat()
    except ValueError:
        return ""


def _entries(
    chosen: Sequence[DatedStatement], citations: Citations, *, dated: bool = False
) -> list[TypedEntry]:
    return [
        TypedEntry(cited, before=one.day if dated else "")
        for one in chosen
        for cited in citations.keep([Sentence(text=one.text, evidence=[one.place])])
    ]
