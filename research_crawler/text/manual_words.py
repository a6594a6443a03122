"""Say a question in the words of manuals: people ask how big something can get, and pages state its maximum size.

A packaged embedder brings only some of these together, and a search engine none. Here are everyday ways of asking that
fit any subject; what a subject itself is called stays as it was written.
"""

import re
from functools import lru_cache, partial
from typing import Final

from research_crawler.text.words import WORD, stem

_MODAL: Final = r"(?:can|could|may|might|do|does|is|are|will|would)"
_BETWEEN: Final = r"(?P<between>(?:[\w'’./-]{1,40} ){0,5}?)"
"""What a verb may have between its words: `throw my changes away`."""
_PATTERNS: Final = {
    # how much there may be of it
    rf"how (?:big|large) {_MODAL}(?= [^,;?]{{1,80}} (?:be|get|become|grow)\b)": "maximum size",
    rf"how long {_MODAL}(?= [^,;?]{{1,80}} be\b)": "maximum length",
    r"how many(?= [^,;?]{1,80} (?:at the same time|at once|at most|in parallel)\b)": "maximum number",
    r"at the same time": "concurrent",
    r"at most": "maximum",
    # what nobody has to do by hand
    r"(?:all )?(?:by it ?self|by themselves|on its own|on their own|of its own accord)": "automatically",
    r"without (?:me|us|anyone|anybody|somebody|someone) (?:having to )?\w{3,20}": "automatically",
    r"every (?:single )?(?:night|morning|evening|day|minute|hour|week|month)": "scheduled daily task",
    # what undoes something
    rf"tak(?:e|ing) {_BETWEEN}back": "undo revert",
    rf"(?:get|bring|put)(?:t?ing)? {_BETWEEN}back": "restore",
    rf"throw(?:ing)? {_BETWEEN}(?:away|out)": "discard",
    r"get(?:ting)? rid of": "remove",
    r"start(?:ing)? (?:all )?over(?: again)?": "reset",
    # what is added, left out and changed
    rf"put(?:ting)? {_BETWEEN}in(?:to)?(?! (?:front|place)\b)": "add include",
    rf"tak(?:e|ing) {_BETWEEN}out": "remove",
    r"leav(?:e|ing) out": "exclude",
    r"(?:turn|chang)(?:e|ing)? (?:it |this |them )?into": "convert",
    r"go(?:ing)? through|step(?:ping)? through": "iterate loop",
    r"over and over(?: again)?": "repeatedly",
    # how fast and how safe it is
    rf"mak(?:e|ing) {_BETWEEN}(?:faster|quicker)": "performance",
    rf"speed(?:ing)? {_BETWEEN}up": "performance",
    rf"mak(?:e|ing) {_BETWEEN}smaller": "reduce size",
    rf"mak(?:e|ing) {_BETWEEN}(?:bigger|larger)": "increase size",
    rf"(?:keep|lock|shut)(?:ing|ting)? {_BETWEEN}out": "deny access",
    # how it stays
    r"always (?:have|has|get|gets|keep|keeps|be|use|uses) the same|that never changes?": "static",
    r"(?<=\ba )fixed": "fixed static",
    r"for now|for a (?:short )?while|for the moment": "temporarily",
    r"right away|straight away": "immediately",
    # things
    r"folders?": "directory",
    r"old (?:stuff|things)": "unnecessary old",
    r"stuff": "",
}
_EVERYDAY: Final = tuple((re.compile(rf"\b(?:{said})\b", re.I), words) for said, words in _PATTERNS.items())
"""Everyday ways of asking, with the words that manuals have for each."""


@lru_cache(maxsize=512)
def in_manual_words(question: str) -> str:
    """An English question with the words of manuals for what it says in everyday ones; most are left as they are."""
    for everyday, words in _EVERYDAY:
        question = everyday.sub(partial(_said, words=words), question)
    return question


@lru_cache(maxsize=512)
def manual_words(question: str) -> str:
    """The words that the same has and the question itself has not; empty for most questions."""
    known = {stem(word.lower()) for word in WORD.findall(question)}
    words = WORD.findall(in_manual_words(question))
    return " ".join(dict.fromkeys(word for word in words if stem(word.lower()) not in known))


def with_manual_words(question: str) -> str:
    """The question as rankers compare it: with these words after it."""
    words = manual_words(question)
    return f"{question} ({words})" if words else question


def _said(match: re.Match[str], *, words: str) -> str:
    return f"{words} {match.groupdict().get('between') or ''}".strip()
