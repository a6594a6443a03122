"""Computes how long a host must not be asked after an error (Retry-After)."""

import time
from datetime import UTC
from email.utils import parsedate_to_datetime

BUSY_BLOCK_MS, ERROR_BLOCK_MS, LONGEST_MS = 10_000, 2_000, 3_600_000
"""The block after a 429 or 503 without Retry-After; after another error; the longest block that a header can set."""


def block_ms_of(status: int, retry_after: bytes | None) -> int:
    """Milliseconds for which the host must not be asked after this response (RFC 9110, 10.2.3); 0 for no block.

    Status 0 means a download that failed without a response.
    """
    if status in (429, 503):
        asked_ms = _asked_ms(retry_after) if retry_after else None
        return BUSY_BLOCK_MS if asked_ms is None else min(asked_ms, LONGEST_MS)
    return ERROR_BLOCK_MS if status == 0 or status >= 500 else 0


def _asked_ms(header: bytes) -> int | None:
    text = header.decode("latin-1").strip()
    if text.isascii() and text.isdigit():
        return int(text[:9]) * 1000
    try:
        at = parsedate_to_datetime(text)
        seconds = at.replace(tzinfo=at.tzinfo or UTC).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return max(0, int(seconds * 1000))
