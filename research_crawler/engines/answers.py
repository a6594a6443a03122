"""Reading a provider's answer: what is no answer at all, and what text it holds."""

import json
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any

from w3lib.html import remove_tags

from research_crawler.core.errors import SearchFailed
from research_crawler.core.models.events import SearchResult
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.urls import canonical_url
from research_crawler.engines.base import ProviderRequest

CHALLENGE_MARKS = (
    b"anomaly-modal", b"anomaly.js", b"challenge-form", b"challenge-platform", b"cf-chl", b"just a moment",
    b"captcha", b"unusual traffic", b"are you a robot", b"not a robot", b"verify you are human",
    b"verifying your browser", b"before you continue", b"consent.",
)  # fmt: skip
"""What challenge and consent pages (DuckDuckGo, Cloudflare, SearXNG, Google) say, in lower case."""
LOOKED_AT_BYTES = 1_000_000
"""Bing puts its challenge behind 330 kB of its ordinary page."""
ERROR_BYTES = 2_000
KEY_MARKS = (
    b"api_key_invalid",
    b"api key not valid",
    b"subscription_token_invalid",
    b"invalid subscription key",
)
"""How Google (400), Brave (422) and Bing refuse a key; 401 says it by itself."""
QUOTA_MARKS = (
    b"dailylimitexceeded", b"quota exceeded for quota metric", b"quotaexceeded", b"call volume quota",
    b"usage limit", b"quota_exceeded", b"quota exhausted",
)  # fmt: skip
"""How Google, Bing (403) and Tavily say that the allowance is spent, apart from too many calls a second."""
WHAT_TO_DO = {"key": ": the key is refused", "quota": ": the provider's quota is used up"}


def is_challenge(body: bytes) -> bool:
    """Whether a page asks its reader to prove something or to consent. Only for pages without results."""
    text = body[:LOOKED_AT_BYTES].lower()
    return b"<" in text and any(mark in text for mark in CHALLENGE_MARKS)


def refuse_failure(provider: str, request: ProviderRequest, status: int, body: bytes) -> None:
    """Raise SearchFailed unless the status is 2xx and there is a body."""
    if not 200 <= status < 300:
        trouble = _trouble_of(status, body, keyed=request.keyed)
        error = Why(Reason.HTTP, f"{status}{WHAT_TO_DO.get(trouble, '')}")
        reason = Why(Reason.CHALLENGE) if trouble == "challenge" else error
        raise failure(provider, request, reason, status, trouble)
    if not body.strip():
        raise failure(provider, request, Reason.EMPTY_ANSWER, status)


def _trouble_of(status: int, body: bytes, *, keyed: bool) -> str:
    """What a status means for the provider's health. The marks are those of the services' own error bodies."""
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
    refuse_failure(provider, request, status, body)
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
    trouble: str = "other",
) -> SearchFailed:
    """The error for an answer that cannot be used."""
    return SearchFailed(provider, reason, status=status, url=request.shown_url, trouble=trouble)


def plain_text(value: object) -> str:
    """Text without tags, entities and runs of white space; "" for what is no text."""
    if not isinstance(value, str):
        return ""
    return " ".join(unescape(remove_tags(value)).split())


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
    """A result, or None where the URL is no usable http(s) URL."""
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
    """The objects of a list in a JSON answer; nothing where it is missing or of another form."""
    value = data.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
