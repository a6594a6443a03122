"""The user agent that every request sends, including those of the browser."""

import re
from importlib.metadata import version

from research_crawler.core.config import Config

PRODUCT_TOKEN = "research-crawler"  # noqa: S105  # the name in robots.txt, not a secret
_COMPATIBLE, _FIRST = re.compile(r"compatible;\s*([A-Za-z_-]+)"), re.compile(r"\s*([A-Za-z_-]+)")


def user_agent_of(config: Config) -> str:
    """The user agent: product token, version and, if configured, a contact for site operators."""
    if config.user_agent:
        return config.user_agent
    contact = f" (+{config.contact})" if config.contact else ""
    return f"{PRODUCT_TOKEN}/{version('research-crawler')}{contact}"


def product_token_of(config: Config) -> str:
    """The name to look for in robots.txt: that of the user agent, or the default one (RFC 9309, 2.2.1)."""
    token = _COMPATIBLE.search(config.user_agent) or _FIRST.match(config.user_agent)
    return token[1].lower() if token else PRODUCT_TOKEN
