"""Requests made to break the server: each gets an answer that says what is wrong, and none is a fault of ours."""

import base64
import socket
from urllib.parse import quote

import pytest

pytestmark = pytest.mark.long  # the first search of the memory loads the embedding model
HALF = "\\ud800"
"""Half of a surrogate pair, as JSON carries it: no text that can be stored."""
HUGE = "1" + "0" * 30
MANY_WORDS = "+".join(f"w{number}" for number in range(800))

BODIES = [
    # the path, the body, a part of the message
    ("/jobs", f'{{"goal": "{HALF}"}}', "not valid Unicode"),
    ("/jobs", f'{{"goal": "x", "{HALF}": 1}}', ""),
    ("/jobs", f'{{"goal": "x", "stack": "{HALF}"}}', "not valid Unicode"),
    ("/jobs", f'{{"goal": "x", "include_hosts": ["{HALF}"]}}', "is not a host name"),
    ("/jobs", f'{{"goal": "x", "outline": "# {HALF}"}}', ""),
    ("/jobs", f'{{"goal": "x", "urls": ["http://a.example/{HALF}"]}}', "not valid Unicode"),
    ("/jobs", f'{{"goal": "x", "columns": [{{"name": "{HALF}"}}]}}', ""),
    ("/jobs", f'{{"goal": "x", "from_job": "{HALF}"}}', ""),
    ("/jobs", f'{{"goal": "x", "notify": ["mailtos://{HALF}"]}}', ""),
    ("/jobs", '{"goal": "x", "notify": ["https://["]}', "malformed"),
    ("/jobs", '{"goal": "x", "max_usd": Infinity}', "max_usd"),
    ("/jobs", '{"goal": "x", "max_usd": NaN}', "max_usd"),
    ("/jobs", '{"goal": "x", "max_usd": 1e300}', "max_usd"),
    ("/jobs", '{"goal": "x", "timeout_seconds": Infinity}', ""),
    ("/jobs", f'{{"goal": "x", "max_tokens": {HUGE}}}', "max_tokens"),
    ("/jobs", f'{{"goal": "x", "max_tokens": {"9" * 5_000}}}', ""),
    ("/jobs", "[" * 9_000, ""),
    ("/jobs", '{"goal":' * 1_000, ""),
    ("/jobs", '{"goal": "x", "columns": [{"name": ""}]}', "the columns"),
    ("/jobs", '{"goal": "x", "columns": [{"name": "a"}, {"name": "A"}]}', "given twice"),
    ("/jobs", '{"goal": "x", "columns": [{"name": "a", "type": "choice"}]}', "different choices"),
    ("/jobs", '{"goal": "x", "columns": [{"name": "a\\u0000b"}]}', "control characters"),
    ("/jobs", '{"goal": "x", "columns": [' + ",".join(f'{{"name": "c{n}"}}' for n in range(17)) + "]}", "at most 16"),
    ("/internet.research", f'{{"goal": "x", "turn_dir_path": "{HALF}"}}', "turn_dir_path"),
    ("/internet.research", '{"goal": "x", "turn_dir_path": "one/../../../etc"}', "turn_dir_path"),
    ("/internet.research", '{"goal": "x", "turn_dir_path": "a\\u0000b"}', "turn_dir_path"),
    ("/batches", '{"format": "jsonl", "table": "{\\"topic\\": \\"\\\\ud800\\"}"}', "surrogate"),
    ("/batches", '{"format": "jsonl", "table": "{\\"\\\\ud800\\": \\"a\\"}", "template": "{a}"}', "name of a field"),
    ("/batches", '{"format": "jsonl", "table": "{\\"topic\\": \\"a\\\\u0000\\"}"}', "NUL"),
    ("/batches", f'{{"rows": [{{"topic": "{HALF}"}}]}}', "surrogate"),
    ("/batches", f'{{"rows": [{{"topic": "a"}}], "name": "{HALF}"}}', "not valid Unicode"),
    ("/batches", '{"rows": [{"topic": "a"}], "max_usd": Infinity}', "max_usd"),
    ("/batches", f'{{"rows": [{{"topic": "a"}}], "max_tokens": {HUGE}}}', "max_tokens"),
    ("/batches", '{"rows": [{"topic": "' + "é" * 1_900 + '"}], "template": "' + "é" * 200 + ' {topic}"}', "bytes"),
    ("/watches", f'{{"query": "{HALF}", "name": "x"}}', ""),
    ("/watches", f'{{"urls": ["http://a.example/"], "name": "{HALF}"}}', ""),
    ("/watches", f'{{"query": "x", "region": "{HALF}"}}', ""),
    ("/watches", f'{{"query": "x", "vendors": ["{HALF}"]}}', ""),
    ("/watches", '{"query": "x", "below": "1e999"}', ""),
    ("/watches", '{"query": "x", "drop": "nan%"}', ""),
    ("/watches", '{"query": "x", "every": "999999999999999999999d"}', ""),
    ("/watches", '{"query": "x", "jitter": "infh"}', ""),
    ("/watches", '{"query": "x", "cron": "* * * * *", "timezone": "../../etc/passwd"}', ""),
    ("/watches", '{"query": "x", "notify": ["https://["]}', ""),
    ("/jobs/x/review", f'{{"kind": "reject", "text": "{HALF}"}}', "no job"),
    ("/interventions/x/done", f'{{"cookies": [{{"name": "{HALF}", "value": "", "domain": "a"}}]}}', ""),
    ("/interventions/x/done", '{"cookies": [{"name": "a", "value": "b\\r\\nX: 1", "domain": "a"}]}', ""),
    ("/interventions/x/done", '{"cookies": [{"name": "a", "value": "b", "domain": "a", "expires": NaN}]}', ""),
]  # fmt: skip
READS = [
    f"/jobs?after={base64.urlsafe_b64encode(b'0001-01-01 a').decode()}",
    f"/jobs?after={base64.urlsafe_b64encode(b'9999-12-31T23:59:59-23:59 a').decode()}",
    f"/jobs?after={base64.urlsafe_b64encode(chr(0).encode()).decode()}",
    "/jobs?after=%ff%ed%a0%80",
    f"/jobs?limit={HUGE}",
    *(f"/{noun}/{name}" for noun in ("jobs", "watches", "batches", "interventions")
      for name in ("%00", "%ff", "..%2f..%2fetc%2fpasswd", "%ed%a0%80", "a" * 5_000, "%F0%9F%92%A9", "'%20or%201=1")),
    f"/batches/x/rows?after={HUGE}",
    "/batches/x/rows?state=nonsense",
    "/batches/x/result?form=../csv",
    f"/memory/search?q={MANY_WORDS}",
    f"/memory/search?q={MANY_WORDS}{MANY_WORDS}",
    "/memory/search?q=%25%27%22%28%2A%20NEAR%20%00",
    "/memory/search?q=x&since=%00&host=%00",
    "/memory/search?q=x&host=[",
    "/memory/search?q=%00",
    "/prices?since=0001-01-01",
    "/prices?since=9999-12-31",
    f"/prices?rows={HUGE}",
    "/prices/export?watch=%00",
    "/interventions/x/picture",
    "/jobs/%00/events",
    "/watches/x/runs/%00",
]  # fmt: skip


async def test_no_request_makes_the_server_fail(served):
    failed, unclear = [], []
    for path, body, words in BODIES:
        answer = await served.client.post(path, content=body, headers={"Content-Type": "application/json"})
        if answer.status_code >= 500:
            failed.append((path, body[:80], answer.text[:80]))
        elif answer.status_code < 400 or words not in answer.json()["error"]["message"]:
            unclear.append((path, body[:80], answer.status_code, answer.text[:200]))
    for path in READS:
        answer = await served.client.get(path)
        if answer.status_code >= 500:
            failed.append((path[:80], "", answer.text[:80]))
    assert (failed, unclear) == ([], [])
    assert (await served.get("/health"))["status"] == "ok"
    assert (await served.get("/jobs"))["jobs"] == []
    assert await served.get("/batches") == []
    assert await served.get("/watches") == []


@pytest.mark.parametrize(
    "name", ["Origin", "Authorization", "Host", "Idempotency-Key", "Last-Event-ID", "Cookie"]
)
async def test_no_header_makes_the_server_fail(served, name):
    url = served.client.base_url
    for value in (
        "http://[",
        "[",
        "\xb2",
        "\xff\xfe",
        "null",
        "a" * 9_000,
        "=;=;" * 500,
        "http://[::1]:99999999",
    ):
        headers = {"Host": f"{url.host}:{url.port}", "Authorization": served.client.headers["Authorization"]}
        lines = "".join(f"{key}: {text}\r\n" for key, text in (headers | {name: value}).items())
        for target in ("/jobs", "/ui/jobs", "/mcp", "/jobs/x/events"):
            request = f"GET {quote(target)} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n"
            with socket.create_connection((url.host, url.port)) as connection:
                connection.setblocking(False)
                status = await _status(connection, request.encode("latin-1"))
            assert 200 <= status < 500, (name, value[:20], target, status)


async def _status(connection: socket.socket, request: bytes) -> int:
    import asyncio

    loop = asyncio.get_running_loop()
    await loop.sock_sendall(connection, request)
    return int((await loop.sock_recv(connection, 200)).split(b" ", 2)[1])
