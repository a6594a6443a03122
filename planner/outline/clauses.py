"""Split a question into the clauses that ask something of their own."""

import re
from collections.abc import Iterator, Sequence

from planner.outline.grammar import Grammar
from research_crawler.text.sentences import sentence_spans
from research_crawler.text.statements import is_experience
from research_crawler.text.words import ASKING, WORD

_PAUSE = re.compile(r"(?<=[?？;])\s*|\n+")
_WORD = re.compile(r"\w")
_WANTED = ASKING | frozenset(("hear", "interested", "like", "want", "wish", "would"))
"""Words of a sentence that asks without being a question: "I want to know which ports it needs"."""


def clauses(question: str, grammar: Grammar) -> list[str]:
    """The clauses of a question that ask something, in order, without the marks at their ends.

    A lone word ("and why?") asks it of the clause beside it: `which index is better – why`. A question that asks one
    thing, or a topic, gives itself.
    """
    found: list[str] = []
    sentences = list(_sentences(question))
    told = situations(question, grammar)
    for sentence in sentences:
        if sentence not in told:
            found += _with_bare_words(_split(sentence, grammar), grammar)
    return list(dict.fromkeys(found))


def situations(question: str, grammar: Grammar) -> list[str]:
    """The sentences in which somebody tells what happened to him before he asks: they ask nothing themselves."""
    sentences = list(_sentences(question))
    if not any(grammar.asks.match(sentence) for sentence in sentences):
        return []
    return [
        sentence
        for sentence in sentences
        if is_experience(sentence)
        and not grammar.asks.match(sentence)
        and _WANTED.isdisjoint(WORD.findall(sentence.lower()))
    ]


def _sentences(question: str) -> Iterator[str]:
    for piece in _PAUSE.split(question):
        for start, end in sentence_spans(piece):
            if text := _stripped(piece[start:end]):
                yield text


def _split(sentence: str, grammar: Grammar) -> list[str]:
    """The clauses of one sentence. What asks nothing ("GIN or GiST:") stays with the clause beside it."""
    parts, start = [], 0
    if grammar.asks.match(sentence):
        borders = list(grammar.border.finditer(sentence))
        for border in borders:
            if _is_border(border, borders, grammar):
                parts.append(_stripped(sentence[start : border.start()]))
                start = border.end()
    elif (colon := sentence.find(": ")) > 0 and grammar.asks.match(sentence[colon + 1 :]):
        first, *rest = _split(sentence[colon + 2 :], grammar) or [""]
        return [f"{sentence[: colon + 1]} {first}", *rest]
    return [part for part in [*parts, _stripped(sentence[start:])] if part]


def _is_border(border: re.Match[str], borders: Sequence[re.Match[str]], grammar: Grammar) -> bool:
    """Whether a new clause begins here; after a comma alone, a relative clause may."""
    link = border["link"].strip()
    if link == ":":
        return False
    if border["word"] is None:
        return link == ";" or bool(_WORD.search(link))
    if link != "," or not grammar.relative.match(border["word"]):
        return True
    return any(other.start() > border.start() and _WORD.search(other["link"]) for other in borders)


def _with_bare_words(parts: Sequence[str], grammar: Grammar) -> list[str]:
    """The clauses, with lone question words attached to the clause that they ask about."""
    found: list[str] = []
    waiting: list[str] = []
    whole = ""
    for part in parts:
        if not grammar.bare.fullmatch(part):
            rest = grammar.bare.sub("", part, count=1) if grammar.bare.match(part) else part
            found += [*(f"{word} {rest}" for word in waiting), part]
            waiting, whole = [], part
        elif whole:
            found.append(f"{whole} – {part}")
        else:
            waiting.append(part)
    return [*found, *([" ".join(waiting)] if waiting else [])]


def _stripped(text: str) -> str:
    return " ".join(text.split()).strip(" ,;:?!¿¡？.…–-")
