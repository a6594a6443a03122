"""Tell which entry of a manual an excerpt is from: `max_queue (integer)` stands above its text, or begins it."""

import re
from collections.abc import Collection
from typing import Final

from research_crawler.core.models.findings import Finding
from research_crawler.text.query_words import is_setting
from research_crawler.text.sentences import plain

LABEL_CHARS: Final = 60
_BEFORE: Final = re.compile(r"^\W*+(?:the (?:purpose of (?:the )?|meaning of (?:the )?|[a-z-]{3,20} )?)?")
OF_ENTRY, OF_OTHER_ENTRY = 1.6, 0.6
"""Factors for an excerpt of the entry that is asked for, and for one of another entry that does not even name it. The
entries of a manual are alike ("The default is 2.0. This parameter can only be set at start"), so that nearness does not
tell them apart."""


def entry_of(finding: Finding) -> frozenset[str]:
    """The settings that an excerpt is about, by the label above or at its beginning; none if that names no setting."""
    first, _, rest = finding.quote.strip().partition("\n")
    begins = plain(first) if rest and len(first) <= LABEL_CHARS else ""
    for label in (begins, finding.heading.rsplit(" > ", 1)[-1]):
        words = [word.strip("¶#,:;()").lower() for word in label.split()]
        if words and is_setting(words[0]):
            return frozenset(filter(is_setting, words))
    return frozenset()


def is_of_entry(finding: Finding, settings: Collection[str]) -> bool:
    """Whether an excerpt is from the entry of one of these settings."""
    return not entry_of(finding).isdisjoint(one.lower() for one in settings)


def begins_with_setting(text: str, settings: Collection[str]) -> bool:
    """Whether a text begins with one of these settings, and so says something of it: "The `max_queue` parameter …"."""
    opening = plain(text)[:LABEL_CHARS].lower()
    return any(_BEFORE.sub("", opening).startswith(one.lower()) for one in settings)


def entry_factor(finding: Finding, settings: Collection[str]) -> float:
    """How much an excerpt gains or loses by its entry, where a question names settings."""
    if not settings or not (entry := entry_of(finding)):
        return 1.0
    known = {one.lower() for one in settings}
    if not entry.isdisjoint(known):
        return OF_ENTRY
    return 1.0 if any(one in finding.claim.lower() for one in known) else OF_OTHER_ENTRY
