"""Helpers for providers that read an answer: they detect failures and extract texts and dates."""

import json
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any

from research_crawler.core.errors import SearchFailed, SearchTrouble
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.text.plain_text import clean_line
from research_crawler.core.web.urls import canonical_url
from research_crawler.engines.provider import ProviderRequest

CHALLENGE_MARKS = (
    b"anomaly-modal", b"anomaly.js", b"challenge-form", b"challenge-platform", b"cf-chl", b"just a moment",
    b"captcha", b"unusual traffic", b"are you a robot", b"not a robot", b"verify you are human",
    b"verifying your browser", b"before you continue", b"consent.",
)  # fmt: skip
"""Texts of challenge and consent pages (DuckDuckGo, Cloudflare, SearXNG, Google), in lower case."""
CHALLENGE_SCAN_BYTES = 1_000_000
"""How much of a page is searched for a challenge: Bing puts its own behind 330 kB of its ordinary page."""
ERROR_BYTES = 2_000
"""So much of a failed answer is read for the reason."""
KEY_MARKS = (
    b"api_key_invalid",
    b"api key not valid",
    b"subscription_token_invalid",
    b"invalid subscription key",
)
"""How Google (400), Brave (422) and Bing refuse a key. A status of 401 needs no mark."""
QUOTA_MARKS = (
    b"dailylimitexceeded", b"quota exceeded for quota metric", b"quotaexceeded", b"call volume quota",
    b"usage limit", b"quota_exceeded", b"quota exhausted",
)  # fmt: skip
"""How Google, Bing (403) and Tavily say that the quota is used up, as opposed to too many calls a second."""
TROUBLE_TEXTS = {"key": ": the key is refused", "quota": ": the provider's quota is used up"}


def is_challenge(body: bytes) -> bool:
    """Whether a page is a challenge (CAPTCHA) or asks for consent. Use it only for pages without results."""
    text = body[:CHALLENGE_SCAN_BYTES].lower()
    return b"<" in text and any(mark in text for mark in CHALLENGE_MARKS)


def raise_for_failure(provider: str, request: ProviderRequest, status: int, body: bytes) -> None:
    """Raise SearchFailed unless the status is 2xx and the body is not empty."""
    if not 200 <= status < 300:
        trouble = _trouble_of(status, body, keyed=request.keyed)
        error = Why(Reason.HTTP, f"{status}{TROUBLE_TEXTS.get(trouble, '')}")
        reason = Why(Reason.CHALLENGE) if trouble == "challenge" else error
        raise failure(provider, request, reason, status, trouble)
    if not body.strip():
        raise failure(provider, request, Reason.EMPTY_ANSWER, status)


def _trouble_of(status: int, body: bytes, *, keyed: bool) -> SearchTrouble:
    """The kind of failure, for the provider's health. The marks come from the services' own error bodies."""
    text = body[:ERROR_BYTES].lower()
    if keyed and status in (400, 401, 403, 422):
        if any(mark in text for mark in QUOTA_MARKS):
            return "quota"
        if status in (401, 403) or any(mark in text for mark in KEY_MARKS):
            return "key"
    if status == 429:
        return "quota" if keyed and any(mark in text for mark in QUOTA_MARKS) else "rate"
    if keyed and status in (402, 432, 433):
        return "quota"
    if status >= 400 and is_challenge(body):
        return "challenge"
    return "server" if status >= 500 or status == 408 else "other"


def json_object(provider: str, request: ProviderRequest, status: int, body: bytes) -> dict[str, Any]:
    """The JSON object of a 2xx answer. Raises SearchFailed for everything else."""
    raise_for_failure(provider, request, status, body)
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        if is_challenge(body):
            raise failure(provider, request, Reason.CHALLENGE, status, "challenge") from error
        raise failure(provider, request, Why(Reason.UNKNOWN_FORM, "is not JSON"), status) from error
    if not isinstance(data, dict):
        raise failure(provider, request, Why(Reason.UNKNOWN_FORM, "is not a JSON object"), status)
    return data


def failure(
    provider: str,
    request: ProviderRequest,
    reason: Reason | Why,
    status: int | None = None,
    trouble: SearchTrouble = "other",
) -> SearchFailed:
    """The error for an answer that cannot be used."""
    return SearchFailed(provider, reason, status=status, url=request.shown_url, trouble=trouble)


def plain_text(value: object) -> str:
    """Clean text without tags, entities and runs of white space; "" for a value that is not a string."""
    if not isinstance(value, str):
        return ""
    from w3lib.html import remove_tags  # here, as every command reads what providers declare

    return clean_line(unescape(remove_tags(value)))


def iso_date(value: object) -> str:
    """The date of an ISO timestamp such as `2025-03-02T10:00:00`; "" for anything else."""
    text = value.strip()[:10] if isinstance(value, str) else ""
    shape = "".join("0" if char.isdecimal() and char.isascii() else char for char in text)
    return text if shape == "0000-00-00" else ""


def mail_date(value: object) -> str:
    """The date of `Tue, 11 Mar 2025 14:00:00 GMT` (RFC 5322) or of an ISO timestamp; "" for anything else."""
    if not isinstance(value, str) or iso_date(value):
        return iso_date(value)
    try:
        return parsedate_to_datetime(value).date().isoformat()
    except (ValueError, TypeError, IndexError):
        return ""


def result(
    provider: str, *, url: object, title: object, snippet: object, published: str = "", image: object = ""
) -> SearchResult | None:
    """A search result, or None if the URL is not a usable http(s) URL."""
    address = canonical_url(url) if isinstance(url, str) else ""
    if not address:
        return None
    return SearchResult(
        url=address,
        title=plain_text(title),
        snippet=plain_text(snippet),
        published=published,
        providers=[provider],
        image=canonical_url(image) if isinstance(image, str) else "",
    )


def entries(data: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects in a list of a JSON answer; empty if the list is missing or is not a list."""
    value = data.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
