"""The next hop of a question as a search: a name that pages gave for what is asked about, and what is asked of it."""

from collections.abc import Sequence
from itertools import takewhile

from research_crawler.text.normal_quote import normal_quote
from research_crawler.text.query_words import is_code, query_words
from research_crawler.text.subject import subject_of
from research_crawler.text.words import terms


def hop_name(query: str) -> str:
    """The name of such a query: its first words, which have capitals."""
    return " ".join(takewhile(lambda word: word[:1].isupper(), query.split()))


def hops_in(question: str, queries: Sequence[str]) -> list[str]:
    """The queries of next hops: a name that the question does not have, and then words of the question alone.

    One of these is no name: `LimitRequestBody Apache` looks for what a page mentions, and asks nothing of it.
    """
    asked = set(terms(question))
    named = subject_of(question).words | {
        one for word in query_words(question) if is_code(word) for one in terms(word)
    }
    found = []
    for query in queries:
        name = hop_name(query)
        rest = set(terms(query.removeprefix(name)))
        if name and rest <= asked and not rest <= named and not set(terms(name)) <= asked:
            found.append(query)
    return found


def is_hop_made(query: str, queries: Sequence[str]) -> bool:
    """Whether an earlier query has the name of this hop already."""
    name = normal_quote(hop_name(query))
    return any(name in normal_quote(one) for one in queries)
