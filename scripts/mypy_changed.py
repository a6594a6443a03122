"""A plugin of mypy: `changed` of a model takes the model's fields, each with its own type and none required.

Without it every field of every model that may change would be written down twice: once in the model, and once for the
arguments of `changed`. The methods of a job's editor that change a part of its job take the fields of that part.
"""

from collections.abc import Callable, Sequence
from typing import Final

from mypy.nodes import ARG_NAMED_OPT, TypeInfo, Var
from mypy.plugin import FunctionSigContext, MethodSigContext, Plugin
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

_BASE: Final = "research_crawler.core.models.base.Changeable"
_PARTS: Final = {
    "planner.job.job_editor.JobEditor.set": ("job",),
    "planner.job.job_editor.JobEditor.plan": ("job", "plan"),
    "planner.offers.vendor_events.set_phase2": ("job", "phase2"),
}
"""Functions that change a part of an editor, and where it has the model whose fields they take."""


class ChangedPlugin(Plugin):
    """Gives calls of `changed` their arguments."""

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """The hook for methods."""
        if fullname.endswith(".changed"):
            return _of_model
        return _part_hook(fullname)

    def get_function_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext], FunctionLike] | None:
        """The hook for functions."""
        return _part_hook(fullname)


def _part_hook(fullname: str) -> Callable[[MethodSigContext | FunctionSigContext], FunctionLike] | None:
    if fullname not in _PARTS:
        return None

    def hook(context: MethodSigContext | FunctionSigContext) -> FunctionLike:
        signature = context.default_signature
        whole = context.type if isinstance(context, MethodSigContext) else signature.arg_types[0]
        model = _part(whole, _PARTS[fullname])
        return _with_fields(signature, model) if model else signature

    return hook


def _part(whole: Type, path: Sequence[str]) -> TypeInfo | None:
    """The class of what an object has at the end of a path of attributes."""
    known = get_proper_type(whole)
    options = known.items if isinstance(known, UnionType) else [known]
    found = next((one.type for one in map(get_proper_type, options) if isinstance(one, Instance)), None)
    if found is None or not path:
        return found
    return _part(_type_of(found, path[0]), path[1:])


def _of_model(context: MethodSigContext) -> FunctionLike:
    model = get_proper_type(context.type)
    if isinstance(model, Instance) and model.type.has_base(_BASE):
        return _with_fields(context.default_signature, model.type)
    return context.default_signature


def _with_fields(signature: CallableType, model: TypeInfo) -> CallableType:
    names = list(model.metadata.get("pydantic-mypy-metadata", {}).get("fields", {}))
    before = len(signature.arg_types) - 1
    return signature.copy_modified(
        arg_types=[*signature.arg_types[:before], *(_type_of(model, name) for name in names)],
        arg_kinds=[*signature.arg_kinds[:before], *(ARG_NAMED_OPT for _ in names)],
        arg_names=[*signature.arg_names[:before], *names],
    )


def _type_of(model: TypeInfo, name: str) -> Type:
    found = model.get(name)
    known = found.node.type if found and isinstance(found.node, Var) else None
    return known or AnyType(TypeOfAny.special_form)


def plugin(version: str) -> type[Plugin]:
    """What mypy calls to get the plugin."""
    return ChangedPlugin
