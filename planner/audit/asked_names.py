"""Find the names in a sentence that a question does not have, and the one that stands beside what happened."""

import re
from collections.abc import Iterator
from typing import Final

from planner.audit.told_events import event_in
from planner.goal.language import report_language
from planner.verify.dates import dates_of
from research_crawler.text.agreement import is_negated, stem_of, stems_of
from research_crawler.text.words import STOPWORDS, WORD, stem, terms

_ARTICLES: Final = frozenset(
    "the a an der die das ein eine le la les un une el los il lo gli het een o os de".split()  # noqa: SIM905
)
_LINKING: Final = frozenset(
    """
    who that which whom himself herself itself themselves wer der die das qui que che
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Words between a name and what it did that tell nothing: "it was Karl Lindell himself who invented"."""
_COPULAS: Final = frozenset("is was has been becomes became ist war wurde est était es era fue è fu".split())  # noqa: SIM905
_TOGETHER: Final = frozenset("family group company brothers sisters foundation trust bank dynasty".split())  # noqa: SIM905
"""Words behind a name of several people: "the Kerr family"."""
_BREAKS: Final = re.compile(r"[;:]|,(?!\d)|\b(?:and|but|und|et|y|e|en|i)\b")
_GAP_BEHIND: Final = 3
"""Most words between what happened and the name behind it: "invented by the plumber Karl Lindell"."""
_GAP_BEFORE: Final = 1
"""The same for a name before it: "Karl Lindell has invented"."""
_PARTICLES: Final = frozenset("de del della der den di du da dos la le van von ter of".split())  # noqa: SIM905
_LONGEST_RUN: Final = 6

NewName = tuple[int, int, frozenset[str]]
"""Start and end of a name, and the stems of its words that the question lacks."""


def name_beside(question: str, text: str) -> NewName | None:
    """Start, end and stems of the only new name beside what happened."""
    event = event_in(question, text)
    if event is None or is_negated(text):
        return None
    told = (_behind_event(question, text, one, event) for one in new_names(question, text))
    new = [one for one in told if one[2] and not _only_describes(text, one, event)]
    known = set(terms(question))
    near = [
        (start, end, name)
        for start, end, name in new
        if _is_beside(text, start, end, event, known)
        and not (len(new) > 1 and _BREAKS.search(text, min(end, event[1]), max(start, event[0])))
    ]
    return near[0] if len(near) == 1 else None


def _behind_event(question: str, text: str, name: NewName, event: tuple[int, int]) -> NewName:
    """A name without the word for what happened, where that has a capital too: "Gründer der Brauerei Hohlstein"."""
    start, end, _ = name
    if end <= event[0] or start >= event[1] or " " not in text[start:end]:
        return name
    known = stems_of(f"{question} {text[: event[1]]}")
    left = (word for word in WORD.findall(text[event[1] : end]) if word not in _PARTICLES)
    return event[1], end, frozenset(map(stem_of, left)) - known


def _only_describes(text: str, name: NewName, event: tuple[int, int]) -> bool:
    """Whether a word with a capital says of what kind the next one is: "the Welsh engineer"."""
    start, end, words = name
    before, behind = WORD.findall(text[:start])[-1:], WORD.search(text, end)
    if len(words) > 1 or not before or before[0].lower() not in _ARTICLES or behind is None:
        return False
    if behind[0].lower() in _TOGETHER:
        return False
    return behind[0][0].islower() and text[end : behind.start()] == " " and behind.start() != event[0]


def _is_beside(text: str, start: int, end: int, event: tuple[int, int], known: set[str]) -> bool:
    """Whether a name stands beside what happened, with nothing between them but what the question knows."""
    if start < event[1] and end > event[0]:  # "GPL-licensed"
        return True
    if start >= event[1]:
        between = [word for word in WORD.findall(text[event[1] : start]) if stem(word.lower()) not in known]
        return sum(word.lower() not in _ARTICLES for word in between) <= _GAP_BEHIND
    between = [word for word in WORD.findall(text[end : event[0]]) if word.lower() not in _LINKING]
    if between and between[0].lower() in _COPULAS:  # "Ida Bloom is the chief executive"
        between = [word for word in between if word.lower() not in _COPULAS | _ARTICLES]
    return len(between) <= _GAP_BEFORE and _ARTICLES.isdisjoint(word.lower() for word in between)


def new_names(question: str, text: str) -> Iterator[NewName]:
    """The names of a text that have a word which the question lacks: start, end, and the stems of these words."""
    known = stems_of(question)
    is_german = report_language(text) == "de"
    for whole in _runs(dates_of(text)[1]):
        run = whole[1:] if whole[0][1] == 0 and whole[0][0].lower() in STOPWORDS else whole
        words = [word for word in run if word[0].lower() not in _PARTICLES]
        new = frozenset(stem_of(word) for word, _, _ in words) - known
        if run and new and (len(words) > 1 or not is_german):
            yield run[0][1], run[-1][2], new


def _runs(text: str) -> Iterator[list[tuple[str, int, int]]]:
    """Words with capitals in a row, the first word of the sentence only where another one follows it."""
    run: list[tuple[str, int, int]] = []
    for match in [*WORD.finditer(text), None]:
        is_next = match is not None and (not run or not text[run[-1][2] : match.start()].strip())
        may_follow = match is not None and (match[0][0].isupper() or (bool(run) and match[0] in _PARTICLES))
        if match is not None and is_next and may_follow and len(run) < _LONGEST_RUN:
            run.append((match[0], match.start(), match.end()))
            continue
        while run and run[-1][0] in _PARTICLES:
            run.pop()
        if run and (len(run) > 1 or run[0][1] > 0):
            yield run
        is_name = match is not None and match[0][0].isupper()
        run = [(match[0], match.start(), match.end())] if match is not None and is_name else []
