"""Make the first outline of a job from its question: a section for each part, a leaf for each thing asked."""

from collections.abc import Iterable, Sequence

from planner.goal.language import report_language
from planner.outline.clauses import situations
from planner.outline.grammar import grammar_of
from planner.outline.parts import Part, parts_of
from research_crawler.core.models.outline import Leaf, Outline, Section
from research_crawler.text.query_words import distinct_words, is_code, most_words, query_words, said_words
from research_crawler.text.subject import subject_of
from research_crawler.text.words import WORD, stem

MOST_LEAVES = 12
"""Most leaves of an outline that nobody gave: with more, none of them gets a search of its own."""
MAX_LEAF_QUESTION, MAX_SECTION_TITLE = 240, 120
QUERY_WORDS = 9
_CLEAR_WORDS = 4
"""A part with fewer words of its own ("what are the drawbacks") is searched with words of the part before it."""
FEW_WORDS = 2
"""With fewer words that carry a meaning by themselves, the plain words of a part are what it asks."""
_NAMES, _CONTEXT_WORDS = 4, 3
"""Most names in a query, and most words of the part before: with a name the first ones, which say what of it is asked;
else the last ones, which mostly are its object. With all of them the query would be the one of the whole question."""


def first_outline(question: str, *, by: str) -> Outline:
    """The outline of a question before anything is known: all leaves are open."""
    grammar = grammar_of(report_language(question))
    parts = parts_of(question, grammar) or [Part(question, (question,), asks=False)]
    told = " ".join(situations(question, grammar))
    sections, room, before = [], MOST_LEAVES, told
    for number, part in enumerate(parts, 1):
        if not room:
            break
        texts = part.questions[:room]
        room -= len(texts)
        leaves = [
            Leaf(
                id=f"{number}.{place}",
                question=_sentence(text, asks=part.asks),
                query=_with_situation(_clear_query(text, question, before, part.title), told),
            )
            for place, text in enumerate(texts, 1)
        ]
        sections.append(
            Section(
                id=str(number),
                title=_sentence(part.title, asks=part.asks, most=MAX_SECTION_TITLE),
                leaves=leaves,
            )
        )
        before = before or part.title
    return Outline(by=by, sections=sections)


def _with_situation(query: str, told: str) -> str:
    """A query with words of what happened before the question: "How do I put it back?" says nothing without them."""
    return " ".join(most_words(distinct_words([*query.split(), *query_words(told)]), QUERY_WORDS))


def _clear_query(text: str, question: str, before: str, title: str) -> str:
    """The query of one thing asked; an option by itself (`--mixed`) gets words of its part: many programs have it."""
    query = query_of(text, question, before)
    is_alone = len(query.split()) < FEW_WORDS and is_code(query)
    return query_of(text, question, title) if is_alone else query


def query_of(part: str, question: str, before: str = "") -> str:
    """Search words for one part of a question.

    Args:
        part: what is asked.
        question: the whole question, whose names a part has that names nothing itself.
        before: the first part of the question, for a part that says too little by itself.
    """
    own = most_words(_searched(part), QUERY_WORDS)
    names = _names_with(part, question)[:_NAMES]
    more = query_words(before) if len(own) < _CLEAR_WORDS else []
    context = more[:_CONTEXT_WORDS] if names else more[-_CONTEXT_WORDS:]
    words = most_words(distinct_words([*names, *own, *context]), QUERY_WORDS)
    return " ".join(words) or part[:MAX_SECTION_TITLE]


def _searched(part: str) -> list[str]:
    """The words of a part that a search is made of; plain words too, where it has hardly another: `keep trying`."""
    words = query_words(part)
    if len(words) >= FEW_WORDS:
        return words
    known = _stems(piece for word in words for piece in WORD.findall(word))  # `--mixed` has said `mixed`
    return distinct_words([*words, *(word for word in said_words(part) if stem(word.lower()) not in known)])


def _names_with(part: str, question: str) -> list[str]:
    """The names of a part, and those of the question if it has none, or only options and the like."""
    own = query_names(part)
    if not all(map(is_code, own)):
        return own
    return distinct_words([*own, *(name for name in query_names(question) if not (own and is_code(name)))])


def query_names(question: str) -> list[str]:
    """The names and years of a question in order, and numbers that belong to a name (`PostgreSQL 15`, not `line 7`)."""
    subject = subject_of(question)
    marks = {name.mark for name in subject.names}
    return [
        word
        for word in query_words(question)
        if is_code(word)
        or word in subject.years
        or (stem(word.lower()) in subject.words and (not word.isdecimal() or word in marks))
    ]


def _sentence(text: str, *, asks: bool, most: int = MAX_LEAF_QUESTION) -> str:
    """A part as a heading: with a capital, unless code begins it, and if it asks with a question mark."""
    cut = text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + "…"
    first = cut[:1] if is_code(cut.partition(" ")[0]) else cut[:1].upper()
    return f"{first}{cut[1:]}" + "?" * (asks and not cut.endswith("…"))


def leaf_texts(leaves: Sequence[Leaf]) -> list[str]:
    """What each leaf asks, with the words of manuals for it and of its query that it lacks, as rankers compare it.

    If these words come from the first question, all of that one's are added: a query must differ from it, but a text
    that answers "When does its protection fail?" is near to no such sentence unless it says of what.
    """
    first = query_words(leaves[0].question) if leaves else []
    texts = []
    for leaf in leaves:
        known = _stems(query_words(leaf.question))
        more = [word for word in leaf.query.split() if stem(word.lower()) not in known]
        if len(known) < _CLEAR_WORDS and len(_stems(more) & _stems(first)) > 1:
            whole = distinct_words([*first, *more])
            more = [word for word in whole if stem(word.lower()) not in known]
        texts.append(f"{leaf.question} ({' '.join(more)})" if more else leaf.question)
    return texts


def asked_alone(outline: Outline, question: str) -> str:
    """What a question of one part asks in its own words: itself, without what somebody tells before he asks."""
    told = situations(question, grammar_of(report_language(question)))
    leaves = outline.leaves
    return leaves[0].question if told and len(leaves) == 1 else question


def _stems(words: Iterable[str]) -> set[str]:
    return {stem(word.lower()) for word in words}


def is_topic(question: str) -> bool:
    """Whether a question only names a topic, of which anything may be told."""
    outline = first_outline(question, by="")
    folded = " ".join(question.split())
    asks = grammar_of(report_language(question)).asks.search(folded) or "?" in question
    return len(outline.leaves) == 1 and not asks
