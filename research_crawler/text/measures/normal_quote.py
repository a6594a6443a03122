"""Normalise quotes, so that equal ones can be found."""

from functools import lru_cache


@lru_cache(maxsize=4_096)
def normal_quote(quote: str) -> str:
    """A quote without case, punctuation and extra white space; two quotes are the same if these are equal."""
    return " ".join("".join(c if c.isalnum() else " " for c in quote.casefold()).split())
