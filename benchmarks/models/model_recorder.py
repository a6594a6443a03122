"""Records the calls to the small local model: `python -m benchmarks.models.model_recorder`.

stdout gets the settings of `--local-model` with the recorder's address. `GET /calls` on its port returns the
calls with role, text of the answer (null while it runs, or if it broke off) and seconds. It ends when stdin
is closed.
"""

import asyncio
import json
import sys
import time
from typing import Any

import aiohttp
from aiohttp import web

from benchmarks.models.scripted_model import role_of
from research_crawler.adapters.models.local_model import LocalModel

KEPT = ("mind_model", "model_concurrency", "page_max_tokens")


class Recorder:
    """Forwards calls and records the answers."""

    def __init__(self, base_url: str, session: aiohttp.ClientSession) -> None:
        self.base_url, self.session = base_url, session
        self.calls: list[dict[str, Any]] = []

    async def complete(self, request: web.Request) -> web.Response:
        """Forward one call."""
        body = await request.json()
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        call = {"role": role_of(schema) if schema else "", "text": None, "seconds": 0.0}
        self.calls.append(call)
        begun = time.monotonic()
        async with self.session.post(f"{self.base_url}/chat/completions", json=body) as response:
            answer = await response.json()
            call["seconds"] = time.monotonic() - begun
            if response.ok:
                call["text"] = answer["choices"][0]["message"]["content"] or ""
            return web.json_response(answer, status=response.status)

    async def models(self, _: web.Request) -> web.Response:
        """The list of models, which a client requests before it starts."""
        async with self.session.get(f"{self.base_url}/models") as response:
            return web.json_response(await response.json(), status=response.status)

    async def record(self, _: web.Request) -> web.Response:
        """The calls so far."""
        return web.json_response(self.calls)


async def main() -> None:
    """Serve until stdin ends."""
    async with LocalModel() as model, aiohttp.ClientSession(trust_env=False) as session:
        recorder = Recorder(model.base_url, session)
        application = web.Application(client_max_size=2**24)
        application.add_routes(
            [
                web.post("/v1/chat/completions", recorder.complete),
                web.get("/v1/models", recorder.models),
                web.get("/calls", recorder.record),
            ]
        )
        runner = web.AppRunner(application, access_log=None, handler_cancellation=True)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        settings = {name: model.settings()[name] for name in KEPT}
        settings["openai_base_url"] = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        print(json.dumps(settings), flush=True)
        await asyncio.to_thread(sys.stdin.read)
        await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
