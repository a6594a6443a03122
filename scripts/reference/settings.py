"""Makes the page about all settings: environment names, type, default, meaning."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from research_crawler.configuration import SystemConfig
from research_crawler.core.settings.origins import field_docs
from scripts.reference.markdown import code, plain, table

INTRO = """---
hide: [toc]
---

# Settings

You can set a setting in the environment, in `.env` or `research.toml` in the working folder, or in `config.toml` in
the data folder. The first of them that contains the setting wins; options of the command line override all of them.
Files may use the setting's own name or an environment name. `research config show` prints every setting with its value
and the source of the value.

A working folder may come from somebody else. From its files only the settings marked *folder* are taken, and only
where they are lower than yours (else the default), unless you give `--trust-folder` or set `RESEARCH_TRUST_FOLDER=1`;
one line says what was not taken. A key is never sent to an address from a less trusted source than its own: the
command line and the environment are trusted most, then `config.toml`, then the working folder.

A list is written as words separated by commas or spaces, or as a JSON list. A map is written as a JSON object.
"""
KINDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "array": "list",
    "object": "map",
    "null": "unset",
}
FORMATS = {"password": "secret", "path": "path"}


def settings_page() -> str:
    """Every setting, in the order of the code."""
    head = ("environment", "name", "type", "default", "from", "meaning")
    return "\n".join([INTRO, *table(head, _rows())])


def _rows() -> Iterator[tuple[str, ...]]:
    declared = SystemConfig.declared()
    kinds: list[type[BaseModel]] = [SystemConfig, *declared.values()]
    schemas = {kind: _properties(kind) for kind in kinds}
    for setting in SystemConfig.settings().values():
        kind: type[BaseModel] = declared[setting.provider] if setting.provider else SystemConfig
        schema = schemas[kind][setting.field]
        yield (
            "<br>".join(code(variable) for variable in setting.environment),
            code(setting.name),
            type_of(schema),
            _default_of(kind, setting.field, schema),
            "you" if setting.limit is None else "folder",
            plain(field_docs(kind)[setting.field]),
        )


def _properties(kind: type[BaseModel]) -> dict[str, Any]:
    properties: dict[str, Any] = kind.model_json_schema(by_alias=False)["properties"]
    return properties


def type_of(schema: Mapping[str, Any]) -> str:
    """A JSON schema's type in words, with its range."""
    if choices := schema.get("anyOf"):
        return " or ".join(dict.fromkeys(type_of(choice) for choice in choices))
    if values := schema.get("enum"):
        return ", ".join(code(value) for value in values)
    kind = FORMATS.get(schema.get("format", "")) or KINDS.get(schema.get("type", ""), "any")
    return " ".join(filter(None, (kind, _range_of(schema))))


def _range_of(schema: Mapping[str, Any]) -> str:
    words = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    return ", ".join(f"{sign} {schema[name]:,}" for name, sign in words.items() if name in schema)


def _default_of(kind: type[BaseModel], field: str, schema: Mapping[str, Any]) -> str:
    if "default" in schema:
        value = schema["default"]
        return "unset" if value is None else code(str(value).lower() if isinstance(value, bool) else value)
    if schema.get("format") == "path":  # differs from machine to machine
        return "a folder of the user"
    default = kind.model_fields[field].get_default(call_default_factory=True, validated_data={})
    return code(" ".join(map(str, default)))
