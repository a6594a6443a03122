"""Find the parts of a question that are asked separately, only where plain syntax says so.

A wrong split harms more than none: it makes searches of half a question. So a part ends at a question mark, at a
semicolon, at the end of a listed line, and before "and" only where a question word follows it.
"""

import re
from typing import Final

from research_crawler.core.text.markdown_syntax import LISTED
from research_crawler.text.languages.language import language_of
from research_crawler.text.languages.words import WORD
from research_crawler.text.questions.question import begins_as_clause, links_of, question_words_in

MOST_SUB_QUESTIONS: Final = 12
"""Most parts of a question: with more, none of them gets a search of its own."""
_LEAST_WORDS: Final = 3
"""A clause has so many words; "and when?" stays with the clause that it asks about."""
_MOST_NAME_WORDS: Final = 2
"""The sides of `A vs B` are names and have no more words; behind a longer one ("Go for network services") stands of
what both are compared."""
_VERSUS: Final = re.compile(r"(?<!\s)\s++(?:vs\.?|versus)\s++", re.I)
_ENDS: Final = "?？;"
_CODE: Final = re.compile(r"[{}=<>&`]|\(\)")
"""In code, a semicolon ends a statement, and no question."""


def question_parts(question: str, language: str = "en") -> list[str]:
    """The parts of a question in order, without the marks at their ends; a question that asks one thing is one part.

    What somebody tells before he asks ("I spilled ink on my desk.") is no part: see `stated_before`.
    """
    listed = [_stripped(line["text"]) for line in LISTED.finditer(question)]
    if len(listed) > 1:
        return list(dict.fromkeys(filter(None, listed)))[:MOST_SUB_QUESTIONS] or [_stripped(question)]
    found: list[str] = []
    for sentence in _asking(question):
        found += _clauses(sentence, language)
    return list(dict.fromkeys(found))[:MOST_SUB_QUESTIONS] or [_stripped(question)]


def stated_before(question: str) -> str:
    """The sentences of a question that ask nothing; empty if it is one sentence, or has no question mark."""
    asking = _asking(question)
    if asking == [question]:
        return ""
    rest = question
    for sentence in asking:
        rest = rest.replace(sentence, " ", 1)
    return _stripped(re.sub(rf"[{_ENDS}]", " ", rest))


def compared_things(part: str) -> list[str]:
    """The things that `A vs B` names; none for any other part."""
    things = [_stripped(piece) for piece in _VERSUS.split(part)]
    is_list = len(things) > 1 and all(0 < len(WORD.findall(thing)) <= _MOST_NAME_WORDS for thing in things)
    return things if is_list else []


def added_clauses(part: str, language: str = "en") -> list[str]:
    """What a part says behind links, which asks nothing by itself: "undo a commit but keep the changes"."""
    links = "|".join(map(re.escape, sorted(links_of(language), key=len, reverse=True)))
    return re.split(rf"\b(?:{links})\b", part, flags=re.I)[1:] if links else []


def _asking(question: str) -> list[str]:
    """The sentences of a text that end with a question mark or a semicolon; without one, the whole text."""
    if not any(mark in question for mark in _ENDS) or _CODE.search(question):
        return [question]
    pieces = re.split(rf"(?<=[{_ENDS}])\s*", question)
    closed = [piece for piece in pieces if piece.rstrip().endswith(tuple(_ENDS))]
    rest = pieces[-1] if pieces and pieces[-1] not in closed and ";" in question else ""
    found: list[str] = []
    for piece in [*closed, rest]:
        # Of "I spilled ink. How do I get it off?" only the last sentence asks.
        sentences = re.split(r"(?<=[.!:])\s+(?=[^\W\d_])", piece)
        found.append(sentences[-1] if "?" in piece else piece)
    return [piece for piece in found if WORD.search(piece)]


def _clauses(sentence: str, language: str) -> list[str]:
    """The clauses of one sentence that each begin as a question, as "how tall is it, and who built it" has two."""
    whole = _stripped(sentence)
    links = "|".join(map(re.escape, sorted(links_of(language_of(language).code), key=len, reverse=True)))
    if not links or not begins_as_clause(sentence, language) or _CODE.search(sentence):
        return [whole]
    parts, start, are_clauses = list[str](), 0, True
    for link in re.finditer(rf",?(?<!\s)\s++(?:{links})\s++|;\s*+", sentence, re.I):
        before, behind = _stripped(sentence[start : link.start()]), sentence[link.end() :]
        after_pause = link[0].lstrip().startswith((",", ";"))
        if _is_border(before, behind, language, after_pause=after_pause):
            parts.append(before)
            start, are_clauses = link.end(), are_clauses and after_pause
    parts.append(_stripped(sentence[start:]))
    # "How many men and how many women came" asks the same of two things.
    openings = {" ".join(part.lower().split()[:2]) for part in parts}
    differ = are_clauses or len(openings) == len(parts)
    are_apart = differ and all(_asks_once(part, language) for part in parts)
    return parts if are_apart else [whole]


def _asks_once(clause: str, language: str) -> bool:
    """Whether a clause has one question word: a second one joins what it asks about ("between what he says and …")."""
    indexes = question_words_in(clause, language)
    return not indexes or indexes == list(range(indexes[0], indexes[0] + len(indexes)))


def _is_border(before: str, behind: str, language: str, *, after_pause: bool) -> bool:
    """Whether both sides of a mark are clauses of their own; a verb asks only behind a pause ("…, and can it …")."""
    words = WORD.findall(before)
    is_clause = len(words) >= _LEAST_WORDS and len(WORD.findall(behind)) >= _LEAST_WORDS
    # Of "when and how to water it" both words ask of the same clause.
    return (
        is_clause
        and not begins_as_clause(words[-1], language, verbs=False)
        and begins_as_clause(behind, language, verbs=after_pause)
    )


def _stripped(text: str) -> str:
    return " ".join(text.split()).strip(" ,;:?!¿¡？.…–-")
