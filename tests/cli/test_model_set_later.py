"""A model that is set while research runs: new jobs use it at once, and those under way keep theirs."""

import contextlib
import re
import stat
import time

import httpx
import pytest

from tests.cli.scripted_endpoint import scripted_endpoint
from tests.cli.test_model_calls import calls_of
from tests.cli.test_serve import client_of

GOAL = "How do I descale the Brunholt Corva?"
KEY = "sk-kept-for-the-user"

pytestmark = pytest.mark.long


def signed_in(client: httpx.Client, home) -> tuple[httpx.Client, str]:
    """A browser's session, and the key of its forms."""
    browser = httpx.Client(base_url=client.base_url, timeout=20)
    browser.post("/ui/sign-in", data={"token": (home / "serve.token").read_text().strip()})
    return browser, re.search(r'name="form_key" value="([^"]+)"', browser.get("/ui/model").text)[1]


def run_job(client: httpx.Client, goal: str = GOAL) -> None:
    """Submit a job, and wait for its report."""
    job = client.post("/jobs", json={"goal": goal, "depth": "quick"}).raise_for_status().json()["task_id"]
    give_up_at = time.monotonic() + 90
    while time.monotonic() < give_up_at:
        if client.get(f"/jobs/{job}").json()["status"] == "completed":
            return
        time.sleep(0.2)
    raise AssertionError(f"job {job} has not ended")


def asked_roles(endpoint: str) -> set[str]:
    """What the model was asked for: by the planner, and by the crawler for the pages."""
    return {call["role"] for call in calls_of(endpoint.removesuffix("/v1"))}


def set_model(client: httpx.Client, home, address: str) -> None:
    browser, form_key = signed_in(client, home)
    with contextlib.closing(browser):
        said = browser.post(
            "/ui/model", data={"form_key": form_key, "address": address, "model": "scripted", "key": KEY}
        )
    assert said.status_code == 200 and "New jobs use scripted." in said.text, said.text
    assert KEY not in said.text


@pytest.mark.timeout(200)
def test_a_model_that_is_set_from_the_page_is_used_by_the_next_job_without_a_restart(research):
    ours = research.anew()
    with contextlib.ExitStack() as stack:
        endpoint = stack.enter_context(scripted_endpoint())
        running = stack.enter_context(ours.running("up", "--serve", "--port", "0"))
        client = stack.enter_context(client_of(running, ours.home))
        run_job(client)
        set_model(client, ours.home, endpoint)
        assert stat.S_IMODE((ours.home / "config.toml").stat().st_mode) == 0o600
        run_job(client, "How do I clean the Brunholt Corva?")
        assert {"planner", "extractor"} <= asked_roles(endpoint)


@pytest.mark.timeout(200)
def test_a_planner_and_a_crawler_of_other_processes_use_a_model_that_the_server_was_given(research):
    ours = research.anew()
    with contextlib.ExitStack() as stack:
        endpoint = stack.enter_context(scripted_endpoint())
        running = stack.enter_context(ours.running("serve", "--port", "0"))
        for command, up in (("plan", "planner worker is up"), ("crawl", "crawler node is up")):
            stack.enter_context(ours.running(command)).until(up)
        client = stack.enter_context(client_of(running, ours.home))
        run_job(client)
        set_model(client, ours.home, endpoint)
        run_job(client, "How do I clean the Brunholt Corva?")
        assert {"planner", "extractor"} <= asked_roles(endpoint)
