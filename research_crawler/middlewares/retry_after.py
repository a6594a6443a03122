"""How long a host asks everybody to stay away."""

import time
from datetime import UTC
from email.utils import parsedate_to_datetime

BUSY_BLOCK_MS, ERROR_BLOCK_MS, LONGEST_MS = 10_000, 2_000, 3_600_000
"""429 or 503 without Retry-After; another error; the longest block that a header can ask for."""


def block_ms_of(status: int, retry_after: bytes | None) -> int:
    """Milliseconds to stay away after this answer (RFC 9110, 10.2.3); 0 where nothing asks for it.

    Status 0 stands for a download that failed without an answer.
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
