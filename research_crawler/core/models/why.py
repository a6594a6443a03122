"""A reason with its detail, and the text that represents both in messages, archives and reports."""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Self

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from research_crawler.core.models.reasons import Reason

WALLS: Final = (
    Reason.CAPTCHA, Reason.CHALLENGE, Reason.LOGIN_PAGE, Reason.CONSENT_WALL, Reason.RATE_LIMIT, Reason.GEO_BLOCK,
    Reason.SOFT_404, Reason.EMPTY_SHELL, Reason.ACCESS_DENIED,
)  # fmt: skip
"""The walls that a host may show instead of a page."""
_OWN_FORMS: Final = {
    Reason.TOO_SLOW: ("too_slow(", ")"),
    Reason.BUSY: ("busy(", ")"),
    Reason.HTTP: ("http ", ""),
    Reason.NO_SPIDER: ("no spider for ", ""),
    Reason.NO_PROVIDER: ("no search provider ", ""),
    Reason.UNKNOWN_FORM: ("the answer ", ""),
    Reason.BLOCKED: ("blocked (", ")"),
    Reason.VENDOR_BUSY: ("its host is busy for ", ""),
}
"""The text before and after the detail; reasons that are not listed are written as `reason: detail`."""
_FORMS: Final = {
    kind: _OWN_FORMS.get(kind, (f"{kind}: ", ""))
    for kind in Reason
    if kind not in (Reason.NONE, Reason.OTHER, *WALLS)
}
_WALL: Final = re.compile(rf"({'|'.join(WALLS)})(?= by .| \(|$)")
_STATUS: Final = re.compile(r"\d{3}\b")

SparedOutcome = Literal["refused", "blocked", "failed"]
"""How a command may end if its page is known to be unusable."""


class OneText(ABC):
    """A value that JSON stores as one string: `text` writes it, and `parse` reads the same value back."""

    __slots__ = ()

    @property
    @abstractmethod
    def text(self) -> str:
        """The value as a string."""

    @classmethod
    @abstractmethod
    def parse(cls, text: str) -> Self:
        """The value of a string; every string is accepted."""

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return bool(self.text)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The schema by which pydantic reads and writes a field of this type."""
        parsed = core_schema.no_info_after_validator_function(cls.parse, core_schema.str_schema())
        return core_schema.json_or_python_schema(
            json_schema=parsed,
            python_schema=core_schema.union_schema([core_schema.is_instance_schema(cls), parsed]),
            serialization=core_schema.plain_serializer_function_ser_schema(
                str, return_schema=core_schema.str_schema()
            ),
        )


@dataclass(frozen=True, slots=True)
class Why(OneText):
    """A reason with its detail. It is false if no reason is given."""

    kind: Reason = Reason.NONE
    detail: str = ""
    by: str = ""
    """For a wall: the name of its maker, in lower case."""

    @classmethod
    def of(cls, reason: "Reason | Why") -> "Why":
        """Make a `Why` of a bare reason; a `Why` stays as it is."""
        return Why(reason) if isinstance(reason, Reason) else reason

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a text of this release or an earlier one, where JSON is read. No other code reads reasons from texts."""
        if text in _FORMS or not text:
            return cls(Reason(text))
        if (wall := _WALL.match(text)) and (parts := _vendor_and_detail(text[wall.end() :])):
            return cls(Reason(wall[1]), parts[1], parts[0])
        for kind, (before, after) in _FORMS.items():
            if text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after):
                return cls(kind, text[len(before) : len(text) - len(after)])
        return cls(Reason.OTHER, text)

    @property
    def text(self) -> str:
        """The text for events and reports: "robots", "http 404", "captcha by hcaptcha (http 403)"."""
        if self.kind is Reason.OTHER:
            return self.detail
        if self.kind in WALLS:
            maker, detail = self.by and f" by {self.by}", self.detail and f" ({self.detail})"
            return f"{self.kind}{maker}{detail}"
        if not self.detail or self.kind is Reason.NONE:
            return self.kind.value
        before, after = _FORMS[self.kind]
        return f"{before}{self.detail}{after}"

    @property
    def status(self) -> int | None:
        """The status code of an HTTP error, else None."""
        status = _STATUS.match(self.detail) if self.kind is Reason.HTTP else None
        return int(status[0]) if status else None

    def cut(self, most: int) -> "Why":
        """The same reason with its text cut to `most` characters."""
        over = len(self.text) - most
        if over <= 0:
            return self
        shorter = replace(self, detail=self.detail[:-over])
        return shorter if len(shorter.text) <= most else Why(Reason.OTHER, self.text[:most])

    def on_one_line(self) -> "Why":
        """The same reason, with line breaks and repeated white space in its detail replaced by single spaces."""
        return replace(self, detail=" ".join(self.detail.split()))


@dataclass(frozen=True, slots=True)
class Refusal(OneText):
    """A stored refusal of a page (`page:<h>`): how other commands for the same page end, and why."""

    why: Why = Why()
    what: SparedOutcome = "refused"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text of `page:<h>`, which has one kind of entry for refusals, walls and unreadable pages."""
        for what in ("blocked", "failed"):
            if text.startswith(f"{what}: "):
                return cls(Why.parse(text.removeprefix(f"{what}: ")), what)
        return cls(Why.parse(text))

    @property
    def text(self) -> str:
        """The text for `page:<h>`: "robots", "blocked: captcha", "failed: too_large"."""
        return self.why.text if self.what == "refused" else f"{self.what}: {self.why.text}"


def _vendor_and_detail(text: str) -> tuple[str, str] | None:
    """The parts of " by vendor (detail)", both optional; None for another text."""
    detail, start = "", len(" by ") + 1 if text.startswith(" by ") else 0
    at = text.find(" (", start)
    if at >= 0 and text.endswith(")") and len(text) > at + len(" ()"):
        text, detail = text[:at], text[at + len(" (") : -1]
    if text and not text.startswith(" by "):
        return None
    return text.removeprefix(" by "), detail


NO_REASON: Final = Why()
