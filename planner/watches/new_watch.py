"""Make a new watch from a user's request, and check all of it before anything is stored. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from urllib.parse import urlsplit

from planner.goal.regions import checked_currency, checked_region
from planner.job.factory import encoded, new_job_id
from planner.watches.followed import checked_condition
from planner.watches.schedule import read_schedule
from research_crawler.core.errors import UsageError
from research_crawler.core.models.watches.watch import DEFAULT_EVERY, AlertRule, Watch, WatchPage
from research_crawler.core.text.translatable import translatable
from research_crawler.core.text.written_number import written_number
from research_crawler.core.vendors import Catalogue, Vendor
from research_crawler.core.web.urls import canonical_url, host_of, slot_of

_MOST_DIGITS = 3
"""Of a number of vendors; Python refuses to read one of thousands of digits."""
_MAX_URLS, _MAX_VENDORS, MAX_NOTIFY, _MAX_QUERY = 20, 10, 10, 200
"""Most addresses, vendors and places to notify of a watch, and its longest query."""
DEFAULT_VENDORS = 3
"""Vendors that a watch asks if its user names none."""

_MONEY = re.compile(r"(?:([A-Z]{3}) ?)?(\d[\d.,'’]{0,15})(?: ?([A-Z]{3}))?", re.I)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:/", re.I)
_LIKE_URL = re.compile(r"//\S*|www\.\S+|[\w-]+(\.[\w-]+)+(:\d+)?/\S*", re.I)
"""A word that is meant as a URL but has no scheme: no word of a query is a host with a path."""


@dataclass(frozen=True, kw_only=True)
class WatchRequest:
    """The request for a watch, as written on the command line or sent over an interface."""

    what: Sequence[str] = ()
    """A query, or product URLs."""
    urls: Sequence[str] = ()
    """Product URLs only."""
    vendors: Sequence[str] = ()
    every: str = ""
    cron: str = ""
    zone: str = ""
    jitter: str = ""
    below: str = ""
    currency: str = ""
    drop: str = ""
    back_in_stock: bool = False
    any_change: bool = False
    agreement_confirms: bool = False
    condition: str = ""
    notify: Sequence[str] = field(default_factory=list)
    region: str = ""
    name: str = ""


def make_watch(
    request: WatchRequest,
    catalogue: Catalogue,
    *,
    now_ms: int,
    permits: Callable[[str], bool] = lambda url: True,
) -> Watch:
    """The watch that a request describes.

    Args:
        permits: whether the address guard allows a URL.

    Raises:
        UsageError: the request is wrong; the message says in one line what to change.
    """
    region, currency = checked_region(request.region), checked_currency(request.currency)
    query, urls = _query_or_urls(request, permits)
    vendors = _vendors(request, catalogue, region, has_query=bool(query))
    pages = [_search_page(vendor, query) for vendor in vendors] if query else []
    pages += [_product_page(url, catalogue) for url in urls]
    rule = _rule(request, currency, pages)
    every = request.every or ("" if request.cron else DEFAULT_EVERY)
    schedule = read_schedule(
        every=every, cron=request.cron, zone=request.zone, jitter=request.jitter, now_ms=now_ms
    )
    if len(request.notify) > MAX_NOTIFY:
        raise UsageError(translatable("more than %(most)s places to notify were named", most=MAX_NOTIFY))
    for what, text in (
        ("query", query),
        ("name", request.name),
        *(("place to notify", one) for one in request.notify),
    ):
        encoded(what, text)
    return Watch(
        id=new_job_id(),
        name=" ".join((request.name or query or urls[0]).split())[:_MAX_QUERY],
        query=query,
        urls=urls,
        vendors=[vendor.host for vendor in vendors],
        pages=pages,
        schedule=schedule,
        rule=rule,
        condition=checked_condition(request.condition),
        notify=list(dict.fromkeys(request.notify)),
        region=region,
        currency=currency,
        created_ms=now_ms,
    )


def _query_or_urls(request: WatchRequest, permits: Callable[[str], bool]) -> tuple[str, list[str]]:
    """The query or the URLs of a request, never both: their results are compared in different ways."""
    texts = [" ".join(text.split()) for text in request.what]
    like_urls = [text for text in texts if _SCHEME.match(text) or _LIKE_URL.fullmatch(text)]
    named = [*like_urls, *request.urls]
    if not any([*texts, *named]):
        raise UsageError(translatable('say what to watch: a query like "RTX 4060 laptop", or product URLs'))
    if named and len(like_urls) < len(texts):
        unlike = next(text for text in texts if text not in like_urls)
        raise UsageError(
            translatable(
                "%(text)r is not an http(s) URL; a watch has product URLs or one query, not both", text=unlike
            )
        )
    if not named:
        query = " ".join(texts)
        if len(query) > _MAX_QUERY:
            raise UsageError(
                translatable(
                    "the query is longer than %(most)s characters; name the product in fewer words",
                    most=_MAX_QUERY,
                )
            )
        return query, []
    if len(named) > _MAX_URLS:
        raise UsageError(
            translatable("more than %(most)s URLs; split them into several watches", most=_MAX_URLS)
        )
    return "", list(dict.fromkeys(_product_url(url, permits) for url in named))


def _product_url(text: str, permits: Callable[[str], bool]) -> str:
    url = canonical_url(text)
    if not url:
        raise UsageError(
            translatable(
                "%(text)r is not an http(s) URL of a product's page; write it with https://", text=text[:100]
            )
        )
    parts = urlsplit(url)
    if parts.path in ("", "/") and not parts.query:
        raise UsageError(translatable("%(url)s is a shop's home page; give the page of one product", url=url))
    if not permits(url):
        raise UsageError(translatable("%(url)s is an address that the address guard refuses", url=url))
    return url


def _vendors(request: WatchRequest, catalogue: Catalogue, region: str, *, has_query: bool) -> list[Vendor]:
    hints = [hint.strip() for text in request.vendors for hint in text.split(",") if hint.strip()]
    if not has_query:
        if hints:
            raise UsageError(translatable("shops need a query; a product URL names its shop itself"))
        return []
    if len(hints) > _MAX_VENDORS:
        raise UsageError(
            translatable("more than %(most)s vendors; split them into several watches", most=_MAX_VENDORS)
        )
    if len(hints) == 1 and hints[0].isdecimal() and len(hints[0]) <= _MOST_DIGITS:
        return _first(catalogue, region, int(hints[0]))
    if not hints:
        return _first(catalogue, region, DEFAULT_VENDORS)
    found = [_known(hint, catalogue, region) for hint in hints]
    return list({vendor.host: vendor for vendor in found}.values())


def _first(catalogue: Catalogue, region: str, count: int) -> list[Vendor]:
    vendors = catalogue.for_region(region)[: min(max(count, 1), _MAX_VENDORS)]
    if not vendors:
        raise UsageError(
            translatable(
                "no vendor is known for %(region)s; add some to vendors.toml, or watch product URLs",
                region=region,
            )
        )
    return vendors


def _known(hint: str, catalogue: Catalogue, region: str) -> Vendor:
    vendor = catalogue.match(hint, region)
    if vendor is None:
        names = ", ".join(one.host for one in catalogue.for_region(region)[:6])
        raise UsageError(
            translatable(
                "%(name)r is not a known vendor; known ones are %(known)s …; add it to vendors.toml, "
                "or watch its product URLs",
                name=hint[:60],
                known=names,
            )
        )
    return vendor


def _search_page(vendor: Vendor, query: str) -> WatchPage:
    return WatchPage(
        url=vendor.search_url(query), kind="search", host=vendor.host, query=query, currency=vendor.currency
    )


def _product_page(url: str, catalogue: Catalogue) -> WatchPage:
    vendor = catalogue.match(host_of(url))
    return WatchPage(url=url, host=slot_of(url), currency=vendor.currency if vendor else "")


def _rule(request: WatchRequest, currency: str, pages: Sequence[WatchPage]) -> AlertRule:
    below, written_currency = _money(request.below)
    if written_currency and currency and written_currency != currency:
        raise UsageError(
            translatable(
                "the limit %(limit)r and the currency %(currency)s name two currencies",
                limit=request.below,
                currency=currency,
            )
        )
    limit_currency = currency or written_currency
    if below is not None and not limit_currency:
        limit_currency = _only_currency(request.below, pages)
    if below is not None:
        _checked_limit(request.below, limit_currency, pages)
    rule = AlertRule(
        below=below,
        currency=limit_currency if below is not None else "",
        drop_percent=_percent(request.drop),
        back_in_stock=request.back_in_stock,
        any_change=request.any_change,
        agreement_confirms=request.agreement_confirms,
    )
    # A user who says where to send alerts, but not for what, gets an alert for every change.
    return rule.changed(any_change=True) if rule.is_empty and request.notify else rule


def _only_currency(below: str, pages: Sequence[WatchPage]) -> str:
    """The currency of all pages; "" if it is not known of the only shop: its prices then show it."""
    currencies = sorted({page.currency for page in pages})
    shops = {page.host for page in pages}
    if len(currencies) == 1 and (currencies[0] or len(shops) == 1):
        return currencies[0]
    named = ", ".join(filter(None, currencies)) or "not known yet"
    raise UsageError(
        translatable(
            "the limit %(limit)s needs a currency, as in EUR 900: these shops may have several currencies (%(known)s)",
            limit=below,
            known=named,
        )
    )


def _checked_limit(below: str, currency: str, pages: Sequence[WatchPage]) -> None:
    """Refuse a limit in a currency in which none of the shops has prices, for it could never be met."""
    currencies = {page.currency for page in pages}
    if currency and "" not in currencies and currency not in currencies:
        named = ", ".join(sorted(currencies))
        raise UsageError(
            translatable(
                "the limit %(limit)s can never be met: these shops have prices in %(known)s, none in %(currency)s",
                limit=below,
                known=named,
                currency=currency,
            )
        )


def _money(text: str) -> tuple[Decimal | None, str]:
    if not text.strip():
        return None, ""
    match = _MONEY.fullmatch(text.strip())
    try:
        if not match or (match[1] and match[3]):
            raise ValueError(text)
        amount = written_number(match[2], is_money=True)
    except ValueError:
        raise UsageError(
            translatable("the limit %(text)r is not an amount; write 900, 899.99 or EUR 900", text=text)
        ) from None
    if amount <= 0:
        raise UsageError(translatable("the limit must be above 0"))
    return amount, checked_currency(match[1] or match[3] or "")


def _percent(text: str) -> float | None:
    if not text.strip():
        return None
    number = text.strip().removesuffix("%").strip()
    if not re.fullmatch(r"\d{1,2}(\.\d{1,2})?", number) or float(number) < 0.1:
        raise UsageError(
            translatable("the drop %(text)r is not a percentage; write 10%% (0.1 to 99)", text=text)
        )
    return float(number)
