"""The chat adapter with an OpenAI-compatible endpoint that behaves in all the ways in which endpoints
differ."""

import asyncio
import contextlib
import json
import time
import tracemalloc
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import test_utils, web
from pydantic import SecretStr

from research_crawler.adapters.models import answer_limits, openai_chat
from research_crawler.adapters.models.answer_limits import AnswerTooLong, bounded_client
from research_crawler.adapters.models.completions import completion_of
from research_crawler.adapters.models.openai_chat import OpenAIChat
from research_crawler.adapters.models.request_forms import KEPT_DAYS, RequestForm, RequestFormCache
from research_crawler.core.brain_errors import BrainUnavailable
from research_crawler.core.config import Config
from research_crawler.core.errors import EndpointUnusable
from tests.cases import each_case

SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}


class Endpoint:
    """An endpoint whose behaviour a test sets. It records the requests."""

    def __init__(self):
        self.models, self.key, self.forms = (
            ["m-large", "m-small"],
            "",
            ("json_schema", "json_object", "plain"),
        )
        self.usage, self.text, self.refusal, self.delay_s, self.lists, self.hidden = (
            True,
            '{"a": "b"}',
            None,
            0.0,
            True,
            (),
        )
        self.complaints, self.bodies = {}, []
        self.finish, self.message, self.details = "stop", {}, None
        self.streams_only, self.counts, self.pause_s = False, {}, 0.0

    async def chat(self, request):
        body = await request.json()
        self.bodies.append(body)
        await asyncio.sleep(self.delay_s)
        if self.text == "<html>":
            return web.Response(text=self.text, content_type="text/html")
        if self.refusal:
            status, headers, text = self.refusal
            return web.json_response(
                {"error": {"message": text, "code": text}}, status=status, headers=headers
            )
        for name, complaint in self.complaints.items():
            if name in body:
                return web.json_response({"error": {"message": complaint}}, status=400)
        if body.get("response_format", {"type": "plain"})["type"] not in self.forms:
            return web.json_response({"error": {"message": "response_format is not supported"}}, status=400)
        if self.streams_only:
            return await self._streamed(request, body)
        answer = {
            "id": "1", "object": "chat.completion", "created": 1, "model": body["model"],
            "choices": [
                {"index": 0, "finish_reason": self.finish,
                 "message": {"role": "assistant", "content": self.text} | self.message}
            ],
        }  # fmt: skip
        if self.usage:
            answer["usage"] = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18} | self.counts
            if self.details:
                answer["usage"]["completion_tokens_details"] = self.details
        return web.json_response(answer)

    async def _streamed(self, request, body):
        if not body.get("stream"):
            return web.json_response(
                {"error": {"message": "this model supports stream=true only"}}, status=400
            )
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18} if self.usage else None
        pieces = [({"role": "assistant", "content": ""}, None)]
        pieces += [({"content": one}, None) for one in self.text] + [({}, self.finish)]
        for delta, finish in pieces:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
            await response.write(f"data: {json.dumps(chunk | {'choices': [choice]})}\n\n".encode())
            await asyncio.sleep(self.pause_s)
        last = chunk | {"choices": [], "usage": usage}
        await response.write(f"data: {json.dumps(last)}\n\ndata: [DONE]\n\n".encode())
        return response

    async def list_models(self, request):
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            return web.json_response({"error": {"message": "bad key"}}, status=401)
        if not self.lists:
            return web.Response(status=404)
        data = [{"id": name, "object": "model", "created": 1, "owned_by": "x"} for name in self.models]
        return web.json_response({"object": "list", "data": data})

    async def one_model(self, request):
        name = request.match_info["name"]
        if name in self.hidden:
            return web.json_response({"id": name, "object": "model", "created": 1, "owned_by": "x"})
        return web.json_response({"error": {"message": "no such model"}}, status=404)


@pytest.fixture
async def endpoint():
    here = Endpoint()
    app = web.Application()
    app.router.add_post("/v1/chat/completions", here.chat)
    app.router.add_get("/v1/models", here.list_models)
    app.router.add_get("/v1/models/{name}", here.one_model)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    here.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield here
    await runner.cleanup()


@pytest.fixture
async def chat(endpoint):
    made = OpenAIChat(endpoint.url, SecretStr("k"), "m-large")
    yield made
    await made.close()


async def ask(chat, **more):
    given = {
        "system": "S",
        "user": "U",
        "temperature": 0.5,
        "max_tokens": 50,
        "schema": SCHEMA,
        "timeout_s": 5.0,
    }
    return await chat.complete(**given | more)


async def test_an_answer_comes_with_its_tokens(chat, endpoint):
    answer = await ask(chat)
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens, answer.model) == (
        '{"a": "b"}',
        11,
        7,
        "m-large",
    )
    body = endpoint.bodies[0]
    assert body["messages"] == [{"role": "system", "content": "S"}, {"role": "user", "content": "U"}]
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert (body["temperature"], body["max_tokens"]) == (0.5, 50)


@pytest.mark.parametrize(
    ("reported", "cached"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 8}}, 8),
        ({"prompt_cache_hit_tokens": 8, "prompt_cache_miss_tokens": 3}, 8),
        ({"cache_read_input_tokens": 8}, 8),
        ({"cached_tokens": 8}, 8),
        ({"prompt_tokens_details": {"cached_tokens": 10**9}}, 11),
        ({"prompt_tokens_details": {"cached_tokens": -5}}, 0),
        ({"prompt_tokens_details": None}, 0),
        ({}, 0),
    ],
)
async def test_the_cached_tokens_of_a_prompt_are_told_wherever_an_endpoint_counts_them(
    chat, endpoint, reported, cached
):
    endpoint.counts = reported
    assert (await ask(chat)).cached_tokens == cached


@pytest.mark.parametrize(("forms", "told"), [(("json_object",), True), (("json_schema",), False)])
async def test_an_endpoint_that_takes_no_schema_finds_it_behind_the_prompt(chat, endpoint, forms, told):
    endpoint.forms = forms
    await ask(chat)
    system, user = (message["content"] for message in endpoint.bodies[-1]["messages"])
    assert system == "S"
    assert user.startswith("U")
    assert ("### Schema" in user) is told


async def test_a_call_may_name_another_model(chat, endpoint):
    await ask(chat, model="m-small")
    assert endpoint.bodies[0]["model"] == "m-small"


async def test_tokens_are_estimated_where_the_endpoint_counts_none(chat, endpoint):
    endpoint.usage = False
    answer = await ask(chat, user="u" * 400)
    assert answer.prompt_tokens == 101
    assert answer.completion_tokens >= 1


@pytest.mark.parametrize("count", [-(10**9), 10**18])
async def test_tokens_are_estimated_where_the_count_of_the_endpoint_cannot_be(chat, endpoint, count):
    endpoint.counts = {"prompt_tokens": count, "completion_tokens": count}
    answer = await ask(chat, user="u" * 400)
    assert answer.prompt_tokens == 101
    assert 1 <= answer.completion_tokens < 10


@pytest.mark.parametrize("takes", ["json_object", "plain"])
async def test_the_best_form_that_an_endpoint_accepts_is_found_and_remembered(chat, endpoint, takes):
    endpoint.forms = (takes,)
    await asyncio.gather(*(ask(chat) for _ in range(5)))
    endpoint.bodies.clear()
    await ask(chat)
    assert [body.get("response_format", {"type": "plain"})["type"] for body in endpoint.bodies] == [takes]


async def test_the_form_that_an_endpoint_accepts_is_kept_for_the_next_process(endpoint, tmp_path):
    kept = RequestFormCache(tmp_path / "data" / "model_forms.json")
    endpoint.forms, endpoint.complaints = (
        ("json_object",),
        {"temperature": "Unsupported value: 'temperature'."},
    )
    for _ in range(2):
        endpoint.bodies.clear()
        chat = OpenAIChat(endpoint.url, SecretStr("k"), "m-large", form_cache=kept)
        await ask(chat)
        await chat.close()
    [body] = endpoint.bodies
    assert body["response_format"]["type"] == "json_object"
    assert "temperature" not in body
    assert (
        RequestFormCache(tmp_path / "data" / "model_forms.json").form_of(f"{endpoint.url} other")
        == RequestForm()
    )


async def test_a_kept_form_that_an_endpoint_refuses_gives_way_to_the_next(endpoint, tmp_path):
    kept = RequestFormCache(tmp_path / "model_forms.json")
    kept.keep(f"{endpoint.url} m-large", RequestForm(form=1))
    endpoint.forms = ("plain",)
    chat = OpenAIChat(endpoint.url, SecretStr("k"), "m-large", form_cache=kept)
    await ask(chat)
    await chat.close()
    assert kept.form_of(f"{endpoint.url} m-large") == RequestForm(form=2)


async def test_an_endpoint_that_has_answered_lately_is_asked_for_no_token_unless_the_key_is_another(
    endpoint, tmp_path
):
    kept = RequestFormCache(tmp_path / "model_forms.json")
    asked = []
    for key in ("k", "k", "other"):
        endpoint.bodies.clear()
        chat = OpenAIChat(endpoint.url, SecretStr(key), "m-large", form_cache=kept)
        await chat.check()
        await chat.close()
        asked.append(len(endpoint.bodies))
    assert asked == [1, 0, 1]


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{", '{"a b": {"form": {"form": 9}, "found": "2026-01-01"}}', "[" * 100_000, "\0"],
    ids=["empty", "list", "torn", "unknown", "deep", "binary"],
)
async def test_a_file_of_forms_that_is_of_no_use_is_done_without(endpoint, tmp_path, content):
    path = tmp_path / "model_forms.json"
    path.write_text(content)
    assert RequestFormCache(path).form_of("a b") == RequestForm()
    RequestFormCache(path).keep("a b", RequestForm(streams=True))
    assert RequestFormCache(path).form_of("a b").streams


def test_a_form_is_kept_for_a_week(tmp_path):
    path = tmp_path / "model_forms.json"
    RequestFormCache(path).keep("a b", RequestForm(form=2))
    today = datetime.now(UTC).date()
    path.write_text(path.read_text().replace(str(today), str(today - timedelta(days=KEPT_DAYS))))
    assert RequestFormCache(path).form_of("a b") == RequestForm()


async def test_parameters_that_a_model_refuses_are_left_out(chat, endpoint):
    endpoint.complaints = {
        "max_tokens": "Use 'max_completion_tokens' instead of 'max_tokens'.",
        "temperature": "Unsupported value: 'temperature'.",
    }
    await ask(chat)
    assert endpoint.bodies[-1]["max_completion_tokens"] == 50
    assert "temperature" not in endpoint.bodies[-1]


async def test_a_request_refused_in_every_form_does_not_change_the_best_form(chat, endpoint):
    endpoint.refusal = (400, {}, "the context is too long")
    with pytest.raises(BrainUnavailable, match="too long"):
        await ask(chat)
    endpoint.refusal = None
    await ask(chat)
    assert endpoint.bodies[-1]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    ("refusal", "pause_ms"),
    [
        ((429, {"Retry-After": "3"}, "slow down"), 3000),
        ((429, {"retry-after-ms": "250"}, "slow down"), 250),
        ((429, {"Retry-After": "86400"}, "come back tomorrow"), 900_000),
        ((429, {}, "slow down"), 2000),
        ((503, {"Retry-After": "1"}, "overloaded"), 1000),
        ((503, {}, "overloaded"), None),
        ((429, {"Retry-After": "3"}, "insufficient_quota"), None),
        ((401, {}, "bad key"), None),
        ((500, {}, "oops"), None),
    ],
)
async def test_a_refusal_says_when_to_come_back(chat, endpoint, refusal, pause_ms):
    endpoint.refusal = refusal
    with pytest.raises(BrainUnavailable) as caught:
        await ask(chat)
    assert caught.value.retry_after_ms == pause_ms
    assert not caught.value.maybe_paid
    assert len(endpoint.bodies) == 1


async def test_an_endpoint_that_is_too_slow_may_have_charged(chat, endpoint):
    endpoint.delay_s = 0.6
    with pytest.raises(BrainUnavailable, match="within") as caught:
        await ask(chat, timeout_s=0.2)
    assert caught.value.maybe_paid


async def test_a_web_page_instead_of_an_answer_is_an_error(chat, endpoint):
    endpoint.text = "<html>"
    with pytest.raises(BrainUnavailable):
        await ask(chat)


async def test_thinking_text_is_removed_from_the_answer(chat, endpoint):
    endpoint.text = "<think>It could be {\n}.</think>\n" + json.dumps({"a": "b"})
    assert json.loads((await ask(chat)).text) == {"a": "b"}


async def test_a_usable_endpoint_passes_the_check_for_one_token(chat, endpoint):
    endpoint.key = "k"
    await chat.check()
    assert [(body["model"], body["max_tokens"]) for body in endpoint.bodies] == [("m-large", 1)]


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (401, "invalid key", "refuses the key for m-large .*invalid key.*; check OPENAI_API_KEY"),
        (403, "no access", "refuses the key for m-large"),
        (402, "payment required", "has no credit for m-large .*top it up"),
        (429, "insufficient_quota", "has no credit for m-large"),
    ],
)
async def test_a_key_that_is_refused_at_the_first_call_is_found_by_the_check(endpoint, status, code, words):
    endpoint.refusal = (status, {}, code)
    with pytest.raises(EndpointUnusable, match=words) as caught:
        await check(endpoint.url, "m-large")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "code"), [(429, "busy"), (500, "oops"), (503, "loading"), (400, "too short")]
)
async def test_a_fault_of_the_first_call_that_may_pass_stops_nothing(endpoint, status, code):
    endpoint.refusal = (status, {}, code)
    await check(endpoint.url, "m-large")


async def test_a_first_answer_that_trickles_for_ever_stops_nothing(endpoint, monkeypatch):
    monkeypatch.setattr(openai_chat, "CHECK_TIMEOUT_S", 0.5)
    endpoint.streams_only, endpoint.pause_s, endpoint.text = True, 0.2, "and so on " * 100
    await asyncio.wait_for(check(endpoint.url, "m-large"), 10)


async def test_a_refused_key_is_reported(endpoint):
    endpoint.key = "another"
    with pytest.raises(EndpointUnusable, match="refuses the key; check OPENAI_API_KEY"):
        await check(endpoint.url, "m-large")


async def test_a_missing_model_name_is_reported_with_the_offered_ones(endpoint):
    with pytest.raises(EndpointUnusable, match="set MIND_MODEL; the endpoint offers: m-large, m-small"):
        await check(endpoint.url, "")


async def test_an_unknown_model_is_reported_and_an_unlisted_one_passes(endpoint):
    with pytest.raises(EndpointUnusable, match="no model 'm-huge'"):
        await check(endpoint.url, "m-huge")
    endpoint.hidden = ("m-alias",)
    await check(endpoint.url, "m-alias")


async def test_an_endpoint_that_lists_no_models_passes(endpoint):
    endpoint.lists = False
    await check(endpoint.url, "m-large")


async def test_an_address_that_lists_models_and_answers_no_question_does_not_pass(endpoint):
    endpoint.refusal = (404, {}, "not found")
    with pytest.raises(EndpointUnusable, match=r"answered 404 .* ends in /v1"):
        await check(endpoint.url, "m-large")


async def test_a_dead_endpoint_is_reported_in_one_line(unused_tcp_port):
    with pytest.raises(EndpointUnusable, match="no answer from the model endpoint") as caught:
        await check(f"http://127.0.0.1:{unused_tcp_port}/v1", "m-large")
    assert "\n" not in str(caught.value)


async def test_a_web_page_does_not_pass_as_an_endpoint():
    async def page(_):
        return web.Response(text="<html>hello</html>", content_type="text/html")

    app = web.Application()
    app.router.add_get("/v1/models", page)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        with pytest.raises(EndpointUnusable, match="is not an OpenAI-compatible endpoint"):
            await check(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", "m-large")
    finally:
        await runner.cleanup()


async def test_a_role_with_a_model_of_its_own_is_checked_too(endpoint):
    config = Config(
        OPENAI_BASE_URL=endpoint.url,
        MIND_MODEL="m-large",
        REFLEX_MODEL="m-tiny",
        OPENAI_API_KEY=SecretStr("k"),
    )
    chat = OpenAIChat.from_config(config)
    with pytest.raises(EndpointUnusable, match="m-tiny"):
        await chat.check()
    await chat.close()


async def test_no_message_holds_the_key(endpoint):
    endpoint.key = "another"
    chat = OpenAIChat(endpoint.url, SecretStr("my-secret-key"), "m-large")
    with pytest.raises(EndpointUnusable) as caught:
        await chat.check()
    assert "my-secret-key" not in str(caught.value) + repr(vars(chat))
    endpoint.key, endpoint.refusal = "my-secret-key", (401, {}, "Incorrect API key provided: my-secret-key")
    with pytest.raises(EndpointUnusable, match="provided: ") as caught:
        await chat.check()
    assert "my-secret-key" not in str(caught.value)
    await chat.close()


async def check(url, model):
    chat = OpenAIChat(url, SecretStr("k"), model)
    try:
        await chat.check()
    finally:
        await chat.close()


async def test_an_answer_that_ended_at_its_limit_says_so(chat, endpoint):
    assert not (await ask(chat)).is_cut
    endpoint.finish, endpoint.text = "length", None
    answer = await ask(chat)
    assert (answer.text, answer.is_cut) == ("", True)
    endpoint.text = "<think>the question is"
    assert (await ask(chat)).text == ""


@pytest.mark.parametrize(
    "told",
    [
        {"message": {"reasoning_content": "Hm."}},
        {"message": {"reasoning": "Hm."}},
        {"text": '<think>Hm.</think>{"a": "b"}'},
        {"details": {"reasoning_tokens": 5}},
    ],
    ids=["vllm", "ollama", "in the text", "openai"],
)
async def test_a_model_that_thinks_is_recognised(chat, endpoint, told):
    assert not (await ask(chat)).has_reasoned
    for name, value in told.items():
        setattr(endpoint, name, value)
    assert (await ask(chat)).has_reasoned


@pytest.mark.parametrize(("finish", "is_cut"), [("stop", False), ("length", True)])
async def test_an_endpoint_that_only_streams_is_read_as_any_other(chat, endpoint, finish, is_cut):
    endpoint.streams_only, endpoint.finish = True, finish
    answers = [await ask(chat), await ask(chat)]
    assert [(one.text, one.prompt_tokens, one.completion_tokens, one.is_cut) for one in answers] == [
        ('{"a": "b"}', 11, 7, is_cut)
    ] * 2
    assert [body.get("stream", False) for body in endpoint.bodies] == [False, True, True]


@pytest.mark.parametrize("streams", [False, True])
async def test_an_answer_that_never_ends_is_given_up(endpoint, chat, monkeypatch, streams):
    monkeypatch.setattr(answer_limits, "MOST_ANSWER_CHARS", 1_000)
    endpoint.text, endpoint.streams_only = "and so on " * 110, streams
    with pytest.raises(BrainUnavailable, match="its answer is longer than 1,000 characters") as given_up:
        await ask(chat)
    assert given_up.value.maybe_paid


async def test_no_more_of_an_answer_is_read_than_its_bounds_allow(monkeypatch):
    async def answer(request):
        response = web.StreamResponse()
        if request.path.endswith("packed"):
            response.enable_compression(web.ContentCoding.gzip)
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            for _ in range(200):
                await response.write(b"and so on " * 100)
        return response

    monkeypatch.setattr(answer_limits, "MOST_BODY_BYTES", 100_000)
    app = web.Application()
    app.router.add_get("/{name}", answer)
    async with test_utils.TestServer(app) as server, bounded_client(trust_env=False) as client:
        for name in ("plain", "packed"):
            with pytest.raises(AnswerTooLong, match="more than 100,000 bytes"):
                await client.get(str(server.make_url(f"/{name}")))


@asynccontextmanager
async def answering(handler):
    """An endpoint that answers every request in the same way: its address."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handler)
    async with test_utils.TestServer(app) as server:
        yield str(server.make_url("/v1"))


@each_case("status", [301, 302, 307, 308])
async def test_no_prompt_and_no_key_follow_a_redirect(status):
    asked = []

    async def elsewhere(request):
        asked.append(await request.text())
        return web.json_response({"choices": [{"message": {"content": "mine"}}]})

    async with answering(elsewhere) as other:

        async def sends_on(request):
            return web.Response(status=status, headers={"Location": f"{other}{request.path}"})

        async with answering(sends_on) as url:
            chat = OpenAIChat(url, SecretStr("k"), "m-large")
            with pytest.raises(BrainUnavailable, match=r"redirects to 127\.0\.0\.1, which is not followed"):
                await ask(chat)
            with pytest.raises(EndpointUnusable, match=r"redirects to .*; set OPENAI_BASE_URL"):
                await chat.check()
            await chat.close()
    assert asked == []


@pytest.mark.parametrize(
    "body",
    [
        b'{"choices": ' + b"[" * 100_000,
        b'{"choices": [{"message": {"content": "a"}}], "usage": ' + b'{"a":' * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'[["no", "object"]]',
        b"\xff\xfe",
        b'{"choices": [{"message": {"content": "a"}}' + b",{}" * 60_000 + b"]}",
    ],
    ids=["open", "usage", "nested", "list", "bytes", "many"],
)
@pytest.mark.parametrize("what", ["json", "stream"])
async def test_what_is_no_answer_is_an_outage_of_the_endpoint_whatever_its_form(body, what):
    async def answer(request):
        if what == "stream" and b'"stream"' not in await request.read():
            return web.json_response({"error": {"message": "stream only"}}, status=400)
        kind = "application/json" if what == "json" else "text/event-stream"
        return web.Response(body=body if what == "json" else b"data: " + body + b"\n\n", content_type=kind)

    async with answering(answer) as url:
        chat = OpenAIChat(url, SecretStr("k"), "m-large")
        with pytest.raises(BrainUnavailable):
            await ask(chat)
        await chat.close()


@pytest.mark.parametrize("streams", [False, True])
async def test_what_stands_around_an_answer_is_bounded_and_takes_little_memory(streams):
    padding = [{"a": [], "b": {}}] * 500_000

    async def answer(request):
        if streams and b'"stream"' not in await request.read():
            return web.json_response({"error": {"message": "stream only"}}, status=400)
        text = json.dumps({"choices": [{"message": {"content": "hello"}}], "x": padding})
        if not streams:
            return web.Response(text=text, content_type="application/json")
        return web.Response(text=f"data: {text}\n\n", content_type="text/event-stream")

    async with answering(answer) as url:
        chat = OpenAIChat(url, SecretStr("k"), "m-large")
        with pytest.raises(BrainUnavailable, match="more than"):
            await ask(chat)
        padding = padding[:15_000]
        if not streams:
            tracemalloc.start()
            assert (await ask(chat)).text == "hello"
            assert (
                tracemalloc.get_traced_memory()[1] < 10_000_000
            )  # objects of the SDK's classes take four times as much
            tracemalloc.stop()
        await chat.close()


@pytest.mark.parametrize("reported", [0, 3])
async def test_an_endpoint_that_reports_almost_no_tokens_lifts_no_ceiling(chat, endpoint, reported):
    endpoint.text, endpoint.counts = "word " * 400, {"prompt_tokens": reported, "completion_tokens": reported}
    answer = await ask(chat, user="u" * 4_000)
    assert (answer.prompt_tokens, answer.completion_tokens) == (1_001, 501)


def test_an_answer_may_have_any_number_of_brackets_in_its_text():
    body = json.dumps({"choices": [{"message": {"content": '{"[\\' * 90_000}}]}).encode()
    assert completion_of(body).text.count("{") == 90_000


def test_an_answer_whose_text_never_ends_is_refused_at_once():
    begun = time.process_time()
    with pytest.raises(AnswerTooLong):
        completion_of(b"{" * 60_000 + b'"' + b'\\"{' * 2_400_000)
    assert time.process_time() - begun < 2  # looked at anew from each quotation mark, it took minutes


@pytest.mark.parametrize(
    "made",
    [
        lambda: b"[" + b'"",' * 2_600_000 + b"{" * 50_001,
        lambda: b'"' * 7_900_000 + b"{" * 50_001,
        lambda: b"{" + b",".join(b'"%d":1' % n for n in range(700_000)) + b"}",
        lambda: b"[" + b"1e9," * 1_900_000 + b"1]",
    ],
    ids=["empty texts", "quotation marks", "keys", "numbers"],
)
def test_an_answer_of_millions_of_marks_is_refused_before_it_is_read(made):
    body = made()
    begun = time.process_time()
    with pytest.raises(AnswerTooLong, match="quotation marks, commas and brackets"):
        completion_of(body)
    assert time.process_time() - begun < 0.2


@pytest.mark.parametrize("mark", ['"', '",['])
def test_a_text_of_the_greatest_length_may_have_nothing_but_marks(mark):
    text = mark * (1_000_000 // len(mark))
    body = json.dumps({"choices": [{"message": {"content": text}}]}).encode()
    assert completion_of(body).text == text
