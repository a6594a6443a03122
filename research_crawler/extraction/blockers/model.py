"""The model of a blocker: what a site sent instead of the page."""

from typing import Final, Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why

BlockerKind = Literal[
    "captcha",
    "challenge",
    "login_page",
    "consent_wall",
    "rate_limit",
    "geo_block",
    "soft_404",
    "empty_shell",
    "access_denied",
]


SHELL: Final = "empty_shell"
"""No wall: the page is read for what it has, and may be shown in a browser."""


class Blocker(Frozen):
    """Why a response is not the page that was asked for."""

    kind: BlockerKind
    vendor: str = ""
    """Who made the wall, in lower case (`cloudflare`, `datadome`, …); "" if it is not known."""
    confidence: float = Field(ge=0, le=1)
    """0.9 and more: markup, a header or a status that no ordinary page has. Below 0.7: a guess from little
    text."""
    evidence: str
    """What the blocker was recognised by: one line for a log or a report."""

    @property
    def why(self) -> Why:
        """Its kind and maker as a reason, which events and reports write as "captcha by hcaptcha"."""
        return Why(Reason(self.kind), by=self.vendor)
