"""The words by which sentences about change and opinion are recognised, in all languages of reports."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

WordList = Literal["rising", "falling", "praise", "blame"]


def word_list(name: WordList) -> frozenset[str]:
    """The words of one list, in lower case."""
    return _lists()[name]


@cache
def _lists() -> Mapping[WordList, frozenset[str]]:
    data = tomllib.loads(files("planner.reports.typed").joinpath("words.toml").read_text("utf-8"))
    names: tuple[WordList, ...] = get_args(WordList)
    return {
        name: frozenset(word for words in data[name].values() for word in words.split()) for name in names
    }
