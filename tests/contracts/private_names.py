"""What the contract tests share: the question whether a library still has what we rely on, and the search for it."""

import ast
import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from tests.sources import PACKAGES, PROJECT, modules, nodes

PUBLIC = {"_exit", "_replace", "_mapping"}
"""Documented in spite of the underscore: os._exit, namedtuple._replace, SQLAlchemy's Row._mapping."""


def relied_on(owner: object, name: str, why: str) -> object:
    """What the owner has under this name; fails in one line that says what no longer works."""
    found = inspect.getattr_static(owner, name, None)
    owned_by = getattr(owner, "__qualname__", getattr(owner, "__name__", repr(owner)))
    assert found is not None, f"{owned_by}.{name} is gone: {why}"
    return found


def parameters(function: Callable[..., object]) -> list[str]:
    """The names of a function's parameters."""
    return list(inspect.signature(function).parameters)


def private_names_in_use() -> dict[str, str]:
    """Private name of a library → the first place of ours that uses or overrides it."""
    found: dict[str, str] = {}
    for path in modules():
        for name in (*_imported(path), *_read(path), *_overridden(path)):
            found.setdefault(name, str(path.relative_to(PROJECT)))
    return {name: place for name, place in found.items() if name not in PUBLIC}


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _imports(path: Path) -> Iterator[tuple[str, ast.alias]]:
    """(module, name) of what is imported from libraries."""
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] not in PACKAGES:
            yield from ((node.module, alias) for alias in node.names)
        if isinstance(node, ast.Import):
            yield from ((alias.name, alias) for alias in node.names)


def _imported(path: Path) -> Iterator[str]:
    for module, alias in _imports(path):
        yield from (part for part in (*module.split("."), *alias.name.split(".")) if _is_private(part))


def _read(path: Path) -> Iterator[str]:
    """Attributes that the module itself defines nowhere."""
    own = {
        getattr(node, "name", None) or getattr(node, "attr", None) or getattr(node, "id", "")
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        or (isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store))
    }
    for node in nodes(path):
        if isinstance(node, ast.Attribute) and _is_private(node.attr) and node.attr not in own:
            yield node.attr


def _overridden(path: Path) -> Iterator[str]:
    """Private methods of a library's class that a class of ours replaces."""
    origins = {(alias.asname or alias.name): (module, alias.name) for module, alias in _imports(path)}
    for node in nodes(path):
        if isinstance(node, ast.ClassDef):
            methods = {
                one.name for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
            }
            private = {name for name in methods if _is_private(name)}
            for base in [_resolved(base, origins) for base in node.bases] if private else []:
                yield from (name for name in sorted(private) if hasattr(base, name))


def _resolved(base: ast.expr, origins: dict[str, tuple[str, str]]) -> object:
    first, *rest = ast.unparse(base).split("[")[0].split(".")
    if first not in origins:
        return None
    module, name = origins[first]
    found = getattr(import_module(module), name, None) if module != name else import_module(module)
    for part in rest:
        found = getattr(found, part, None)
    return found
