"""Computes ids from content: the hash of a stored page, the id of a finding."""

import hashlib
import uuid

from research_crawler.core.models.web.pages import SANITIZER_VERSION

_FINDINGS = uuid.uuid5(uuid.NAMESPACE_URL, "research-crawler/finding")


def page_sha(markdown: str, final_url: str) -> str:
    """The id of a stored page: SHA-256 (hex) over the sanitizer's version, the final URL and the Markdown.

    The same text at another URL, or from another version of the sanitizer, is another page.
    """
    return hashlib.sha256(f"{SANITIZER_VERSION}\n{final_url}\n{markdown}".encode()).hexdigest()


def finding_id(command: str, ordinal: int) -> str:
    """The id of a command's nth finding. It stays the same if the command is run again."""
    return str(uuid.uuid5(_FINDINGS, f"{command}\n{ordinal}"))
