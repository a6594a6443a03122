"""A reason with its detail: the value that code compares and stores, and the text that people read."""

import contextlib
import json
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Self

from pydantic import GetCoreSchemaHandler, SerializationInfo, TypeAdapter
from pydantic_core import CoreSchema, core_schema

from research_crawler.core.models.reasons import TEXTS_AROUND, WALLS, Reason

STORED: Final = {"stored": True}
"""The context in which pydantic writes what the system reads again: reasons in their stored form, not as texts."""

_WORDS: Final = frozenset(Reason)
_SPARED: Final = ("refused", "blocked", "failed")
KnownUnusableOutcome = Literal["refused", "blocked", "failed"]
"""How a command may end if its page is known to be unusable."""
_WALL: Final = re.compile(rf"({'|'.join(WALLS)})(?= by .| \(|$)")


class StoredAsString(ABC):
    """A value that is one string in JSON: `stored` in what the system reads again, `text` in what people read.

    A string because the frontier's scripts carry it and do not look into it, and because a process of an earlier
    version, which takes any string for a reason, keeps it unchanged in a job that both versions work on.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def text(self) -> str:
        """The value in words. Nothing reads it back."""

    @property
    @abstractmethod
    def stored(self) -> str:
        """The value as messages and records hold it."""

    @classmethod
    @abstractmethod
    def from_stored(cls, stored: str) -> Self:
        """The value of a stored string; every string is accepted, also the texts that earlier releases stored."""

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return bool(self.text)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The schema by which pydantic reads and writes a field of this type."""
        read = core_schema.no_info_after_validator_function(cls.from_stored, core_schema.str_schema())
        return core_schema.json_or_python_schema(
            json_schema=read,
            python_schema=core_schema.union_schema([core_schema.is_instance_schema(cls), read]),
            serialization=core_schema.plain_serializer_function_ser_schema(
                _written, info_arg=True, return_schema=core_schema.str_schema()
            ),
        )


def _written(value: StoredAsString, info: SerializationInfo[Any]) -> str:
    """A value of a field, as the context of the serialization wants it."""
    return value.stored if info.context is STORED else value.text


@dataclass(frozen=True, slots=True)
class Why(StoredAsString):
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
    def from_stored(cls, stored: str) -> Self:
        """Read the stored form: a reason's word, or a JSON list of word, detail and maker."""
        if not stored or (stored in _WORDS and stored != Reason.OTHER):
            return cls(Reason(stored))
        if (parts := _parts(stored)) is None:
            return cls(*former_reason(stored))
        kind, detail, by = parts
        if kind not in _WORDS:  # of a later release
            return cls(Reason.OTHER, f"{kind}: {detail}" if detail else kind)
        return cls(Reason(kind), detail, by)

    @property
    def stored(self) -> str:
        """ "robots", ["http", "404"], ["captcha", "http 403", "hcaptcha"]."""
        if not (self.detail or self.by or self.kind is Reason.OTHER):
            return self.kind.value
        parts = [self.kind.value, self.detail, self.by] if self.by else [self.kind.value, self.detail]
        return json.dumps(parts, ensure_ascii=False)

    @property
    def text(self) -> str:
        """The text for reports and interfaces: "robots", "http 404", "captcha by hcaptcha (http 403)"."""
        if self.kind is Reason.OTHER:
            return self.detail
        if self.kind in WALLS:
            return " ".join(filter(None, (self.kind.value, self.particulars)))
        if not self.detail or self.kind is Reason.NONE:
            return self.kind.value
        before, after = TEXTS_AROUND[self.kind]
        return f"{before}{self.detail}{after}"

    @property
    def particulars(self) -> str:
        """What is known of a wall beside its kind: "by hcaptcha (http 403)"."""
        return " ".join(filter(None, (self.by and f"by {self.by}", self.detail and f"({self.detail})")))

    @property
    def status(self) -> int | None:
        """The status code of an HTTP error, else None."""
        if self.kind is not Reason.HTTP:
            return None
        digits, rest = self.detail[:3], self.detail[3:4]
        is_code = len(digits) == 3 and digits.isdecimal() and not (rest.isalnum() or rest == "_")
        return int(digits) if is_code else None

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
class Refusal(StoredAsString):
    """A stored refusal of a page (`page:<page_key>`): how other commands for the same page end, and why."""

    why: Why = Why()
    outcome: KnownUnusableOutcome = "refused"

    @classmethod
    def from_stored(cls, stored: str) -> Self:
        """Read the stored form: that of its reason, or a JSON object with the outcome."""
        if stored.startswith("{"):
            with contextlib.suppress(ValueError, KeyError, TypeError):
                refusal = json.loads(stored)
                if refusal["what"] in _SPARED:
                    return cls(Why.from_stored(refusal["why"]), refusal["what"])
        what, why = former_refusal(stored)
        return cls(Why.from_stored(why), what)

    @property
    def stored(self) -> str:
        """The value in `page:<page_key>`, of which one kind of entry holds refusals, walls and unreadable pages."""
        if self.outcome == "refused":
            return self.why.stored
        return json.dumps({"what": self.outcome, "why": self.why.stored}, ensure_ascii=False)

    @property
    def text(self) -> str:
        """The text for logs: "robots", "blocked: captcha", "failed: too_large"."""
        return self.why.text if self.outcome == "refused" else f"{self.outcome}: {self.why.text}"


def _parts(stored: str) -> tuple[str, str, str] | None:
    """Word, detail and maker of a stored list; None for another string."""
    if not stored.startswith('["'):
        return None
    try:
        kind, detail, *maker = json.loads(stored)
    except ValueError:
        return None
    parts = (kind, detail, maker[0] if maker else "")
    return parts if len(maker) <= 1 and all(isinstance(part, str) for part in parts) else None


NO_REASON: Final = Why()

# Defaults in a JSON schema are written by it; pydantic would write a dataclass as an object.
setattr(Why, "__pydantic_serializer__", TypeAdapter(Why).serializer)  # noqa: B010


def former_reason(text: str) -> tuple[Reason, str, str]:
    """The reason, its detail and the maker of a wall."""
    if text in TEXTS_AROUND:
        return Reason(text), "", ""
    if (wall := _WALL.match(text)) and (parts := _maker_and_detail(text[wall.end() :])):
        return Reason(wall[1]), parts[1], parts[0]
    for kind, (before, after) in TEXTS_AROUND.items():
        if text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after):
            return kind, text[len(before) : len(text) - len(after)], ""
    return Reason.OTHER, text, ""


def former_refusal(text: str) -> tuple[Literal["refused", "blocked", "failed"], str]:
    """How a command ends that meets a refused page, and the text of the reason."""
    if text.startswith("blocked: "):
        return "blocked", text.removeprefix("blocked: ")
    return ("failed", text.removeprefix("failed: ")) if text.startswith("failed: ") else ("refused", text)


def _maker_and_detail(text: str) -> tuple[str, str] | None:
    """The parts of " by maker (detail)", both optional; None for another text."""
    detail, start = "", len(" by ") + 1 if text.startswith(" by ") else 0
    at = text.find(" (", start)
    if at >= 0 and text.endswith(")") and len(text) > at + len(" ()"):
        text, detail = text[:at], text[at + len(" (") : -1]
    if text and not text.startswith(" by "):
        return None
    return text.removeprefix(" by "), detail
