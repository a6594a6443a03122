"""Adds to what a service says the command with which a user of the command line goes on."""

from typing import Literal

from research_crawler.core.errors import (
    FetchFailed,
    JobIsOver,
    JobNotOver,
    ResearchError,
    UnknownBatch,
    UnknownIntervention,
    UnknownJob,
    UnknownSetting,
    UnknownWatch,
)

START = {
    "planner": "no planner is running; start one with `research up`",
    "crawler": "no crawler is running; start one with `research crawl` or `research up`",
}
LISTED_BY: dict[type[ResearchError], str] = {
    UnknownBatch: "batch",
    UnknownIntervention: "interventions",
    UnknownWatch: "watch",
}
"""The group of commands that lists what is unknown."""


def error_text(error: ResearchError) -> str:
    """An error in one line, with the command that helps."""
    hint = _hint(error)
    return f"{error}; {hint}" if hint else str(error)


def start_hint(missing: Literal["planner", "crawler", ""]) -> str:
    """How to start the process that is missing; "" if none is."""
    return START.get(missing, "")


def _hint(error: ResearchError) -> str:
    match error:
        case UnknownJob():
            return "`research list` shows the known ones"
        case UnknownBatch() | UnknownIntervention() | UnknownWatch():
            return f"`research {LISTED_BY[type(error)]} list` shows them"
        case JobNotOver():
            return f"`research status {error.job}` shows its progress, `research cancel {error.job}` ends it"
        case JobIsOver():
            return f"`research result {error.job}` shows what it found"
        case UnknownSetting():
            return "`research config show` lists them"
        case FetchFailed() if str(error).startswith("no answer within"):
            return "`research doctor` shows what works"
    return ""
