"""Which offers a watch follows: those of the condition that it was asked for. The others are shown apart. Pure."""

from research_crawler.core.errors import UsageError
from research_crawler.core.models.offers.products import Condition
from research_crawler.core.models.watches.watch import FOLLOWED_CONDITIONS, FollowedCondition, Watch
from research_crawler.core.text.translatable import translatable
from research_crawler.text.offers.purchase import condition_in


def followed_condition(watch: Watch) -> FollowedCondition:
    """The condition that a watch follows: the one that was chosen, else what its query names, else new.

    A watch of product pages follows what these pages sell.
    """
    if not watch.query:
        return "any"
    named = condition_in(watch.query)
    return watch.condition or (named if named and named != "unknown" else "new")


def is_followed(watch: Watch, condition: Condition) -> bool:
    """Whether an offer counts for the alerts of a watch; one that names no condition does."""
    return condition == "unknown" or followed_condition(watch) in ("any", condition)


def checked_condition(text: str) -> FollowedCondition | None:
    """The condition that a caller names; None for an empty text.

    Raises:
        UsageError: it is none.
    """
    wanted = text.strip().lower().replace(" ", "_").replace("-", "_")
    found = next((name for name in FOLLOWED_CONDITIONS if name == wanted), None)
    if wanted and found is None:
        raise UsageError(
            translatable(
                "%(text)r is no condition; write one of %(known)s",
                text=text[:40],
                known=", ".join(FOLLOWED_CONDITIONS),
            )
        )
    return found
