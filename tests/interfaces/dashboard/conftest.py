"""The server of the HTTP tests, and a browser's view of it: cookies instead of the token's header."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from html.parser import HTMLParser

import httpx
import pytest
from aiohttp import web

from tests.interfaces.http.conftest import TOKEN, Served, served

__all__ = ["served"]


@dataclass
class Visitor:
    """Somebody who has signed in."""

    client: httpx.AsyncClient
    served: Served

    async def page(self, path: str, status: int = 200) -> str:
        answer = await self.client.get(f"/ui{path}")
        assert answer.status_code == status, answer.text
        return answer.text

    async def form_key(self, path: str = "/jobs") -> str:
        return fields_of(await self.page(path))["form_key"]

    async def send(self, path: str, status: int = 303, **fields: str | list[str]) -> httpx.Response:
        answer = await self.client.post(f"/ui{path}", data={"form_key": await self.form_key(), **fields})
        assert answer.status_code == status, answer.text
        return answer


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "input":
            self.found[values.get("name") or ""] = values.get("value") or ""


def fields_of(page: str) -> dict[str, str]:
    """The input fields of a page with their values."""
    reader = _Fields()
    reader.feed(page)
    return reader.found


@pytest.fixture
async def visitor(served) -> AsyncIterator[Visitor]:
    """Somebody who has signed in."""
    async with httpx.AsyncClient(base_url=served.client.base_url, timeout=20, verify=False) as client:
        answer = await client.post("/ui/sign-in", data={"token": TOKEN})
        assert (answer.status_code, answer.headers["location"]) == (303, "/ui/")
        yield Visitor(client, served)


@dataclass
class ModelServer:
    """A server that answers as OpenAI's does, and notes who asked it."""

    url: str
    keys: set[str]
    calls: int = 0


@pytest.fixture
async def model_server() -> AsyncIterator[ModelServer]:
    """A model server on this machine with one model, `tiny`."""
    server = ModelServer("", set())

    async def models(request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "tiny", "object": "model"}]})

    async def complete(request: web.Request) -> web.Response:
        server.calls += 1
        server.keys.add(request.headers.get("Authorization", ""))
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "ok"}}
        usage = {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}
        answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "tiny", "choices": [choice]}
        return web.json_response({**answer, "usage": usage})

    app = web.Application()
    app.router.add_get("/v1/models", models)
    app.router.add_post("/v1/chat/completions", complete)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield server
    await runner.cleanup()
