"""What a small, cheap model makes of an answer: short, thought aloud, in a fence, with a field or a quote's sign wrong.

What it says is right; how much of it, and in what form, is that of a model of some 7 billion parameters which no
grammar holds to a schema. All choices are by hash, so that every run answers the same.
"""

import json
import re
from typing import Any, Final

from benchmarks.models.scripted_model import section
from benchmarks.reporting.careless_writer import HONEST, Quote, number_of

MOST_ENTRIES: Final = 3
MOST_CHARS: Final = 600
"""Most characters of an answer without its thoughts: some 120 tokens of words, and the JSON around them."""
MOST_WORDS: Final = 45
"""Of a quote or sentence."""
_STATEMENTS: Final = re.compile(
    r"^(?P<id>S\d+)\. .*\n   quote Q\d+(?:: “(?P<quote>.*)”(?: \|.*)?|, see above)$", re.M
)
_DROPPED: Final = {
    "planner": ("action", "reason", "labels", "outline"),
    "extractor": ("confidence", "summary", "relevance", "recommendations"),
    "writer": ("certainty", "key_findings", "follow_ups", "table"),
}
"""Fields of which an answer lacks one."""
_WRAPPED: Final = (
    "{}",
    "<think>\nI should answer that.\n</think>\n{}",
    "```json\n{}\n```",
    "<think>Hm.</think>{}",
)


def short_text(role: str, answer: dict[str, Any], prompt: str) -> str:
    """The answer as a small model writes it."""
    seed = number_of(role + section(prompt, "Goal") + str(len(prompt) // 500))
    kept = _cut(answer)
    if dropped := _DROPPED.get(role):
        kept = {name: value for name, value in kept.items() if name != dropped[seed % len(dropped)]}
    while len(json.dumps(kept)) > MOST_CHARS and _longest(kept):
        _longest(kept).pop()
    text = json.dumps(kept, ensure_ascii=False)
    if seed % 3 == 0:
        text = f"{text[:-1]},}}"
    return _WRAPPED[seed % len(_WRAPPED)].format(text)


def short_quote(quote: str) -> str:
    """The beginning of a quote, copied with a sign that is another one."""
    words = quote.split(" ")[:MOST_WORDS]
    text = " ".join(words)
    match number_of(quote) % 3:
        case 0:
            return text.replace("'", "’").replace('"', "“")
        case 1:
            return text.replace(" ", "  ", 1)
    return text


def reworded(quote: Quote) -> str:
    """What a quote says in other words, or its own where there are none."""
    kinds = ("in other words", "shortened", "other forms of numbers")
    return next(filter(None, (HONEST[kind](quote, []) for kind in kinds)), quote.text)


def short_verdicts(prompt: str) -> dict[str, Any]:
    """All is supported; of every second statement it copies no words."""
    found = [(one["id"], one["quote"] or "") for one in _STATEMENTS.finditer(prompt)]
    return {
        "statements": [
            {"id": id_, "verdict": "supported"}
            | ({"words": " ".join(quote.split()[:20])} if number_of(quote) % 2 else {})
            for id_, quote in found
        ]
    }


def _cut(value: Any) -> Any:
    """The value with short lists and texts, and without empty ones."""
    if isinstance(value, dict):
        return {name: cut for name, one in value.items() if (cut := _cut(one)) not in ("", [], {}, None)}
    if isinstance(value, list):
        return [_cut(one) for one in value[:MOST_ENTRIES]]
    return " ".join(value.split(" ")[:MOST_WORDS]) if isinstance(value, str) else value


def _longest(answer: dict[str, Any]) -> list[Any]:
    """The list of several entries with the most text; an empty one where there is none."""
    lists = [one for one in answer.values() if isinstance(one, list) and len(one) > 1]
    return max(lists, key=lambda one: len(json.dumps(one)), default=[])
