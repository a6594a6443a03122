"""Numbers with their nouns."""


def count(number: int, noun: str) -> str:
    """A number with its noun: `1 search`, `2 searches`, `3,200 pages`."""
    plural = f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"
