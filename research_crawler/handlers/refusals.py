"""The exception with which middlewares and the download handler refuse a request."""

from scrapy.exceptions import IgnoreRequest

from research_crawler.core.errors import AddressRefused
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Refusal, Why


class RequestRefused(IgnoreRequest):
    """A request that a rule does not allow. Asking again would get the same answer.

    Args:
        reason: as it stands in the event; a `Refusal` where the command does not end as refused.
        known: the frontier has this refusal already, so it is not reported again.
    """

    def __init__(self, reason: Reason | Why | Refusal, *, known: bool = False) -> None:
        self.refusal = reason if isinstance(reason, Refusal) else Refusal(Why.of(reason))
        super().__init__(self.refusal.text)
        self.known = known

    @property
    def reason(self) -> Why:
        """Why it is not allowed."""
        return self.refusal.why


def refusal_of(error: AddressRefused) -> RequestRefused:
    """Translate the guard's error to a refusal of the request."""
    return RequestRefused(error.reason)
