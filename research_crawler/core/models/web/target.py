"""The address of a page in the frontier, and the host in whose queue it waits."""

from typing import Final

from pydantic import Field

from research_crawler.core.models.base import Frozen

NO_SLOT: Final = "_"
"""The slot of what involves no host."""


class Target(Frozen):
    """The address of one page in the frontier."""

    url: str
    """Canonical absolute URL."""
    slot: str
    """Host name in IDNA, lower case, without `www.`; `_` if no host is involved."""
    page_key: str = Field(alias="h")
    """Hash of the canonical URL and the forced render mode: the key of the page in Redis."""
