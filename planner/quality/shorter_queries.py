"""Shorten a query that a provider refused: names, versions and quoted phrases stay longest."""

import re
from typing import Final

from research_crawler.core.models.jobs.job import Job
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.names import names_in
from research_crawler.text.languages.words import content_words, stem

SHORTER_MAX_SHARE: Final = 0.6
"""Most characters of the next query, as a share of the shortest that was refused."""
LEAST_QUERY_CHARS: Final = 24
"""No query is made shorter than this: what is refused then is not refused for its length."""
_QUOTED: Final = re.compile(r"\"[^\"]{2,80}\"")
_NUMBER: Final = re.compile(r"\d")


def most_query_chars(job: Job) -> int | None:
    """Most characters of the next query after refusals of the last attempts; None: nothing was refused."""
    refused = {attempt.round for attempt in job.assessed.attempts if attempt.refused}
    lengths = [len(s.query) for s in job.searches if s.round in refused and s.outcome not in ("", "ok")]
    return max(LEAST_QUERY_CHARS, int(SHORTER_MAX_SHARE * min(lengths))) if lengths else None


def keywords_of(goal: str) -> str:
    """The words of a goal that a search engine looks for, with its quoted phrases as they are."""
    quoted = _QUOTED.findall(goal)
    return " ".join([*quoted, *content_words(_QUOTED.sub(" ", goal), detect(goal))])


def shorter_query(query: str, most_chars: int) -> str:
    """The query within so many characters: its quoted phrase, names and numbers, then its other words, in order."""
    if len(query) <= most_chars:
        return query
    quoted = next(iter(_QUOTED.findall(query)), "")
    rest = query.replace(quoted, " ") if quoted else query
    language = detect(query)
    words = content_words(rest, language) or rest.split()
    names = names_in(rest, language)
    worth = sorted(
        range(len(words)),
        key=lambda at: (not (stem(words[at], language) in names or _NUMBER.search(words[at])), at),
    )
    kept: set[int] = set()
    left = most_chars - (len(quoted) + 1 if len(quoted) <= most_chars else 0)
    for at in worth:
        if len(words[at]) <= left:
            kept.add(at)
            left -= len(words[at]) + 1
    chosen = [words[at] for at in sorted(kept)]
    return " ".join([*([quoted] if quoted and len(quoted) <= most_chars else []), *chosen]).strip()
