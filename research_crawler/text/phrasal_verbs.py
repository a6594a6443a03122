"""Read verbs of two words (back up, log in, turn on) as the one word under which pages and search engines know them."""

import re
from typing import Final

_COMPOUNDS: Final = {
    ("back", "up"): "backup",
    ("break", "down"): "breakdown",
    ("check", "out"): "checkout",
    ("clean", "up"): "cleanup",
    ("fail", "over"): "failover",
    ("fall", "back"): "fallback",
    ("log", "out"): "logout",
    ("log", "off"): "logoff",
    ("look", "up"): "lookup",
    ("roll", "back"): "rollback",
    ("roll", "out"): "rollout",
    ("set", "up"): "setup",
    ("shut", "down"): "shutdown",
    ("sign", "up"): "signup",
    ("start", "up"): "startup",
    ("switch", "off"): "disable",
    ("switch", "on"): "enable",
    ("time", "out"): "timeout",
    ("turn", "off"): "disable",
    ("turn", "on"): "enable",
}
"""Only verbs whose two words are function words or say little by themselves: without this, a question about how to
back up a database is one about a database. Not those whose second word mostly begins a place (`the log in /var`)."""
_VERBS: Final = "|".join(sorted({verb for verb, _ in _COMPOUNDS}))
_PARTICLES: Final = "|".join(sorted({particle for _, particle in _COMPOUNDS}))
_TOGETHER: Final = re.compile(
    rf"\b(?P<verb>{_VERBS})(?:s|es|ed|[gt]?ing|(?<=log)ged)?"
    rf"(?P<object> it| them| this| that)? (?P<particle>{_PARTICLES})\b(?! to \d)",
    re.I,
)


def joined_verbs(text: str) -> str:
    """The text with each such verb as one word; a pronoun between its words comes after it."""
    return _TOGETHER.sub(_joined, text)


def _joined(match: re.Match[str]) -> str:
    compound = _COMPOUNDS.get((match["verb"].lower(), match["particle"].lower()))
    if compound is None:
        return match[0]
    word = compound.capitalize() if match["verb"][0].isupper() else compound
    return f"{word}{match['object'] or ''}"
