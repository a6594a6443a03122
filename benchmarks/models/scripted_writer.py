"""The part of the scripted model that audits and writes: it says what the evidence says, with the habits of models.

It writes half, as much as, or half as much again as it is asked, by a hash of what it writes about, so that every run
is the same.
"""

import hashlib
import re
from collections.abc import Sequence
from itertools import cycle
from typing import Any, Final

HABITS: Final = (0.5, 1.0, 1.5)
_EVIDENCE: Final = re.compile(r"^(E\d+)\. ([^|\n]+)", re.M)
_WORDS: Final = re.compile(r"About (\d+)\s+words")
_PLANNED: Final = re.compile(r"^(S\d+)\. ", re.M)
_STATEMENT: Final = re.compile(r"^(S\d+)\. ", re.M)
_NO_TABLE: Final[dict[str, Any]] = {"columns": [], "rows": []}


def answer(prompt: str, schema: dict[str, Any]) -> dict[str, Any]:
    """An answer of the evidence's first lines, with the two first as key findings."""
    sentences = _sentences(prompt, schema["properties"]["answer"]["maxItems"])
    whole: dict[str, Any] = {"contradictions": [], "missing": [], "follow_ups": [], "table": _NO_TABLE}
    return {
        "answer": sentences,
        "certainty": {"text": "As certain as a script.", "evidence": sentences[0]["evidence"]},
        "key_findings": sentences[:2],
    } | {key: value for key, value in whole.items() if key in schema["properties"]}


def audit(prompt: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The evidence dealt out to the sections in turn."""
    lines = _EVIDENCE.findall(prompt)
    most = schema["properties"]["sections"]["maxItems"]
    ids = _PLANNED.findall(prompt) or [f"S{n}" for n in range(1, most + 1)]
    dealt: dict[str, list[str]] = {id_: [] for id_ in ids}
    for (evidence, _), id_ in zip(lines, cycle(ids), strict=False):
        dealt[id_].append(evidence)
    return {
        "sections": [
            {"id": id_, "title": f"Part {id_[1:]}", "evidence": own, "needs": []}
            for id_, own in dealt.items()
            if own
        ],
        "claims": [
            {"text": text.strip(), "evidence": [id_], "is_inference": False} for id_, text in lines[:8]
        ],
        "contradictions": [],
        "missing": [],
        "follow_ups": ["What comes next?"],
    }


def section(prompt: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A section of its evidence's lines, as long as the habit says."""
    return {
        "sentences": _sentences(prompt, schema["properties"]["sentences"]["maxItems"], has_habit=True),
        "table": _NO_TABLE,
    }


def verdicts(prompt: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Every statement is supported, says the script."""
    return {
        "statements": [
            {"id": id_, "verdict": "supported", "reason": "", "reworded": ""}
            for id_ in _STATEMENT.findall(prompt)
        ]
    }


def _sentences(prompt: str, most: int, *, has_habit: bool = False) -> list[dict[str, Any]]:
    """Lines of evidence as sentences, until there are enough words."""
    lines = _EVIDENCE.findall(prompt)
    asked = _WORDS.search(prompt)
    room = int(asked[1]) if asked else 120
    if has_habit:
        room = int(room * HABITS[_number(lines) % len(HABITS)])
    found: list[dict[str, Any]] = []
    for id_, text in lines:
        if len(found) == most or (found and room <= 0):
            break
        found.append({"text": text.strip(), "evidence": [id_]})
        room -= len(text.split())
    return found


def _number(lines: Sequence[tuple[str, str]]) -> int:
    return int(hashlib.sha256(repr(lines).encode()).hexdigest()[:8], 16)
