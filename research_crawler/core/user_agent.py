"""Who we say we are, to every host and in the browser alike."""

import re
from importlib.metadata import version

from research_crawler.core.config import Config

PRODUCT_TOKEN = "research-crawler"  # noqa: S105  # the name matched against robots.txt, no secret
_COMPATIBLE, _FIRST = re.compile(r"compatible;\s*([A-Za-z_-]+)"), re.compile(r"\s*([A-Za-z_-]+)")


def user_agent_of(config: Config) -> str:
    """An honest user agent: product token, version and, where configured, a contact for operators of sites."""
    if config.user_agent:
        return config.user_agent
    contact = f" (+{config.contact})" if config.contact else ""
    return f"{PRODUCT_TOKEN}/{version('research-crawler')}{contact}"


def product_token_of(config: Config) -> str:
    """The name that robots.txt is read for: the user agent's own, ours where it bears none (RFC 9309, 2.2.1)."""
    named = _COMPATIBLE.search(config.user_agent) or _FIRST.match(config.user_agent)
    return named[1].lower() if named else PRODUCT_TOKEN
