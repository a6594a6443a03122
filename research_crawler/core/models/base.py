"""Base classes of all models, and the wire version that every message in Redis starts with."""

from collections.abc import Callable, Iterable
from typing import ClassVar, Self, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import from_json, to_json

from research_crawler.core.errors import BadMessage, NewerWire
from research_crawler.core.models.why import STORED

# Models are built (`defer_build`) when they are first used: a command uses few of those that it imports.
WIRE_VERSION = 3
"""Version of all messages in Redis; the one before is read too."""
OLDEST_READ = 1
"""The oldest version that is read: Redis holds that of the release before, and archives hold them all."""

Model = TypeVar("Model", bound=BaseModel)


def replaced(model: Model, /, **changes: object) -> Model:
    """A copy of a model with other values, for the method `changed` of each model.

    Everybody else calls that method: its arguments are typed as the fields are, so that mypy refuses a name that is
    misspelled and a value of the wrong type. Nothing validates the values here.

    Raises:
        TypeError: the model has no such field.
    """
    if unknown := sorted(changes.keys() - type(model).model_fields.keys()):
        raise TypeError(f"{type(model).__name__} has no field {', '.join(unknown)}")
    return model.model_copy(update=changes)


def with_values_of(model: Model, other: BaseModel, names: Iterable[str]) -> Model:
    """A copy of a model whose named fields are as in another model, which has fields of these names and types."""
    return replaced(model, **{name: getattr(other, name) for name in names})


class Changeable(BaseModel):
    """An immutable value of which changed copies are made.

    A field whose name in JSON and Redis is an older one has that as its `alias`; it is read by both names.
    """

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True, serialize_by_alias=True)

    def changed(self, **changes: object) -> Self:
        """A copy with other values of the given fields.

        The type checker knows the fields and their types by `scripts/mypy_changed.py`.
        """
        return replaced(self, **changes)


class Frozen(Changeable):
    """An immutable value. Unknown keys are refused, so that a typing error is not silently dropped."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class CallerInput(Frozen):
    """What a caller asks of an interface. It is built at once, because the frameworks of interfaces look into it."""

    model_config = ConfigDict(defer_build=False)


def first_fault(error: ValidationError) -> str:
    """What is wrong with the first field that is wrong, in one line without its value."""
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(map(str, first["loc"])) or "question"
    message = first["msg"].removeprefix("Value error, ")
    return f"{field}: {message[:1].lower()}{message[1:]}"


class Wire(Changeable):
    """A message that is exchanged through Redis as JSON. A reader accepts its own version and earlier ones."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    TAGS: ClassVar[tuple[str, ...]] = ()
    """Fields that are always written, because their values tell of which class a message is."""

    v: int = WIRE_VERSION

    @model_validator(mode="after")
    def _known_version(self) -> Self:
        if self.v < OLDEST_READ:
            raise ValueError(f"wire version {self.v} is older than {OLDEST_READ}")
        return self

    @classmethod
    def from_wire(cls, text: str | bytes) -> Self:
        """Parse a message read from Redis.

        Raises:
            NewerWire: another process wrote a newer version; give the message back.
            BadMessage: the payload does not validate.
        """
        return read_wire(cls.__name__, text, cls.model_validate_json)

    def to_wire(self) -> str:
        """The message as JSON, `v` first, without fields that have their default, to save memory in Redis."""
        head = to_json({"v": self.v} | {name: getattr(self, name) for name in self.TAGS}).decode()
        body = self.model_dump_json(exclude_defaults=True, exclude={"v", *self.TAGS}, context=STORED)
        return head if body == "{}" else f"{head[:-1]},{body[1:]}"


Message = TypeVar("Message", bound=Wire)


def read_wire(name: str, text: str | bytes, parse: Callable[[str | bytes], Message]) -> Message:
    """Parse a message read from Redis; `name` is what an error calls it.

    Raises:
        NewerWire: another process wrote a newer version, of whatever form; give the message back.
        BadMessage: the payload does not validate.
    """
    try:
        message = parse(text)
    except ValidationError as error:
        if (version := _version_in(text)) > WIRE_VERSION:
            raise NewerWire(version) from error
        raise BadMessage(f"{name}: {error.errors(include_url=False)[:3]}") from error
    if message.v > WIRE_VERSION:
        raise NewerWire(message.v)
    return message


def _version_in(text: str | bytes) -> int:
    """The wire version of a message that may have a form nobody knows; 0 if it has none."""
    try:
        version = from_json(text).get("v", 0)
    except (ValueError, AttributeError):
        return 0
    return version if isinstance(version, int) else 0
