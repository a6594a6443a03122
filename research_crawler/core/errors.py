"""All errors of the project; those of brains and their models are in `brain_errors.py`, ForeignRequest is beside the
state of requests.

ResearchError
├── ConfigError            a setting is malformed, or two names of one setting differ
│   └── UnknownSetting     no setting has this name
├── UsageError             the caller asked for something impossible (an empty goal, say)
│   ├── UnknownJob         no such job in Redis or in the archive
│   ├── UnknownWatch       no watch with this id or name
│   ├── UnknownBatch       no batch with this id or name
│   ├── UnknownIntervention    no person is asked anything with this id
│   ├── InterventionOver       what a person was asked is answered or over; carries its id
│   ├── UnknownEvidence    the report of a job has no evidence with this id
│   ├── RowError           a row of a batch's input cannot be used; carries row and column
│   ├── SchemaError        a list of columns cannot be read; carries the column
│   ├── OutlineError       an outline that the caller gave cannot be read; carries the line
│   ├── JobNotOver         the operation needs a job that is over; carries its id
│   └── JobIsOver          the operation needs a job that is not over; carries its id
├── NoReport               the job has no report, or none yet
├── NotStarted             a service that the operation needs is missing (Redis, model, embedder)
│   ├── RedisUnusable      Redis is unreachable, evicts keys, or has no persistence
│   ├── EndpointUnusable   the model endpoint does not answer or refuses the key
│   └── NoBrowser          a document needs a browser, and there is none that works
├── ForeignRequest         a request has no leased command, and a component needs one
├── StorageFull            the disk or the memory of Redis is full
│   └── RedisFull          Redis has reached its memory limit: what has begun may end, nothing new begins
├── MessageError
│   ├── BadMessage         the payload does not validate
│   └── NewerWire          the payload has a newer wire version: give it back
├── AddressRefused         the guard refuses an address; carries the reason
├── FetchFailed            a download ended without a usable page; carries the reason
├── PageUnreadable         a page could not be read; carries the reason
├── PageBlocked            a wall (CAPTCHA, login …) was served instead of the page; carries its name
├── SearchFailed           a call to a search provider failed; carries provider, status and URL
├── NotDelivered           an alert was not sent; says whether it may have arrived
├── BrainFailed            a brain could not answer
│   ├── BadAnswer          the model's answer does not parse, not even after one repair
│   └── BrainUnavailable   the endpoint is down, refuses, or is too slow
│       └── TooLate        the job's own time ended before an answer could come
└── ControlFlow            not a fault: a component raises it to say what happens next
    ├── GiveBack           put the command back; carries why and, if the page moved, the new address
    ├── LeaseLost          the process has lost the lease: drop everything about the command
    └── BudgetExhausted    a ceiling of tokens or money does not allow another model call; carries whose
"""

from collections.abc import Sequence
from typing import Any, Literal

from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.text.translatable import TranslatableText, joined, translatable

AddressFault = Literal[
    "scheme", "port", "host_list", "private_address", "metadata", "userinfo", "malformed", "offline"
]
"""What the address guard finds wrong with a URL or an address; `offline`: this process asks the web nothing."""
EndpointPart = Literal["address", "key", "model"]
"""What of a model endpoint is wrong."""
GiveBackReason = Literal["transient", "wait", "render", "no_page", "drain", "turn"]
"""Why a command goes back into the frontier, in the words of its scripts."""


class ResearchError(Exception):
    """The base class of all errors of this project. The message says what to do."""


class ConfigError(ResearchError):
    """A setting is malformed, or two names of one setting have different values."""


class UnknownSetting(ConfigError):
    """No setting has this name."""


class UsageError(ResearchError):
    """The caller asked for something impossible, such as an empty goal."""


class UnknownJob(UsageError):
    """No such job, neither in Redis nor in the archive."""

    def __init__(self, job: str) -> None:
        super().__init__(translatable("there is no job %(name)r", name=job))
        self.job = job


class UnknownIntervention(UsageError):
    """No person is asked anything with this id."""

    def __init__(self, intervention: str) -> None:
        super().__init__(translatable("there is no intervention %(name)r", name=intervention))
        self.intervention = intervention


class InterventionOver(UsageError):
    """What a person was asked is answered, or no job waits for it any longer."""

    def __init__(self, intervention: str, state: str) -> None:
        super().__init__(
            translatable("intervention %(id)s is not open any more (%(state)s)", id=intervention, state=state)
        )
        self.intervention = intervention


class UnknownWatch(UsageError):
    """No watch has this id or name."""

    def __init__(self, watch: str) -> None:
        super().__init__(translatable("there is no watch %(name)r", name=watch))
        self.watch = watch


class UnknownBatch(UsageError):
    """No batch has this id or name."""

    def __init__(self, batch: str) -> None:
        super().__init__(translatable("there is no batch %(name)r", name=batch))
        self.batch = batch


class UnknownEvidence(UsageError):
    """The report of a job has no evidence with this id."""

    def __init__(self, evidence: str, job: str) -> None:
        super().__init__(
            translatable("the report of job %(job)r has no evidence %(id)r", job=job, id=evidence)
        )
        self.evidence, self.job = evidence, job


def _placed(line: str, column: str, why: str) -> str:
    """What is wrong, behind its line and its column."""
    named = translatable("column %(name)r", name=column) if column else ""
    return joined([joined([line, named], ", "), why], ": ")


def place_of_row(row: int, row_unit: str) -> TranslatableText:
    """Where a row of an input stands: `line 3`, in a JSON list `entry 3`."""
    if row_unit == "entry":
        return translatable("entry %(n)s", n=str(row))
    return translatable("line %(n)s", n=str(row))


class RowError(UsageError):
    """A row of a batch's input cannot be used.

    `row` is the number of the line in its file, or in a JSON list the number of the entry; 0 if none is to blame.
    """

    def __init__(self, why: str, row: int = 0, column: str = "", *, row_unit: str = "line") -> None:
        super().__init__(_placed(place_of_row(row, row_unit) if row else "", column, why))
        self.row, self.column = row, column


class SchemaError(UsageError):
    """A list of columns cannot be read. `column` is the name of the one to blame; `line` is its line, or 0."""

    def __init__(self, why: str, column: str = "", line: int = 0) -> None:
        placed = _placed(translatable("line %(n)s", n=str(line)) if line else "", column, why)
        super().__init__(translatable("the columns: %(why)s", why=placed))
        self.column, self.line = column, line


class OutlineError(UsageError):
    """The caller's outline cannot be read. `line` is the number of the line, 0 if none is to blame."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(f"the outline: {f'line {line}: ' if line else ''}{why}")
        self.line = line


class JobNotOver(UsageError):
    """The operation needs a job that is over."""

    def __init__(self, job: str) -> None:
        super().__init__(f"job {job} is not over")
        self.job = job


class JobIsOver(UsageError):
    """The operation needs a job that is not over."""

    def __init__(self, job: str, state: str) -> None:
        super().__init__(f"job {job} is {state}")
        self.job, self.state = job, state


class NoReport(ResearchError):
    """The job is not over, or it ended without a report."""

    def __init__(self, why: str, job: str) -> None:
        super().__init__(why)
        self.job = job


class NotStarted(ResearchError):
    """A service that the operation needs is missing or does not answer."""


class RedisUnusable(NotStarted):
    """Redis is unreachable, evicts keys, or has no persistence."""


class EndpointUnusable(NotStarted):
    """The model endpoint does not answer or refuses the key."""

    def __init__(
        self,
        message: str,
        *,
        form_text: str = "",
        about: EndpointPart = "address",
        offered: Sequence[str] = (),
    ) -> None:
        """Make the error.

        Args:
            message: one line for who sets the endpoint by settings.
            form_text: the same for who fills in a form, where nothing has the name of a setting; empty: the message.
            about: what of the endpoint is wrong.
            offered: the models that it has.
        """
        super().__init__(message)
        self.form_text, self.about, self.offered = form_text or message, about, tuple(offered)


class NoBrowser(NotStarted):
    """There is no browser, or it could not make the document."""


class StorageFull(ResearchError):
    """The disk, or the memory of Redis, is full."""


class RedisFull(StorageFull):
    """Redis has reached its memory limit. What has begun may end; what was refused may be asked for again later."""


class MessageError(ResearchError):
    """A message from Redis cannot be used."""


class BadMessage(MessageError):
    """The payload of a message does not validate."""


class NewerWire(MessageError):
    """The payload has a newer wire version. It is given back for a newer process."""

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

    def __init__(self, reason: Reason | Why, *, transient: bool = False) -> None:
        self.reason = Why.of(reason)
        super().__init__(self.reason.text)
        self.transient = transient


class PageUnreadable(ResearchError):
    """The text of a page could not be extracted."""

    def __init__(self, reason: Reason | Why) -> None:
        self.reason = Why.of(reason)
        super().__init__(self.reason.text)


class PageBlocked(ResearchError):
    """A challenge, a login form, a consent wall … was served instead of the page."""

    def __init__(self, blocker: Why) -> None:
        """`blocker`: the kind and, if known, the vendor: "captcha by hcaptcha"."""
        super().__init__(f"blocked: {blocker}")
        self.blocker = blocker


SearchTrouble = Literal["other", "key", "quota", "rate", "busy", "refused", "slow", "server", "challenge"]
"""The kind of a provider's failure, on which depends how long it rests."""


class SearchFailed(ResearchError):
    """A call to a search provider failed."""

    def __init__(
        self,
        provider: str,
        reason: Reason | Why,
        *,
        status: int | None = None,
        url: str = "",
        trouble: SearchTrouble = "other",
    ) -> None:
        """`url` never holds a key."""
        self.reason = Why.of(reason)
        super().__init__(f"{provider}: {self.reason}")
        self.provider, self.status, self.url = provider, status, url
        self.trouble = trouble


class NotDelivered(ResearchError):
    """An alert was not sent, or perhaps was."""

    def __init__(self, reason: str, *, retry: bool = False, maybe: bool = False) -> None:
        """`retry`: another try may succeed. `maybe`: the alert may have arrived, so it is not sent again."""
        super().__init__(reason)
        self.retry, self.maybe = retry, maybe


class ControlFlow(ResearchError):
    """Not a fault: a component raises it to say what happens next."""


class GiveBack(ControlFlow):
    """Put the command back into the frontier."""

    def __init__(
        self, why: GiveBackReason, *, target: Any = None, redirects: int = 0, progress: str = ""
    ) -> None:
        super().__init__(why)
        self.why, self.target, self.redirects, self.progress = why, target, redirects, progress


class LeaseLost(ControlFlow):
    """The process has lost the lease: drop everything about the command."""
