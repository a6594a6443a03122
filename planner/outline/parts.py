"""Find the parts of a question that are answered separately: its clauses, and in each the things that it lists."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from planner.outline.clauses import clauses
from planner.outline.grammar import Grammar
from research_crawler.text.query_words import is_code, query_words
from research_crawler.text.words import content_words

MOST_THINGS = 6
"""Most things or aspects of one list; a longer one is a sentence that was read wrongly."""
_ITEM_WORDS = 4
_ARTICLE = re.compile(
    r"^(?:(?:the|a|an|der|die|das|den|dem|ein|eine|le|la|les|un|une|el|los|las|una|il|lo|i|gli|het|de|een|o|os|as|um|uma)\s+|l['’])",
    re.I,
)


@dataclass(frozen=True)
class Part:
    """A part of a question: a section of the report with what is asked in it."""

    title: str
    questions: tuple[str, ...]
    asks: bool
    """It is worded as a question, not as a topic."""


def parts_of(question: str, grammar: Grammar) -> list[Part]:
    """The parts of a question in order; a simple question is one part that asks one thing."""
    return [part for clause in clauses(question, grammar) for part in _parts_of_clause(clause, grammar)]


def _parts_of_clause(clause: str, grammar: Grammar) -> list[Part]:
    if (things := _compared(clause, grammar)) is not None:
        names, aspects = things
        if len(aspects) > 1:
            return [
                Part(aspect, tuple(f"{name}: {aspect}" for name in names), asks=False) for aspect in aspects
            ]
        scope = f" – {aspects[0]}" if aspects else ""
        return [Part(clause, tuple(f"{name}{scope}" for name in names), asks=False)]
    if listed := _listed_codes(clause, grammar):
        return [Part(clause, tuple(listed), asks=False)]
    if listed := _attributes(clause, grammar):
        return [Part(clause, tuple(listed), asks=False)]
    return [Part(clause, (clause,), asks=bool(grammar.asks.match(clause.rpartition(": ")[2])))]


def _compared(clause: str, grammar: Grammar) -> tuple[list[str], list[str]] | None:
    """The things that a clause compares, and in which aspects; None if it compares nothing."""
    if begin := grammar.compare.search(clause):
        rest = clause[begin.end() :]
    elif grammar.versus.search(clause) and not grammar.asks.match(clause) and ":" not in clause:
        rest = clause
    else:
        return None
    about = grammar.about.search(rest)
    while about and not grammar.link.search(rest, 0, about.start()):  # `use of A and B`: the list comes later
        about = grammar.about.search(rest, about.end())
    names = _items(rest[: about.start()] if about else rest, grammar)
    names = list(dict.fromkeys(_with_common_noun(names))) if len(names) > 1 else []
    if len(names) < 2:
        return None
    scope = _ARTICLE.sub("", rest[about.end() :], count=1) if about else ""
    aspects = _items(scope, grammar)
    if len(aspects) < 2:
        aspects = [scope] if scope else []
    return names, aspects


def _attributes(clause: str, grammar: Grammar) -> list[str]:
    """`height of X` and `weight of X`, for a clause that asks for the height and weight of X."""
    of = grammar.of.search(clause)
    if not of:
        return []
    lead = grammar.lead.match(clause)
    items = _items(clause[lead.end() if lead else 0 : of.start()], grammar)
    if len(items) < 2 or not content_words(clause[of.end() :]):
        return []
    if not lead and grammar.asks.match(clause):
        return []
    return [f"{item}{of.group()}{clause[of.end() :]}" for item in items]


def _listed_codes(clause: str, grammar: Grammar) -> list[str]:
    """`--soft – git reset index` and so on, for a clause that asks the same of several options or settings.

    "What do git reset --soft, --mixed and --hard do to the index?" is answered in as many places.
    """
    pieces = grammar.link.split(clause)
    runs = [
        (piece.split() or [""])[place]
        for piece, place in zip(pieces, [-1, *([0] * len(pieces))], strict=False)
    ]
    count = next((n for n, word in enumerate(runs) if not is_code(word)), len(runs))
    codes = list(dict.fromkeys(runs[:count]))
    alone = all(len(piece.split()) == 1 for piece in pieces[1 : count - 1])
    if not 2 <= len(codes) <= MOST_THINGS or not alone:
        return []
    rest = [word for word in query_words(clause) if word not in codes]
    return [f"{code} – {' '.join(rest)}" if rest else code for code in codes]


def _items(text: str, grammar: Grammar) -> list[str]:
    """The items of a list, without articles; none if one of them is too long or says nothing."""
    items = [_ARTICLE.sub("", piece.strip(), count=1) for piece in grammar.link.split(text)]
    if not 2 <= len(items) <= MOST_THINGS or not all(0 < len(item.split()) <= _ITEM_WORDS for item in items):
        return []
    return list(dict.fromkeys(items))


def _with_common_noun(names: Sequence[str]) -> list[str]:
    """`L` and `END flags` as `L flags` and `END flags`: a noun in small letters after the last name is of all.

    So is a plural after kinds of it: `single and double quotes`.
    """
    *others, last = names
    first, _, noun = last.partition(" ")
    is_name = first[:1].isupper() or any(char.isdigit() for char in first)
    # `hard and symbolic links`, but `cats and guinea pigs`
    is_kind = noun.endswith("s") and not any(name.endswith("s") for name in others)
    if not noun or not noun.islower() or not (is_name or is_kind) or any(" " in name for name in others):
        return list(names)
    return [*(f"{name} {noun}" for name in others), last]
