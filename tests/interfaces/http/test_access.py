"""Who may call the server, and what the others get."""

import asyncio
import stat

import httpx
import pytest

from research_crawler.core.config import Config
from research_crawler.core.errors import ConfigError
from research_crawler.interfaces.http.http_app import ResearchApi
from research_crawler.services.server_token import TOKEN_FILE, token_of
from tests.interfaces.http.conftest import TOKEN

REFUSED = {"error": {"code": "unauthorized", "message": "a valid bearer token is needed"}}


async def test_without_the_token_in_the_header_everything_but_health_and_docs_is_refused(served):
    client = served.client
    for header in ("", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", f"Bearer x{TOKEN}"):
        for path in ("/jobs", "/metrics", "/watches", "/nowhere", "/jobs/x/events", "/mcp"):
            answer = await client.get(path, headers={"Authorization": header})
            assert (answer.status_code, answer.json()) == (401, REFUSED)
            assert answer.headers["www-authenticate"] == "Bearer"
    for query in (f"token={TOKEN}", f"access_token={TOKEN}"):
        assert (await client.get(f"/jobs?{query}")).json() == REFUSED
        assert (await client.get(f"/jobs?{query}", headers={"Authorization": ""})).json() == REFUSED
    for path in ("/health", "/docs", "/openapi.json"):
        assert (await client.get(path, headers={"Authorization": ""})).status_code == 200
    assert (await client.get("/jobs", headers={"Authorization": f"bearer {TOKEN}"})).status_code == 200


async def test_a_request_under_another_name_or_from_another_origin_is_refused(served):
    client = served.client
    for host in (
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "a b",
        "",
    ):
        answer = await client.get("/health", headers={"Host": host})
        assert answer.status_code in (400, 421), host
    for host in ("localhost", "LOCALHOST:99", "127.0.0.1:1", "[::1]:80", "research.example", "10.0.0.7"):
        assert (await client.get("/health", headers={"Host": host})).status_code == 200, host
    evil = await client.get("/jobs", headers={"Origin": "http://evil.example"})
    assert evil.json()["error"]["code"] == "forbidden"
    assert not [name for name in evil.headers if name.startswith("access-control")]
    preflight = await client.options(
        "/jobs", headers={"Origin": "null", "Access-Control-Request-Method": "POST"}
    )
    assert preflight.status_code == 403
    own = str(client.base_url).rstrip("/")
    assert (await client.get("/jobs", headers={"Origin": own})).status_code == 200


async def test_every_error_has_one_shape_and_words_to_act_on(served):
    client = served.client
    wrong = [
        ("GET", "/jobs/nosuchjob", None, 404, "there is no job 'nosuchjob'"),
        ("GET", "/jobs/nosuchjob/events", None, 404, "there is no job 'nosuchjob'"),
        ("POST", "/jobs/nosuchjob/cancel", None, 404, "there is no job 'nosuchjob'"),
        ("GET", "/watches/none", None, 404, "there is no watch 'none'"),
        ("GET", "/nowhere", None, 404, "there is no such address; GET /docs lists them"),
        ("PUT", "/jobs", None, 405, "this address does not take that method; GET /docs lists them"),
        ("POST", "/jobs", b"{", 422, "the body: is not valid JSON"),
        ("POST", "/jobs", b'{"goal": 1}', 422, "goal: input should be a valid string"),
        ("POST", "/jobs", b'{"gaol": "x"}', 422, "gaol: there is no such field; GET /docs lists the fields"),
        ("POST", "/jobs", b'{"goal": " "}', 422, "the goal is empty"),
        ("POST", "/jobs", b'{"goal": "x", "strategy": "y"}', 422, "'y' is not a strategy; choose one of"),
        ("POST", "/jobs", b'{"goal": "x", "region": "Oz"}', 422, "Oz"),
        ("POST", "/jobs", b'{"goal": "x", "max_visits": 900}', 422, "max_visits: input should be less"),
        ("GET", "/jobs?limit=0", None, 422, "limit: input should be greater"),
        ("GET", "/jobs?after=x", None, 422, "`after` is not from a page of jobs"),
        ("POST", "/watches", b"{}", 422, ""),
        ("POST", "/watches", b'{"query": "x", "every": "1s"}', 422, ""),
    ]
    for method, path, body, status, words in wrong:
        answer = await client.request(
            method, path, content=body, headers={"Content-Type": "application/json"}
        )
        error = answer.json()["error"]
        assert answer.status_code == status, (path, body, answer.text)
        assert words in error["message"], error
        assert error["code"].isidentifier()
        assert "\n" not in error["message"]


async def test_a_body_over_the_limit_is_refused_announced_or_not(served):
    large = b'{"goal": "' + b"x" * 30_000 + b'"}'

    async def in_parts():
        for start in range(0, len(large), 1_000):
            yield large[start : start + 1_000]

    for content in (large, in_parts()):
        answer = await served.client.post(
            "/jobs", content=content, headers={"Content-Type": "application/json"}
        )
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    assert (await served.get("/jobs"))["jobs"] == []


def test_the_token_is_made_once_and_only_its_owner_can_read_it(tmp_path):
    config = Config(home=tmp_path / "home")
    token, place = token_of(config)
    assert (token, place) == token_of(config)
    assert len(token) > 40
    assert stat.S_IMODE((tmp_path / "home" / TOKEN_FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "research.example"])
def test_other_machines_are_let_in_only_with_a_token_that_somebody_chose(tmp_path, host):
    with pytest.raises(ConfigError, match="RESEARCH_SERVE_TOKEN"):
        token_of(Config(home=tmp_path, serve_host=host))
    assert token_of(Config(home=tmp_path, serve_host=host, serve_token=TOKEN))[0] == TOKEN
    with pytest.raises(ConfigError, match="16 or more"):
        token_of(Config(home=tmp_path, serve_host=host, serve_token="short"))


async def test_the_pages_of_the_server_load_nothing_from_elsewhere(served):
    page = await served.client.get("/docs")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<script" not in page.text
    assert "//" not in page.text.replace('href="/', "").partition("<main>")[0]
    paths = (await served.get("/openapi.json"))["paths"]
    assert {"/jobs", "/jobs/{job_id}/events", "/internet.research", "/watches", "/prices", "/metrics"} <= set(
        paths
    )
    assert all(path in page.text for path in paths)
    assert isinstance(served.client, httpx.AsyncClient)


async def test_a_request_with_two_ways_to_tell_its_length_is_refused(served):
    reader, writer = await asyncio.open_connection("127.0.0.1", served.client.base_url.port)
    writer.write(
        b"POST /jobs HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer " + TOKEN.encode() + b"\r\n"
        b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nhost: a\r\n\r\n"
    )
    answer = await asyncio.wait_for(reader.read(), 20)  # the connection ends: nothing behind it is a request
    assert answer.startswith(b"HTTP/1.1 400") and answer.count(b"HTTP/1.1") == 1
    writer.close()


async def test_what_strangers_may_read_of_the_interface_is_made_once(served, monkeypatch):
    made = []
    document = ResearchApi.openapi
    monkeypatch.setattr(ResearchApi, "openapi", lambda app: made.append(app) or document(app))
    for path in ("/openapi.json", "/docs") * 3:
        answer = await served.client.get(path, headers={"Authorization": ""})
        assert answer.status_code == 200 and "/jobs" in answer.text
    assert len(made) == 2
    assert (await served.client.get("/openapi.json")).json()["paths"]["/jobs"]
