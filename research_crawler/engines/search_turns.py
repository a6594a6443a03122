"""What a search knows when it gets a turn in a provider's queue, and what comes of the turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Self

from research_crawler.core.errors import SearchTrouble
from research_crawler.core.models.messages.events import ProviderReport, SearchResult
from research_crawler.core.models.messages.searches import SearchProgress, TriedProvider
from research_crawler.engines.search_plan import Ending

AnswerTrouble = SearchTrouble | Literal[""]
"""Kind of a provider's failure; "" for an answer."""


@dataclass
class ProviderAnswer:
    """The outcome of asking one provider."""

    report: ProviderReport
    results: list[SearchResult] = field(default_factory=list)
    ending: Ending = "done"
    trouble: AnswerTrouble = ""

    @classmethod
    def of(cls, tried: TriedProvider) -> Self:
        """The answer that an earlier turn of the search got."""
        return cls(tried.report, tried.results)


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What a search knows when it gets a turn in a provider's queue."""

    provider: str = ""
    """The provider whose turn it is; "": the search has just come, and waits for nobody yet."""
    progress: SearchProgress = field(default_factory=SearchProgress)
    closed_s: Mapping[str, float] = field(default_factory=dict)
    """Provider → seconds for which its slot is closed for all; none: it is open."""


@dataclass(frozen=True, kw_only=True)
class SearchStep:
    """What came of one turn: the search is over, or it waits for another provider."""

    answers: Sequence[ProviderAnswer] = ()
    """Of all turns, in the order of the providers; the search is over if `wait_for` is empty."""
    wait_for: str = ""
    progress: SearchProgress = field(default_factory=SearchProgress)
    """What the search carries along while it waits."""
    troubled: Mapping[str, SearchTrouble] = field(default_factory=dict)
    """Provider → kind of the failure that it had in this turn."""
    has_others: bool = False
    """Whether another provider was ready in this turn than those that had trouble."""


def progress_after(before: SearchProgress, answers: Sequence[ProviderAnswer]) -> SearchProgress:
    """The progress of a search after a turn; a provider that was passed over or is limited is asked again."""
    done = [
        TriedProvider(report=answer.report, results=answer.results)
        for answer in answers
        if answer.ending == "done"
    ]
    limited = [answer.report.provider for answer in answers if answer.ending == "limited"]
    return SearchProgress(
        tried=[*before.tried, *done],
        limited={**before.limited, **{name: before.limited.get(name, 0) + 1 for name in limited}},
        turns=before.turns + 1,
        downloads=before.downloads,
    )
