"""Base classes of all models, and the wire version that every message in Redis starts with."""

from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from research_crawler.core.errors import BadMessage, NewerWire

WIRE_VERSION = 1


class Frozen(BaseModel):
    """An immutable value; unknown keys are refused, so that a typing error is not silently dropped."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Wire(BaseModel):
    """A message that crosses Redis as JSON. A reader takes its own version and the one before."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    v: int = WIRE_VERSION

    @model_validator(mode="after")
    def _known_version(self) -> Self:
        if self.v < WIRE_VERSION - 1:
            raise ValueError(f"wire version {self.v} is older than {WIRE_VERSION - 1}")
        return self

    @classmethod
    def from_wire(cls, text: str | bytes) -> Self:
        """Parse a message read from Redis.

        Raises:
            NewerWire: another process speaks a newer version; the message is to be given back.
            BadMessage: the payload does not validate.
        """
        try:
            message = cls.model_validate_json(text)
        except ValidationError as error:
            raise BadMessage(f"{cls.__name__}: {error.errors(include_url=False)[:3]}") from error
        if message.v > WIRE_VERSION:
            raise NewerWire(message.v)
        return message

    def to_wire(self) -> str:
        """The message as JSON, `v` first, fields at their defaults left out to keep Redis small."""
        body = self.model_dump_json(exclude_defaults=True, exclude={"v"})
        return f'{{"v":{self.v}}}' if body == "{}" else f'{{"v":{self.v},{body[1:]}'
