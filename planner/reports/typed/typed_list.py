"""The lists that stand below a report's contradictions, and the sentences that they are made of."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from planner.reports.sources.citations import Cited
from research_crawler.text.writing.markdown import escape_markdown
from research_crawler.text.writing.messages import Messages


@dataclass(frozen=True)
class TypedEntry:
    """A cited sentence of a list, with what stands before and behind it."""

    cited: Cited
    before: str = ""
    """A date, or a term."""
    behind: str = ""
    day: str = ""
    """The ISO date for programs, where `before` says more than it."""
    kind: str = ""
    """What it is for programs: `rising`, `praise`, `confirmed`."""
    is_below: bool = False
    """Whether it belongs to the entry before it."""

    def written_line(self) -> str:
        """The entry as a list item."""
        before = f"**{escape_markdown(self.before)}** – " if self.before else ""
        behind = f" – {escape_markdown(self.behind)}" if self.behind else ""
        return f"{'  ' * self.is_below}- {before}{self.cited.with_marks()}{behind}"


@dataclass(frozen=True)
class TypedList:
    """A list under its own heading; `key` names the heading's message."""

    key: str
    entries: Sequence[TypedEntry] = ()
    intro: str = ""
    lines: Sequence[str] = field(default=())
    """Entries that cite nothing."""

    def markdown(self, translate: Messages) -> str:
        """The list for report.md; "" if it has nothing."""
        lines = [
            *(entry.written_line() for entry in self.entries),
            *(f"- {escape_markdown(one)}" for one in self.lines),
        ]
        if not lines and not self.intro:
            return ""
        parts = [escape_markdown(self.intro), "\n".join(lines)]
        return f"### {translate(self.key)}\n\n" + "\n\n".join(part for part in parts if part)

    def records(self, name: str) -> list[dict[str, Any]]:
        """The entries for `--json`; `name` is the key of what stands before the sentence, "" for nothing."""
        return [
            ({name: entry.day or entry.before} if name else {})
            | {"text": entry.cited.text, "evidence": entry.cited.evidence_ids}
            | ({"note": entry.behind} if entry.behind else {})
            for entry in self.entries
        ]

    def part_records(self) -> list[dict[str, Any]]:
        """The entries of a part on request for `--json`, each with its kind and, if it has one, its time."""
        return [
            {"kind": entry.kind, "text": entry.cited.text, "evidence": entry.cited.evidence_ids}
            | ({"time": entry.day} if entry.day else {})
            | ({"by": entry.behind} if entry.behind else {})
            for entry in self.entries
        ]
