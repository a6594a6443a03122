"""The model servers of one's own machine, each as its program answers (their documentation, 2025)."""

import asyncio
import time

import pytest
from aiohttp import web

from research_crawler.adapters.models import local_endpoints
from research_crawler.adapters.models.local_endpoints import context_tokens, find_endpoints

OLLAMA = {
    "/v1/models": {
        "object": "list",
        "data": [
            {"id": "qwen3:8b", "object": "model", "created": 1, "owned_by": "library"},
            {"id": "nomic-embed-text:latest", "object": "model", "created": 1, "owned_by": "library"},
        ],
    },
    "/api/ps": {"models": [{"name": "qwen3:8b", "model": "qwen3:8b", "context_length": 32768}]},
}
LLAMA_CPP = {
    "/v1/models": {
        "object": "list",
        "data": [{"id": "gemma-3-4b", "owned_by": "llamacpp", "meta": {"n_ctx_train": 131072}}],
    },
    "/props": {"default_generation_settings": {"n_ctx": 8192}},
}
LM_STUDIO = {
    "/v1/models": {
        "data": [{"id": "phi-4", "owned_by": "organization_owner"}, {"id": "text-embedding-nomic"}]
    },
    "/api/v0/models": {"data": [{"id": "phi-4", "max_context_length": 16384, "loaded_context_length": 4096}]},
}
VLLM = {"/v1/models": {"data": [{"id": "org/big", "owned_by": "vllm", "max_model_len": 40960}]}}


class Server:
    """A server that answers paths with JSON, texts as they are, and all else with 404."""

    def __init__(self, answers, *, delay_s=0.0):
        self.answers, self.delay_s, self.asked = answers, delay_s, []

    async def answer(self, request):
        self.asked.append(request.path)
        await asyncio.sleep(self.delay_s)
        answer = self.answers.get(request.path)
        if answer is None:
            raise web.HTTPNotFound
        return web.Response(text=answer) if isinstance(answer, str) else web.json_response(answer)


@pytest.fixture
async def serve():
    runners = []

    async def serve(answers, **more):
        server, app = Server(answers, **more), web.Application()
        app.router.add_route("*", "/{path:.*}", server.answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        runners.append(runner)
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        server.port = runner.addresses[0][1]
        return server

    yield serve
    for runner in runners:
        await runner.cleanup()


@pytest.mark.parametrize(
    ("answers", "program", "model", "context"),
    [
        (OLLAMA, "Ollama", "qwen3:8b", 32768),
        (LLAMA_CPP, "llama.cpp server", "gemma-3-4b", 8192),
        (LM_STUDIO, "LM Studio", "phi-4", 4096),
        (VLLM, "vLLM", "org/big", 40960),
    ],
    ids=["ollama", "llama.cpp", "lm studio", "vllm"],
)
async def test_a_server_is_found_with_its_chat_models_and_their_context(
    serve, answers, program, model, context
):
    server = await serve(answers)
    [found] = await find_endpoints({server.port: "LM Studio"})
    assert (found.program, found.models) == (program, (model,))
    assert found.base_url == f"http://127.0.0.1:{server.port}/v1"
    assert await context_tokens(found.base_url, model) == context


async def test_a_model_that_ollama_has_not_loaded_has_its_usual_context(serve):
    server = await serve(OLLAMA | {"/api/ps": {"models": []}})
    base_url = f"http://127.0.0.1:{server.port}/v1"
    assert await context_tokens(base_url, "qwen3:8b") == local_endpoints.OLLAMA_TOKENS


@pytest.mark.parametrize(
    "answer",
    [
        "<html>hello</html>",
        "[" * 100_000,
        {"data": "none"},
        {"data": [{"id": 7}, {"id": "a\x1b[31m"}, 3]},
        [1],
    ],
)
async def test_what_is_no_model_server_is_not_taken_for_one(serve, answer):
    server = await serve({"/v1/models": answer})
    assert await find_endpoints({server.port: "vLLM"}) == []


async def test_the_look_is_over_soon_whatever_answers(serve, unused_tcp_port):
    slow = await serve(VLLM, delay_s=60)
    good = await serve(VLLM)
    began_s = time.monotonic()
    found = await find_endpoints(
        {slow.port: "vLLM", unused_tcp_port: "Ollama", good.port: "vLLM"}, timeout_s=1.0
    )
    assert [one.base_url for one in found] == [f"http://127.0.0.1:{good.port}/v1"]
    assert time.monotonic() - began_s < 30


async def test_only_this_machine_is_asked_for_its_context():
    assert await context_tokens("https://api.example.com/v1", "m") == 0


async def test_a_redirect_leads_nowhere(serve):
    target = await serve(VLLM)

    class Redirect(dict):
        def get(self, path, default=None):
            raise web.HTTPFound(f"http://127.0.0.1:{target.port}/v1/models")

    server = await serve(Redirect())
    assert await find_endpoints({server.port: "vLLM"}) == []
    assert target.asked == []
