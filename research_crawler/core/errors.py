"""Everything the project raises on purpose.

ResearchError
├── ConfigError            a setting is malformed, or two names of one setting differ
├── UsageError             the caller asked for something that makes no sense (empty goal)
├── UnknownJob             no such job in Redis or in the archive
├── NotStarted             a part that the operation needs is not there (Redis, model, embedder)
│   ├── RedisUnusable      unreachable, evicting, or without persistence
│   └── EndpointUnusable   the model endpoint is dead or refuses the key
├── ForeignRequest         a request without a leased command came to a component that needs one
├── StorageFull            the disk refuses to take more
├── MessageError
│   ├── BadMessage         a payload that does not validate
│   └── NewerWire          a payload of a newer wire version: give it back
├── AddressRefused         the guard refuses an address; carries the reason
├── FetchFailed            a download ended without a usable page; carries the reason
├── PageUnreadable         the bytes could not be made into text; carries the reason
├── PageBlocked            something else came in the page's place; carries what
├── SearchFailed           a provider gave nothing; carries provider, status and URL
├── NotDelivered           an alert did not go out; carries whether it can have arrived
├── BrainFailed            a brain could not answer
│   ├── BadAnswer          the model's answer does not parse, also not after one repair
│   └── BrainUnavailable   endpoint down, refused, or over its time
└── ControlFlow            not faults: what a component decides by raising (verbs)
    ├── GiveBack           put the command back; carries why and, where it moved, the new address
    ├── LeaseLost          the lease is no longer ours: drop everything
    └── BudgetExhausted    the ceiling does not allow another model call
"""

from typing import Any, Literal

from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why

AddressFault = Literal["scheme", "port", "host_list", "private_address", "metadata", "userinfo", "malformed"]
"""What the address guard finds wrong with a URL or an address."""
GiveBackReason = Literal["transient", "wait", "render", "no_page", "drain"]
"""Why a command goes back into the frontier, in the words of its scripts."""


class ResearchError(Exception):
    """Root of all errors of this project; the message says what to do."""


class ConfigError(ResearchError):
    """A setting is malformed, or two names of one setting have different values."""


class UsageError(ResearchError):
    """The caller asked for something that makes no sense."""


class UnknownJob(ResearchError):
    """No such job, neither in Redis nor in the archive."""

    def __init__(self, job: str) -> None:
        super().__init__(f"there is no job {job!r}; `research list` shows the known ones")
        self.job = job


class NotStarted(ResearchError):
    """A part that the operation needs is not there."""


class RedisUnusable(NotStarted):
    """Redis is unreachable, would evict keys, or does not persist."""


class EndpointUnusable(NotStarted):
    """The model endpoint is dead or refuses the key."""


class ForeignRequest(ResearchError):
    """A request without a leased command came to a component that needs one."""

    def __init__(self, url: str, *, key: str) -> None:
        super().__init__(
            f"the request for {url} has no meta[{key!r}]: nobody leased a command for it; "
            "requests of a node are made by `extensions.prefetch.request_of`"
        )
        self.url = url


class StorageFull(ResearchError):
    """The disk refuses to take more."""


class MessageError(ResearchError):
    """A message from Redis cannot be used."""


class BadMessage(MessageError):
    """A payload that does not validate."""


class NewerWire(MessageError):
    """A payload of a newer wire version: it is given back for a newer process."""

    def __init__(self, version: int) -> None:
        super().__init__(f"wire version {version} is newer than this process; upgrade it")
        self.version = version


class AddressRefused(ResearchError):
    """The address guard refuses a URL or a resolved address."""

    def __init__(self, fault: AddressFault, *, url: str = "") -> None:
        super().__init__(f"refused: {fault}" + (f" ({url})" if url else ""))
        self.fault, self.url = fault, url

    @property
    def reason(self) -> Why:
        """As events have it; a host list, the user's own choice, is a reason apart."""
        return Why(Reason.HOST_LIST) if self.fault == "host_list" else Why(Reason.GUARD, self.fault)


class FetchFailed(ResearchError):
    """A download ended without a usable page."""

    def __init__(
        self, reason: Reason | Why, *, transient: bool = False, retry_after_ms: int | None = None
    ) -> None:
        self.reason = Why.of(reason)
        super().__init__(self.reason.text)
        self.transient, self.retry_after_ms = transient, retry_after_ms


class PageUnreadable(ResearchError):
    """The bytes could not be made into text."""

    def __init__(self, reason: Reason | Why) -> None:
        self.reason = Why.of(reason)
        super().__init__(self.reason.text)


class PageBlocked(ResearchError):
    """A challenge, a login form, a consent wall … came in the page's place."""

    def __init__(self, blocker: Why) -> None:
        """`blocker`: its kind and, where known, who made it: "captcha by hcaptcha"."""
        super().__init__(f"blocked: {blocker}")
        self.blocker = blocker


class SearchFailed(ResearchError):
    """A search provider gave nothing."""

    def __init__(
        self,
        provider: str,
        reason: Reason | Why,
        *,
        status: int | None = None,
        url: str = "",
        trouble: str = "other",
    ) -> None:
        """`trouble` is the kind of failure, as `engines.health` reckons with it; `url` never holds a key."""
        self.reason = Why.of(reason)
        super().__init__(f"{provider}: {self.reason}")
        self.provider, self.status, self.url = provider, status, url
        self.trouble = trouble


class NotDelivered(ResearchError):
    """An alert did not go out."""

    def __init__(self, reason: str, *, retry: bool = False, maybe: bool = False) -> None:
        """`retry`: another try may succeed; `maybe`: it may have arrived, so there is none."""
        super().__init__(reason)
        self.retry, self.maybe = retry, maybe


class BrainFailed(ResearchError):
    """A brain could not answer."""


class BadAnswer(BrainFailed):
    """The model's answer does not parse, also not after one repair."""


class BrainUnavailable(BrainFailed):
    """The endpoint is down, refuses, or takes longer than the call may."""

    def __init__(self, reason: str, *, retry_after_ms: int | None = None, maybe_paid: bool = False) -> None:
        """`retry_after_ms`: it asked for a pause; `maybe_paid`: it may have worked, and charged, without an answer."""
        super().__init__(reason)
        self.retry_after_ms, self.maybe_paid = retry_after_ms, maybe_paid


class ControlFlow(ResearchError):
    """Not a fault: what a component decides by raising."""


class GiveBack(ControlFlow):
    """Put the command back into the frontier."""

    def __init__(self, why: GiveBackReason, *, target: Any = None, hop: int = 0) -> None:
        super().__init__(why)
        self.why, self.target, self.hop = why, target, hop


class LeaseLost(ControlFlow):
    """The lease is no longer ours: drop everything about the command."""


class BudgetExhausted(ControlFlow):
    """The ceiling does not allow another model call."""
