"""The exception with which middlewares and the download handler say no to a request."""

from scrapy.exceptions import IgnoreRequest

from research_crawler.core.errors import AddressRefused
from research_crawler.core.models.events import OutcomeKind

BLOCKED, FAILED = "blocked: ", "failed: "
"""How the reason of a page's refusal begins where a wall, or a useless page, is what others are spared: `page:<h>`
has one kind of entry for all, and whoever meets it ends as the first one did."""


class RequestRefused(IgnoreRequest):
    """A request that is not allowed, by rule; asking again would get the same answer.

    Args:
        reason: short, as it stands in the event: robots, host_list, guard: private_address …
        known: the frontier has this refusal already, so nobody needs to tell it.
    """

    def __init__(self, reason: str, *, known: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.known = reason, known


def refusal_of(error: AddressRefused) -> RequestRefused:
    """The guard's verdict as a refusal of the request; a host list, the user's own choice, is named apart."""
    return RequestRefused(error.reason if error.reason == "host_list" else f"guard: {error.reason}")


def ending_of(reason: str) -> tuple[OutcomeKind, str]:
    """What a refusal that `page:<h>` knows means for a command, and the reason without its mark."""
    if reason.startswith(BLOCKED):
        return "blocked", reason.removeprefix(BLOCKED)
    if reason.startswith(FAILED):
        return "failed", reason.removeprefix(FAILED)
    return "refused", reason
