"""Guess the kind of source that a search result is, from its host, path and title."""

import re
from urllib.parse import urlsplit

from research_crawler.core.models.messages.events import ResultType

KNOWN: dict[ResultType, tuple[str, ...]] = {
    "forum": ("reddit.com", "stackexchange.com", "stackoverflow.com", "quora.com", "news.ycombinator.com"),
    "review": ("rtings.com", "tomshardware.com", "notebookcheck.net", "consumerreports.org", "test.de"),
    "vendor": (
        "amazon.com", "bestbuy.com", "newegg.com", "walmart.com", "target.com", "bhphotovideo.com",
        "microcenter.com", "ebay.com", "aliexpress.com", "etsy.com",
    ),
    "news": ("reuters.com", "apnews.com", "bbc.com", "theguardian.com", "nytimes.com", "spiegel.de"),
    "official": ("europa.eu", "ietf.org", "w3.org", "iso.org", "bund.de", "admin.ch", "canada.ca", "overheid.nl"),
}  # fmt: skip
"""Hosts whose name and path do not show their kind; subdomains and other country endings count too."""

_STATE = frozenset(
    "gov gob gouv govt gub gv go gc mil leg jus government regering rijksoverheid".split()  # noqa: SIM905
)
"""Labels below the ending of a country under which states register names: `gov.uk`, `gouv.fr`, `go.jp`."""
_PARLIAMENT = re.compile(
    r"parl[ai]a?ment\w*|parlement\w*|bundes(?:tag|rat|regierung)|assemblee-nationale|sena(?:te?|to|do)|congreso|camera"
    r"|sejm|riksdagen|stortinget|folketinget|eduskunta|oireachtas"
)
_WORLD = frozenset(("gov", "mil", "edu", "int"))
"""Endings that only states, schools and international organisations get."""

_SIGNALS: tuple[tuple[ResultType, re.Pattern[str], re.Pattern[str] | None], ...] = (
    (
        "forum",
        re.compile(
            r"(?:^|[./])(?:forums?|community|discuss|board)\.|/(?:forums?|threads?|topics?|viewtopic|showthread"
            r"|discussions?|questions|comments|t|r)(?:[/.?-]|$)"
        ),
        re.compile(r"\b(?:forum|thread|ask(?:ed)? by|discussion|replies|anyone|r/\w+)\b", re.I),
    ),
    (
        "news",
        re.compile(r"(?:^|[./])(?:news|press)\.|/(?:news|nachrichten|article|20\d\d/[01]?\d)(?:[/.-]|$)"),
        None,
    ),
    (
        "review",
        re.compile(r"(?:^|[./-])reviews?[./-]|/(?:reviews?|tests?|best|compare|comparison)(?:[/.?-]|$)"),
        re.compile(
            r"\b(?:reviews?|reviewed|tested|hands[- ]on|vs\.?|versus|compared|comparison|im test"
            r"|best .{1,100} (?:of|for|20\d\d)|(?:we|i) (?:tested|measured)|(?:we|i)(?: would|['’]d) buy"
            r"|our (?:choice|pick|verdict)|würden? (?:wir|ich)|unsere (?:wahl|empfehlung))\b",
            re.I,
        ),
    ),
    (
        "vendor",
        re.compile(r"(?:^|[./])(?:shop|store)\.|/(?:products?|shop|store|dp|item|cart|buy|catalog)(?:[/.?-]|$)"),
        re.compile(
            r"^buy\b|\b(?:buy (?:at|from|now|online|the)|shop (?:at|now|online)|order now|add to (?:basket|cart)"
            r"|free (?:delivery|shipping)|in stock|(?:bei|jetzt|online) kaufen)\b",
            re.I,
        ),
    ),
    (
        "official",
        re.compile(
            r"\.edu\.[a-z]{2}(?:[:/]|$)|(?:^|[./])(?:docs?|manual|developer|support)\."
            r"|/(?:docs?|documentation|manual|reference|specification|rfc\d*)(?:[/.?-]|$)"
        ),
        None,
    ),
)  # fmt: skip
"""Kind, pattern of its URLs, pattern of its titles. URLs are checked first: titles are written to attract, and those of
news and manuals tell no more of 915 saved pages than they tell wrongly."""


def source_type(url: str, title: str = "", snippet: str = "") -> ResultType:
    """The most likely kind of source; `other` if nothing indicates one."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    if is_public_body(host):
        return "official"
    for kind, hosts in KNOWN.items():
        if any(_belongs_to(host, known) for known in hosts):
            return kind
    address = f"{host}{parts.path}".lower()
    for kind, by_address, _ in _SIGNALS:
        if by_address.search(address):
            return kind
    for text in (title, snippet):
        for kind, _, by_title in _SIGNALS:
            if by_title and by_title.search(text):
                return kind
    return "other"


def is_public_body(host: str) -> bool:
    """Whether a host belongs to a government or parliament of any country, a school or an international body."""
    *names, ending = host.lower().split(".")
    if ending in _WORLD:
        return True
    if len(ending) != 2 or not names:
        return False
    return not _STATE.isdisjoint(names[-2:]) or any(map(_PARLIAMENT.fullmatch, names[-2:]))


def page_type(url: str, title: str, kind: str) -> ResultType:
    """The kind of source that a page is which was read: its reader knows manuals that no address or title shows.

    Args:
        kind: what the page reads like (PageKind); "" if nobody has read it.
    """
    told = source_type(url, title)
    return "official" if told == "other" and kind == "documentation" else told


def _belongs_to(host: str, known: str) -> bool:
    """Whether a host belongs to a known one: `smile.amazon.com` and `amazon.de` belong to `amazon.com`."""
    name, _, ending = known.partition(".")
    if ending == "com" and re.search(rf"(?:^|\.){re.escape(name)}\.(?:co\.|com\.)?[a-z]{{2,3}}$", host):
        return True
    return host == known or host.endswith("." + known)
