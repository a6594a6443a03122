"""Every reason why a command, a page, a search, a vendor or a check can end as it does."""

from enum import StrEnum
from typing import Final, Literal

CeilingOwner = Literal["job", "batch", "day"]
"""Whose ceiling of tokens or money it is; that of the day (UTC) is shared by all jobs."""
OutcomeKind = Literal["ok", "refused", "failed", "busy", "blocked"]
"""How a command ends; the reason says why."""
StepOutcome = Literal[""] | OutcomeKind
"""How a search or visit of a job ended; "": it has not."""


class Reason(StrEnum):
    """Why something ended as it did. Code compares members; the value is the word that texts and messages use."""

    NONE = ""
    """No reason is given."""
    OTHER = "other"
    """None of the reasons below; the detail is the whole text, as another program wrote it."""

    ROBOTS = "robots"
    """The host's robots.txt disallows the page."""
    ROBOTS_UNREACHABLE = "robots_unreachable"
    """The host's robots.txt cannot be fetched, so no page of the host is requested."""
    TOO_SLOW = "too_slow"
    """robots.txt asks for a longer Crawl-delay than a research job can wait; the detail is the delay."""
    GUARD = "guard"
    """The address guard refuses the address; the detail is the fault (`AddressFault`)."""
    HOST_LIST = "host_list"
    """The user's lists of hosts exclude the host."""
    BAD_REDIRECT = "bad_redirect"
    """The page redirects to something that is not a web address."""
    REDIRECT_LOOP = "redirect_loop"
    """The page redirects in a loop, or too often."""
    TOO_MANY_REDIRECTS = "too_many_redirects"
    """The stored redirects of the page are more than allowed."""
    BUSY = "busy"
    """The host is not free within the command's time; the detail is the wait."""
    HOST_BUSY = "host_busy"
    """The host's queue is too long for the command to be queued at all."""

    HTTP = "http"
    """The host answered with an error; the detail begins with the status code."""
    TIMEOUT = "timeout"
    """The download took too long."""
    DNS = "dns"
    """The host's name has no address."""
    TLS = "tls"
    """There is no secure connection: the certificate or the handshake is wrong."""
    CONNECTION = "connection"
    """The connection failed or broke."""
    CONNECTION_REFUSED = "connection_refused"
    """No program listens at the host's port."""
    PROXY = "proxy"
    """The configured proxy does not let the request through; the detail is its status or its error."""
    BROKEN = "broken"
    """The answer does not match its headers (cut off, badly compressed, or not HTTP), or a provider's code failed."""
    UNSUPPORTED_URL = "unsupported_url"
    """The crawler cannot download such a URL."""
    TOO_LARGE = "too_large"
    """The body is larger than allowed."""
    BOMB = "bomb"
    """The body is larger than allowed when it is unpacked."""
    IGNORED = "ignored"
    """A component of Scrapy dropped the request."""
    CANCELLED = "cancelled"
    """This process ended the download, so nothing is known about the page."""
    UNEXPECTED = "unexpected"
    """An error that the code does not expect; the log has the details."""

    EMPTY = "empty"
    """The page has no bytes."""
    BINARY = "binary"
    """The bytes are neither text nor a PDF."""
    NO_TEXT = "no_text"
    """The page has no readable text."""
    PDF_BROKEN = "pdf_broken"
    """The PDF cannot be parsed."""
    PDF_LOCKED = "pdf_locked"
    """The PDF requires a password."""
    PARSE_TIMEOUT = "parse_timeout"
    """Reading the page took too long."""
    PARSE_MEMORY = "parse_memory"
    """Reading the page took too much memory."""
    PARSE_FAILED = "parse_failed"
    """The process that read the page crashed."""
    NOT_KEPT = "not_kept"
    """The page is a stored one whose bytes are not in the archive: the host forbids storing them, or they expired."""

    NEEDS_RENDER = "needs_render"
    """The page's text is made by scripts, and no node can run them; the detail says what is missing."""
    NO_BROWSER = "no browser"
    """This node has no browser."""
    BROWSER_UNUSABLE = "browser_unusable"
    """The browser does not start, or cannot show the page."""
    BROWSER_GONE = "browser_gone"
    """The browser ended while it rendered the page."""
    BROWSER_FAILED = "browser_failed"
    """The browser failed to render the page; the log has the details."""
    PAGE_CRASHED = "page_crashed"
    """The page crashed its tab."""
    NO_SEARCH_FIELD = "no_search_field"
    """A search page has no field to type the query into."""
    NO_RESULTS_PAGE = "no_results_page"
    """The typed query did not lead to a page of results."""

    CAPTCHA = "captcha"
    """The host shows a CAPTCHA instead of the page."""
    CHALLENGE = "challenge"
    """The host checks the visitor's browser instead of showing the page."""
    LOGIN_PAGE = "login_page"
    """The host shows a login form instead of the page."""
    CONSENT_WALL = "consent_wall"
    """The host asks for consent instead of showing the page."""
    RATE_LIMIT = "rate_limit"
    """The host says that it got too many requests."""
    GEO_BLOCK = "geo_block"
    """The host does not serve this country."""
    SOFT_404 = "soft_404"
    """The page's text says that the page does not exist, although its status says otherwise."""
    EMPTY_SHELL = "empty_shell"
    """The page has no content of its own."""
    ACCESS_DENIED = "access_denied"
    """The host denies access."""

    PIPELINE = "pipeline"
    """An item pipeline raised; the detail is the error."""
    SPIDER = "spider"
    """The spider raised; the detail is the error."""
    DROPPED = "dropped"
    """A pipeline or Scrapy dropped the command; the detail says why if that is known."""
    REQUEST_DROPPED = "request_dropped"
    """Scrapy's scheduler refused the request."""
    TOO_LONG = "too_long"
    """The node worked on the command for as long as a lease may last."""
    NODE_LOST = "node_lost"
    """The nodes that worked on the command ended during the work."""
    GAVE_UP = "gave_up"
    """The command has used up its attempts."""
    BAD_COMMAND = "bad_command"
    """The command in Redis is not valid."""
    BAD_REQUEST = "bad_request"
    """A queued request of a project's spider cannot be made; the detail says why."""
    NO_LEASE = "no_lease"
    """The request did not pass through the scheduler, so it has no command and no lease."""
    NO_SPIDER = "no spider"
    """The spider has no handler for such commands; the detail is their kind."""
    STORAGE_FULL = "storage_full"
    """The archive cannot take more pages."""

    EMPTY_QUERY = "the query is empty"
    """The search has no words."""
    NO_PROVIDER = "no search provider"
    """No provider that could answer the search is switched on; the detail says what is missing."""
    EMPTY_ANSWER = "empty answer"
    """A search provider's answer was empty."""
    UNKNOWN_FORM = "the answer"
    """A search provider's answer does not have the expected form; the detail says what is wrong."""

    REFUSED = "refused"
    """The page was refused; no more is known."""
    FAILED = "failed"
    """The command failed; no more is known."""
    BLOCKED = "blocked"
    """A vendor's host shows a wall instead of the page; the detail says which."""
    VENDOR_BUSY = "its host is busy"
    """A vendor's host was not free in time; the detail is the wait."""
    NO_PRODUCTS = "no products"
    """A vendor shows no product that matches the search."""
    NO_PRICE = "no price"
    """A vendor's products have no price."""

    NO_PRODUCT_SHOWN = "no product on the page"
    """A watched page shows no product."""
    NO_PRICE_SHOWN = "no price on the page"
    """A watched product has no price."""
    CONTRADICTION = "the page contradicts itself"
    """A watched page states different prices for one product."""
    OTHER_CURRENCY = "another currency than before"
    """A watched page states its price in another currency than at the last confirmed reading."""


WALLS: Final = (
    Reason.CAPTCHA, Reason.CHALLENGE, Reason.LOGIN_PAGE, Reason.CONSENT_WALL, Reason.RATE_LIMIT, Reason.GEO_BLOCK,
    Reason.SOFT_404, Reason.EMPTY_SHELL, Reason.ACCESS_DENIED,
)  # fmt: skip
"""The walls that a host may show instead of a page."""
_OWN_TEXTS: Final = {
    Reason.TOO_SLOW: ("too_slow(", ")"),
    Reason.BUSY: ("busy(", ")"),
    Reason.HTTP: ("http ", ""),
    Reason.NO_SPIDER: ("no spider for ", ""),
    Reason.NO_PROVIDER: ("no search provider ", ""),
    Reason.UNKNOWN_FORM: ("the answer ", ""),
    Reason.BLOCKED: ("blocked (", ")"),
    Reason.VENDOR_BUSY: ("its host is busy for ", ""),
}
TEXTS_AROUND: Final = {
    kind: _OWN_TEXTS.get(kind, (f"{kind}: ", ""))
    for kind in Reason
    if kind not in (Reason.NONE, Reason.OTHER, *WALLS)
}
"""The text before and after a reason's detail."""
