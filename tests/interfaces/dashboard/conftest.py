"""The server of the HTTP tests, and a browser's view of it: cookies instead of the token's header."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from html.parser import HTMLParser

import httpx
import pytest

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
    async with httpx.AsyncClient(base_url=served.client.base_url, timeout=20) as client:
        answer = await client.post("/ui/sign-in", data={"token": TOKEN})
        assert (answer.status_code, answer.headers["location"]) == (303, "/ui/jobs")
        yield Visitor(client, served)
