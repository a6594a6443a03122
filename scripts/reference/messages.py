"""Makes the page about all messages: commands, events, and the models inside them."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from research_crawler.core.models.messages import commands, events
from research_crawler.core.models.reasons import Reason
from scripts.reference.markdown import code, plain, table

INTRO = """# Commands and events

The planner sends commands and receives events. Both are stored in Redis as JSON: `v`, the wire version, comes first,
and fields with their default values are left out. A reader accepts its own version and the one before, and gives a
newer message back.
"""
REASONS = """## Why and Refusal

`Why` is a reason with its detail, as one string: `robots`, `http 404`, `guard: private_address`,
`captcha by hcaptcha (http 403)`. The `Refusal` in a `PageEntry` also says how another command for the same page ends:
with `blocked: ` or `failed: ` before the reason, it is blocked or failed, otherwise refused. A text that begins with
none of the words below is read as `other`.
"""
NAMES = re.compile(r"\b(?:\w+\.)+(\w+)")


def messages_page() -> str:
    """The commands, then the events, each with the models inside it, and the reasons."""
    lines = [INTRO]
    for model in all_models():
        lines += [
            f"## {model.__name__}",
            "",
            plain(inspect.cleandoc(model.__doc__ or "")),
            "",
            *_fields(model),
        ]
    return "\n".join([*lines, REASONS, *_reasons()])


def all_models() -> list[type[BaseModel]]:
    """Every model of the modules `commands` and `events`, and the models in their fields."""
    found: dict[type[BaseModel], None] = {}
    for module in (commands, events):
        for value in vars(module).values():
            if (
                _is_model(value)
                and value.__module__ == module.__name__
                and not value.__name__.startswith("_")
            ):
                _collect(value, found)
    return list(found)


def _collect(model: type[BaseModel], found: dict[type[BaseModel], None]) -> None:
    if model in found:
        return
    found[model] = None
    for field in model.model_fields.values():
        for inner in _models_in(field.annotation):
            _collect(inner, found)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if _is_model(annotation):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def _is_model(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, BaseModel)


def _fields(model: type[BaseModel]) -> list[str]:
    """A table of the fields, each by its name in JSON."""
    docs = _docs_of(model)
    rows = [
        (code(field.alias or name), _type_of(field), _default_of(field), plain(docs.get(name, "")))
        for name, field in model.model_fields.items()
    ]
    return table(("field", "type", "default", "meaning"), rows)


def _docs_of(model: type[BaseModel]) -> dict[str, str]:
    """The docstrings of the fields by name, with those of base classes.

    pydantic could store them, but that would make each start of the program slower.
    """
    docs: dict[str, str] = {}
    for cls in reversed(model.__mro__):
        if cls in (BaseModel, object) or not issubclass(cls, BaseModel):
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
        if isinstance(body, ast.ClassDef):
            docs |= _docs_in(body)
    return docs


def _docs_in(body: ast.ClassDef) -> dict[str, str]:
    pairs = zip(body.body, body.body[1:], strict=False)
    return {
        before.target.id: str(after.value.value)
        for before, after in pairs
        if isinstance(before, ast.AnnAssign)
        and isinstance(before.target, ast.Name)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
    }


def _reasons() -> list[str]:
    """Every reason with its docstring."""
    body = ast.parse(textwrap.dedent(inspect.getsource(Reason))).body[0]
    assert isinstance(body, ast.ClassDef)
    docs = {
        before.targets[0].id: str(after.value.value)
        for before, after in pairwise(body.body)
        if isinstance(before, ast.Assign)
        and isinstance(before.targets[0], ast.Name)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
    }
    return table(("reason", "meaning"), [(code(kind), plain(docs[kind.name])) for kind in Reason if kind])


def _type_of(field: FieldInfo) -> str:
    annotation = field.annotation
    text = (
        annotation.__name__ if inspect.isclass(annotation) and not get_args(annotation) else str(annotation)
    )
    return code(NAMES.sub(r"\1", text))


def _default_of(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True, validated_data={})
    if isinstance(value, BaseModel):
        return code(f"{type(value).__name__}()")
    return "" if value in (None, "", [], {}) else code(value)
