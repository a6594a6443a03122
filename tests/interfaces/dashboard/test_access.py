"""Who sees a page of the dashboard, what each page forbids, and whose forms are taken."""

import hashlib
import re
import sys
import time
from contextlib import closing
from pathlib import Path

import httpx
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import PackageLoader

from research_crawler.core.config import Config
from research_crawler.interfaces.dashboard import page_templates
from research_crawler.interfaces.dashboard.sessions import CODE_LASTS_S, Sessions, SignInCode
from research_crawler.interfaces.http import listening as listening_module
from research_crawler.interfaces.http.listening import Listening, bound_socket
from tests.interfaces.dashboard.conftest import fields_of
from tests.interfaces.http.conftest import TOKEN

PAGES = ("/jobs", "/batches", "/watches", "/memory", "/jobs/nosuchjob", "/nowhere")


async def test_nobody_sees_a_page_without_the_token_and_a_cookie_never_holds_it(served):
    async with httpx.AsyncClient(base_url=served.client.base_url, verify=False) as client:
        for path in ("", *PAGES):
            answer = await client.get(f"/ui{path}", follow_redirects=True)
            assert answer.url.path == "/ui/sign-in"
        for path in ("/jobs/x/cancel", "/sign-out", "/jobs/x/events"):
            assert (await client.post(f"/ui{path}")).headers["location"] == "/ui/sign-in"
        wrong = await client.post("/ui/sign-in", data={"token": "wrong"})
        assert (wrong.status_code, wrong.headers.get("set-cookie")) == (401, None)
        assert (await client.get(f"/ui/sign-in?token={TOKEN}")).status_code == 401
        right = await client.post("/ui/sign-in", data={"token": f" {TOKEN}\n"})
        cookie = right.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert "Path=/ui" in cookie
        assert TOKEN not in cookie
        assert (await client.get("/ui/jobs")).status_code == 200
        assert (await client.get("/jobs")).status_code == 401  # a cookie opens the pages, and nothing else
        cross = await client.post("/ui/sign-out", headers={"Origin": "http://evil.example"})
        assert cross.status_code == 403


async def test_every_page_forbids_scripts_and_frames_of_others_and_shows_no_token(visitor):
    for path in (*PAGES, "/sign-in", "/static/dashboard.css", "/static/report.js", "/static/live.js"):
        answer = await visitor.client.get(f"/ui{path}")
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self';")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert TOKEN not in answer.text
        assert "style=" not in answer.text
        assert "://" not in answer.text


async def test_a_browser_fetches_a_static_file_once_and_anew_when_it_has_changed(visitor):
    named = re.findall(r'(?:href|src)="/ui(/static/[^"]+)"', await visitor.page("/watches"))
    assert len(named) > 1
    for path in named:
        assert "immutable" in (await visitor.client.get(f"/ui{path}")).headers["cache-control"]
        body = (await visitor.client.get(f"/ui{path}")).content
        assert hashlib.sha256(body).hexdigest().startswith(path.partition("?v=")[2])
    for path in ("/static/dashboard.css", "/static/none.js?v=1", "/jobs?v=1"):
        assert (await visitor.client.get(f"/ui{path}")).headers["cache-control"] == "no-store"


async def test_what_is_not_there_is_a_page_that_says_so(visitor):
    for path in ("/nowhere", "/jobs/nosuchjob", "/jobs/nosuchjob/report", "/jobs/nosuchjob/evidence/E1",
                 "/jobs/nosuchjob/state", "/jobs/nosuchjob/review", "/batches/none", "/watches/none",
                 "/static/none.js", "/%2e%2e/jobs"):  # fmt: skip
        assert "<h1>Not found</h1>" in await visitor.page(path, 404)
    assert "<h1>This did not work</h1>" in await visitor.page("/jobs?after=nonsense", 422)
    await visitor.page("/jobs?limit=many", 422)


async def test_a_form_of_another_session_or_of_none_changes_nothing(visitor):
    job = (await visitor.served.post("/jobs", {"goal": "How do heat pumps work?"}))["task_id"]
    path = f"/ui/jobs/{job}/cancel"
    other = Sessions(TOKEN)
    for form in ({}, {"form_key": ""}, {"form_key": "x"}, {"form_key": other.form_key(other.new())}):
        assert (await visitor.client.post(path, data=form)).status_code == 403
    raw = {"Content-Type": "application/x-www-form-urlencoded"}
    assert (await visitor.client.post(path, content=b"form_key=\xff", headers=raw)).status_code == 400
    assert (await visitor.client.post(path, content=b"a=b&" * 501, headers=raw)).status_code == 400
    assert (await visitor.client.post(path, content=b"x" * 20_001)).status_code == 413
    assert (await visitor.served.get(f"/jobs/{job}"))["state"] == "pending"
    await visitor.send(f"/jobs/{job}/cancel")
    assert (await visitor.served.get(f"/jobs/{job}"))["state"] == "cancelled"


async def test_who_signs_out_must_sign_in_again(visitor):
    answer = await visitor.send("/sign-out")
    assert answer.headers["location"] == "/ui/sign-in"
    assert (await visitor.client.get("/ui/jobs")).status_code == 303
    assert "token" in fields_of(await visitor.page("/sign-in"))


@given(st.text(max_size=60) | st.from_regex(r"[0-9]{1,12}\.[0-9a-f]{0,4}\.[0-9a-f]{0,4}", fullmatch=True))
def test_a_cookie_that_is_not_ours_is_no_session(cookie):
    sessions = Sessions(TOKEN)
    assert not sessions.knows(cookie)
    assert not Sessions("another-token-of-a-server").knows(sessions.new())
    assert sessions.knows(sessions.new())
    assert sessions.cookie.isidentifier()


async def test_who_signs_in_to_two_servers_of_one_machine_stays_signed_in_to_both(served):
    other = Sessions("another-token-of-a-server")
    async with httpx.AsyncClient(base_url=served.client.base_url, verify=False) as client:
        await client.post("/ui/sign-in", data={"token": TOKEN})
        client.cookies.set(other.cookie, other.new(), domain=client.base_url.host, path="/ui")
        assert (await client.get("/ui/jobs")).status_code == 200


async def test_the_sign_in_line_of_the_terminal_signs_one_person_in_once(served, monkeypatch):
    code = SignInCode()
    monkeypatch.setattr(Sessions, "takes_code", lambda _, given: code.takes(given))
    async with httpx.AsyncClient(base_url=served.client.base_url, verify=False) as client:
        wrong = await client.get("/ui/sign-in?code=wrong")
        assert (wrong.status_code, wrong.headers.get("set-cookie")) == (200, None)
        right = await client.get(f"/ui/sign-in?code={code.text}")
        assert (right.status_code, right.headers["location"]) == (303, "/ui/")
        assert code.text not in right.headers["set-cookie"]
        assert (await client.get("/ui/jobs")).status_code == 200
        again = await client.get(f"/ui/sign-in?code={code.text}")
        assert (again.status_code, again.headers.get("set-cookie")) == (200, None)
        assert "has been used" in again.text
        assert "has been used" not in (await client.get("/ui/sign-in")).text


def test_the_code_of_the_terminal_ends_after_its_time_and_without_one_none_is_taken(monkeypatch):
    code, now = SignInCode(), time.monotonic()
    assert not Sessions(TOKEN).takes_code(code.text)
    assert not Sessions(TOKEN, code).takes_code("")
    monkeypatch.setattr(time, "monotonic", lambda: now + CODE_LASTS_S + 1)
    assert not Sessions(TOKEN, code).takes_code(code.text)


def test_only_a_terminal_is_shown_a_sign_in_line_and_only_of_a_server_of_this_machine(tmp_path, monkeypatch):
    on_this_machine = bound_socket(Config(home=tmp_path, serve_port=0))
    monkeypatch.setattr(listening_module, "bound_socket", lambda _: on_this_machine.dup())
    for host, is_terminal, is_shown in (
        ("127.0.0.1", True, True),
        ("127.0.0.1", False, False),
        ("0.0.0.0", True, False),
    ):
        monkeypatch.setattr(sys.stderr, "isatty", lambda shown=is_terminal: shown, raising=False)
        config = Config(home=tmp_path, serve_host=host, serve_port=0, serve_token=TOKEN)
        listening = Listening.prepared(config)
        with closing(listening.socket):
            assert ("/ui/sign-in?code=" in listening.sign_in_line) is is_shown
    on_this_machine.close()


async def test_templates_that_change_on_the_disk_change_no_page_of_a_running_server(visitor, monkeypatch):
    read_text = Path.read_text

    def upgraded(path, *given, **named):
        text = read_text(path, *given, **named)
        return "{{ newer }}" if "templates" in path.parts else text

    monkeypatch.setattr(Path, "read_text", upgraded)
    monkeypatch.setattr(PackageLoader, "get_source", lambda *_: ("{{ newer }}", None, lambda: False))
    page_templates._templates.cache_clear()
    assert "<h1>" in await visitor.page("/jobs")
