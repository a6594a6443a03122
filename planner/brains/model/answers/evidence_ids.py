"""Read the ids that a model names: only what it was shown counts."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from planner.reports.sources.ranked_evidence import evidence_id
from prompts.answers import MOST_IDS, CitedSentence
from research_crawler.core.models.reports.drafts import Sentence

_MOST_DIGITS: Final = 6
"""No list that is shown is so long; Python refuses to read a number of thousands of digits."""


def normal_id(text: str, letter: str) -> str:
    """An id in its normal form: `r3`, `[R3]`, `3` and `R3` are the same id."""
    bare = text.strip().strip("[]().").upper().removeprefix(letter)
    return f"{letter}{bare}"


def index_of(text: str, letter: str, shown: int) -> int | None:
    """The 0-based index of an id; None if nothing with this id was shown."""
    number = normal_id(text, letter)[1:]
    is_number = number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS
    return int(number) - 1 if is_number and 1 <= int(number) <= shown else None


def indexes_of(ids: Iterable[str], shown: Collection[int]) -> list[int]:
    """The indexes of the findings that ids of evidence name, each once and at most `MOST_IDS`, without those that were
    not shown."""
    by_id = {evidence_id(index): index for index in shown}
    named = (by_id.get(normal_id(one, "E")) for one in ids)
    return list(dict.fromkeys(index for index in named if index is not None))[:MOST_IDS]


def uncited_texts(sentences: Sequence[CitedSentence], shown: Collection[int]) -> list[str]:
    """The sentences, as one line each, that name no evidence that the model was shown: invented ids, or none."""
    texts = (" ".join(one.text.split()) for one in sentences if not indexes_of(one.evidence, shown))
    return list(dict.fromkeys(text for text in texts if text))


def cited_sentences(
    sentences: Sequence[CitedSentence], shown: Collection[int], *, cites: bool = True
) -> list[Sentence]:
    """The sentences as one line each, with the indexes of their evidence; those without evidence are left out.

    Args:
        sentences: as the model wrote them.
        shown: indexes of the findings that it was shown.
        cites: False: they need no evidence.
    """
    found = []
    for sentence in sentences:
        text, indexes = " ".join(sentence.text.split()), indexes_of(sentence.evidence, shown)
        if text and (indexes or not cites):
            found.append(Sentence(text=text, evidence=indexes, code=sentence.code, form=sentence.form))
    return found
