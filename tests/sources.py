"""The modules of the project, each parsed and walked once a process for all tests that look at how code is written."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

from scripts.reference.modules import parsed

PROJECT = Path(__file__).parents[1]
PACKAGES = ("research_crawler", "planner", "pipelines", "prompts")


@functools.cache
def modules() -> tuple[Path, ...]:
    """The files of all packages, package by package."""
    return tuple(path for package in PACKAGES for path in sorted((PROJECT / package).rglob("*.py")))


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a module, outer ones first."""
    return tuple(ast.walk(parsed(path)))


def within(package: str) -> Iterator[Path]:
    """The files of one package."""
    return (path for path in modules() if path.is_relative_to(PROJECT / package))
