"""What all groups of settings share: their base, and the values that the environment writes as text."""

import json
from typing import Any

from pydantic import AliasChoices, Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from research_crawler.core.models.base import Changeable

Names = list[str]
"""A list. In the environment it is written as words separated by commas or spaces, or as a JSON list."""


class SettingsGroup(BaseSettings, Changeable):
    """Some of the settings; they are read together, as `Config`."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        validate_default=False,
        allow_inf_nan=False,
        defer_build=True,
    )


def unprefixed(
    default: Any,
    name: str,
    *,
    former: str = "",
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
) -> Any:
    """A field whose environment name is `name` without a prefix; RESEARCH_<name> works too, and so does the name that
    the setting had in former releases."""
    names = [f"{prefix}{each}" for each in (name, former) if each for prefix in ("", "RESEARCH_")]
    return Field(default, validation_alias=AliasChoices(*names), ge=ge, gt=gt, le=le)


def split_list(value: Any) -> Any:
    """A list, from the text that the environment has of it."""
    if not isinstance(value, str):
        return value
    return _parsed_json(value) if value.lstrip().startswith("[") else value.replace(",", " ").split()


def parsed_mapping(value: Any) -> Any:
    """A mapping, from the JSON that the environment has of it."""
    return _parsed_json(value) if isinstance(value, str) else value


def _parsed_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError("is not valid JSON") from error
