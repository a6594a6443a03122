"""The output of `research config show`: every setting with its value, its origin and its purpose."""

import ast
import difflib
import functools
import inspect
import itertools
import os
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, SecretStr

from research_crawler.core.config import Config, setting_names
from research_crawler.core.settings.depth import defaults_by_depth
from research_crawler.core.settings.secret_files import file_name
from research_crawler.core.settings.sources import MASK, masked
from research_crawler.core.settings.table import Setting

NEARLY_THE_NAME = 0.88
"""Names are taken for misspelt ones from this likeness on: one letter too many, too few or swapped in SEARXNG_URL has
0.91 and more; OPENAI_API_BASE, which other programs read, has 0.83 with OPENAI_BASE_URL."""
OUR_PREFIXES = ("RESEARCH_", "PHASE1_")
NO_SETTINGS = frozenset(
    f"RESEARCH_{name}"
    for name in (
        "FAILPOINT", "EXPLORE", "TEST_DATA", "BENCH", "BENCH_KEEP", "BENCH_QUESTIONS", "BENCH_BATCH_ROWS",
        "REPORTS_BENCH", "LOOP_BENCH", "CALLS_BENCH", "PAIRS", "MANUALS", "DOCS_WEB", "WIDER_DOCS", "WIKI_WEB",
        "UNSEEN_QUESTIONS", "GPT_RESEARCHER",
    )
)  # fmt: skip
"""Environment names with these prefixes that are no settings but are read elsewhere: by tests and benchmarks."""


def describe(config: Config) -> list[tuple[str, str, str]]:
    """(name, value, origin) of every setting; those of the search providers come after RESEARCH_PROVIDERS.

    The name is the preferred environment name. Secrets and passwords in URLs are shown as `***`. The origin
    is `option`, `environment NAME`, `.env`, `research.toml`, `config.toml` or `default`; a key that is withheld from
    an address says so there, and a default that the depth decides has its value for each depth there.
    """
    values = {"": dict(config)} | {
        provider: dict(part) for provider, part in config.provider_settings.items()
    }
    return [
        (
            setting.environment[0],
            shown_setting(values[setting.provider][setting.field]),
            _origin(config, setting),
        )
        for setting in type(config).settings().values()
    ]


def setting_docs(kind: type[Config]) -> dict[str, str]:
    """Name as in `describe` → one line about the setting."""
    declared = kind.declared()
    return {
        setting.environment[0]: field_docs(declared[setting.provider] if setting.provider else kind)[
            setting.field
        ]
        for setting in kind.settings().values()
    }


def unknown_environment(kind: type[Config]) -> list[str]:
    """RESEARCH_* and PHASE1_* names in the environment that are not settings, mostly typing errors."""
    known = {name for names in setting_names(kind).values() for name in names}
    known |= {file_name(name) for name in known} | NO_SETTINGS
    return sorted(name for name in os.environ if name.startswith(OUR_PREFIXES) and name not in known)


def unknown_notes(kind: type[Config]) -> list[str]:
    """A line for each such name, with the nearest setting: it changes nothing, and its user thinks that it does."""
    known = [name for names in setting_names(kind).values() for name in names]
    ours = [
        f"{name} is no setting and changes nothing{_nearest(name, known)}"
        for name in unknown_environment(kind)
    ]
    return ours + [
        f"{name} is no setting of research and changes nothing here; did you mean {meant}?"
        for name, meant in misspelt_environment(known)
    ]


def misspelt_environment(known: Sequence[str]) -> list[tuple[str, str]]:
    """Names in the environment that begin as no name of ours alone does, but are nearly one, with the one meant.

    Other programs have settings of their own that begin with OPENAI_ or REDIS_; only what is nearly ours is told.
    """
    families = {_family(name) for name in known}
    known_names = {*known, *map(file_name, known), *NO_SETTINGS}
    found = []
    for name in sorted(os.environ):
        if name in known_names or name.startswith(OUR_PREFIXES) or "_" not in name:
            continue
        near = {_family(name)} & families or set(_near(_family(name), families))
        candidates = [setting for setting in known if _family(setting) in near]
        found += [(name, setting) for setting in _near(name, candidates)]
    return found


def _family(name: str) -> str:
    """The word that a name begins with, as those of one provider do."""
    return name.partition("_")[0]


def _near(name: str, known: Collection[str]) -> list[str]:
    return difflib.get_close_matches(name, known, n=1, cutoff=NEARLY_THE_NAME)


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
    return f"; did you mean {near[0]}?" if near else ""


def shown_setting(value: Any) -> str:
    """A value as a person would write it, without secrets."""
    if isinstance(value, SecretStr):
        return MASK if value.get_secret_value() else ""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}={item}" for key, item in value.items())
    return masked(str(value))


def _origin(config: Config, setting: Setting) -> str:
    if setting.name in config.origins:
        return config.origins[setting.name]
    if not setting.provider and setting.field in config.model_fields_set:
        return "option"
    of_depths = {} if setting.provider else defaults_by_depth(setting.field)
    told = ", ".join(f"{depth} {shown_setting(float(amount))}" for depth, amount in of_depths.items())
    return f"default; by depth: {told}" if told else "default"


# Reads what is written below the fields of a settings model: their purpose, for `research config show` and the
# manual.
#
# Pydantic could read it too (`use_attribute_docstrings`), but it does so whenever the class is made: every
# command would parse the source of all settings at its start (8 % of it).


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
