"""Renders the OpenAPI document as one plain page, because the usual viewers load their scripts from elsewhere."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

_STYLE = """
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code{font-family:ui-monospace,monospace}h2{margin-top:2.5rem}article{border-top:1px solid #8886;padding:.5rem 0}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0}
b.m{display:inline-block;min-width:4.5rem}
"""
_Document = Mapping[str, Any]


def api_page(document: _Document) -> str:
    """The page for an OpenAPI document."""
    info = document["info"]
    schemas: _Document = document.get("components", {}).get("schemas", {})
    parts = [
        f"<h1>{escape(info['title'])} {escape(info['version'])}</h1>",
        f"<p>{escape(info.get('description', ''))}</p>",
        "<p>Each request but /health needs the header <code>Authorization: Bearer TOKEN</code>. An error is "
        '<code>{"error": {"code": …, "message": …}}</code>. '
        'The same as <a href="/openapi.json">OpenAPI document</a>.</p>',
        *_operations(document),
        "<h1>Documents</h1>",
        *(_schema(name, schema) for name, schema in sorted(schemas.items())),
    ]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(info["title"])} API</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
        f"<main>{''.join(parts)}</main></html>"
    )


def _operations(document: _Document) -> Iterator[str]:
    seen = ""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            tag = (operation.get("tags") or [""])[0]
            if tag != seen:
                yield f"<h2>{escape(tag)}</h2>"
                seen = tag
            yield _operation(path, method, operation)


def _operation(path: str, method: str, operation: _Document) -> str:
    text = escape(operation.get("description", "")).replace("\n\n", "<br>")
    rows = [
        f"<tr><td><code>{escape(one['name'])}</code><td>{escape(one['in'])}<td>{_kind(one.get('schema', {}))}"
        f"<td>{escape(one.get('description', ''))}</tr>"
        for one in operation.get("parameters", [])
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body:
        rows.append(f"<tr><td>body<td><td>{_kind(body)}<td></tr>")
    answers = [
        f"{escape(code)} {_kind(content.get('schema', {}))}"
        for code, answer in operation["responses"].items()
        if code.startswith("2")
        for content in answer.get("content", {}).values()
    ]
    table = f"<table>{''.join(rows)}</table>" if rows else ""
    return (
        f'<article><b class="m">{escape(method.upper())}</b> <code>{escape(path)}</code><p>{text}</p>{table}'
        f"<p>Answer: {', '.join(answers) or 'text'}</p></article>"
    )


def _schema(name: str, schema: _Document) -> str:
    required = set(schema.get("required", ()))
    rows = [
        f"<tr><td><code>{escape(field)}</code>{' *' if field in required else ''}<td>{_kind(one)}"
        f"<td>{escape(one.get('description', ''))}</tr>"
        for field, one in schema.get("properties", {}).items()
    ]
    return (
        f'<article id="{escape(name)}"><h3>{escape(name)}</h3><p>{escape(schema.get("description", ""))}</p>'
        f"<table>{''.join(rows)}</table></article>"
    )


def _kind(schema: _Document) -> str:
    """What a value is, in a few words; a document of ours is a link."""
    if reference := schema.get("$ref"):
        name = escape(str(reference).rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(_kind(choice) for choice in choices)
    if values := schema.get("enum") or ([schema["const"]] if "const" in schema else None):
        return " | ".join(f"<code>{escape(str(value))}</code>" for value in values)
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return escape(str(schema.get("type", "any")))
