"""Reads what is written below the fields of a settings model: their purpose, for `research config show` and the manual.

Pydantic could read it too (`use_attribute_docstrings`), but it does so whenever the class is made: every command would
parse the source of all settings at its start (8 % of it).
"""

import ast
import functools
import inspect
import itertools
import textwrap
from collections.abc import Iterator, Mapping

from pydantic import BaseModel


@functools.cache
def field_docs(model: type[BaseModel]) -> Mapping[str, str]:
    """Field → the text below it, on one line; "" for a field without one. Fields of base classes are among them."""
    classes = [kind for kind in reversed(model.__mro__) if issubclass(kind, BaseModel) and kind.model_fields]
    told = {field: text for kind in classes for field, text in _texts_in(kind)}
    return {field: " ".join(told.get(field, "").split()) for field in model.model_fields}


def _texts_in(kind: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """The fields that a class itself has, each with the text below it."""
    try:
        source = inspect.getsource(kind)
    except (OSError, TypeError):  # a program that is shipped without its sources
        return
    tree = ast.parse(textwrap.dedent(source)).body[0]
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    for field, text in itertools.pairwise(body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(told))):
                yield name, inspect.cleandoc(told)
