"""Describes the HTTP interface for programs that make clients of it: OpenAPI 3.1, with names that one can read."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from fastapi import FastAPI
from fastapi.routing import APIRoute

_BEARER: Final = "token"
_EVENTS: Final = "text/event-stream"
_JSON: Final = "application/json"
_METHODS: Final = ("get", "post", "put", "patch", "delete")


class ResearchApi(FastAPI):
    """FastAPI, whose document says who may call and has no part of a later OpenAPI than the one that it names."""

    _made: ClassVar[dict[str, Any] | None] = None

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document, made once a process, for each application of it has the same routes."""
        if ResearchApi._made is None:
            ResearchApi._made = described(super().openapi())
        return ResearchApi._made


def method_name(route: APIRoute) -> str:
    """The name of a route's method in clients: that of its function (`start_job`)."""
    return route.name


def described(document: Mapping[str, Any]) -> dict[str, Any]:
    """FastAPI's document with the token, the server, and answers as OpenAPI 3.1 has them."""
    described = dict(document)
    for path, operation in _operations(described):
        if path == "/health":
            operation["security"] = []
        for status, answer in operation["responses"].items():
            answer["content"] = _content(answer.get("content", {}), is_error=status >= "400")
    components = described.setdefault("components", {})
    components["securitySchemes"] = {_BEARER: {"type": "http", "scheme": "bearer"}}
    return described | {"servers": [{"url": "/"}], "security": [{_BEARER: []}]}


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        yield from ((path, methods[method]) for method in _METHODS if method in methods)


def _content(content: Mapping[str, Any], *, is_error: bool) -> dict[str, Any]:
    """What an answer holds: errors are JSON whatever a route streams; a stream is text, for `itemSchema` is of 3.2."""
    if is_error and _EVENTS in content:
        return {_JSON: content[_EVENTS]}
    return {
        kind: {"schema": {"type": "string"}} if "itemSchema" in part else part
        for kind, part in content.items()
    }
