"""Interventions: a host shows a wall instead of a page, and a person is asked to open it."""

from typing import Final, Literal

from research_crawler.core.models.base import Wire
from research_crawler.core.models.reasons import Reason

BlockerPolicy = Literal["skip", "ask"]
"""What a job does at a wall: leave the page out, or ask a person."""
InterventionState = Literal["open", "done", "cancelled", "expired", "over"]
"""open: waits for a person; done: the person's session is kept; cancelled: a person said no; expired: nobody came in
time; over: no job waits for it any longer."""

ASKABLE: Final = frozenset({Reason.CAPTCHA, Reason.CHALLENGE, Reason.LOGIN_PAGE, Reason.CONSENT_WALL})
"""The walls that a person can open. Too many requests, a country and a page that is gone are not among them."""
MOST_ASKS: Final = 2
"""How often a person is asked for one page; a wall that stands after that is the end of it."""


class Intervention(Wire):
    """What a person is asked about one host. All pages that meet a wall there meanwhile wait for the same answer."""

    id: str
    host: str
    """Without `www.`, as hosts are named in the frontier."""
    url: str
    """The first page that met the wall."""
    kind: Reason
    detail: str = ""
    """What else is known of the wall: "by hcaptcha (http 403)"."""
    job: str
    asked_ms: int
    until_ms: int
    """Without an answer by then the pages end as blocked."""
    state: InterventionState = "open"
    closed_ms: int = 0
