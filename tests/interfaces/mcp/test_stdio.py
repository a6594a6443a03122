"""`research mcp` and `research up --serve` as processes, driven by a real client in both protocol eras."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.cli.conftest import COMMAND, new_research, research, web, web_settings  # noqa: F401  # fixtures
from tests.interfaces.mcp.conftest import ERAS, called

pytestmark = pytest.mark.long
GOAL = "What is the best hand coffee grinder for travel?"
FINAL = ("completed", "failed", "cancelled")
HANDSHAKE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}


def server_of(command, *options) -> StdioServerParameters:
    where = command.where()
    return StdioServerParameters(
        command=sys.executable, args=[*COMMAND[1:], "mcp", *options], env=dict(where["env"]), cwd=where["cwd"]
    )


async def ended(client, task_id, within_s=100):
    """Poll the status until the end, and return all answers."""
    seen, give_up_at = [], time.monotonic() + within_s
    while time.monotonic() < give_up_at:
        result = await client.call_tool("get_research_status", {"task_id": task_id})
        if result.is_error:  # the machine is busy
            assert "call this tool again" in result.content[0].text
        else:
            seen.append(result.structured_content)
            if seen[-1]["status"] in FINAL:
                return seen
        await asyncio.sleep(0.3)
    raise AssertionError(f"{task_id} has not ended: {seen[-1:]}")


def processes_of(home: Path) -> list[str]:
    """The command lines of the processes that work on this data folder."""
    found, setting = [], f"RESEARCH_HOME={home}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if setting in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_text().replace("\0", " "))
    return [line for line in found if line]  # those that have ended and wait for their parent have none


def gone(home: Path, within_s: float = 30.0) -> bool:
    give_up_at = time.monotonic() + within_s
    while processes_of(home):
        if time.monotonic() > give_up_at:
            return False
        time.sleep(0.3)
    return True


async def test_a_client_starts_the_system_follows_a_job_to_its_report_and_leaves_nothing_behind(research):  # noqa: F811
    async with Client(server_of(research), mode="legacy") as client:
        started = await called(
            client, "start_deep_research", topic=GOAL, max_searches=2, save_to_file="grinder"
        )
        seen = await ended(client, started["task_id"])
        assert seen[0]["status"] == "pending"
        assert "waits for the research system to start" in seen[0]["waits_for"]
        assert seen[-1]["status"] == "completed"
        for name in ("current_step", "total_steps", "fraction"):
            shown = [status["progress"][name] for status in seen]
            assert shown == sorted(shown)
        assert seen[-1]["partial_results"]
        result = await called(client, "get_research_result", task_id=started["task_id"])
        assert "Velmar Pocket" in result["report"]
        assert all(source["url"] in result["report"] for source in result["sources"])
        assert Path(result["file_path"]).name == "grinder.md"
    assert gone(research.home)
    assert research("result", started["task_id"]).code == 0


async def test_a_client_of_the_new_era_joins_a_running_system_also_over_http(research):  # noqa: F811
    with (
        research.anew()
        .having(RESEARCH_SERVE_TOKEN="a-token-of-this-test")
        .running("up", "--serve", "--port", "0") as system
    ):
        url = system.until("serving").split("serving ")[1].split()[0]
        async with Client(server_of(research), mode=ERAS[1]) as client:
            started = await called(client, "start_deep_research", topic=GOAL, max_searches=1)
            assert not any("--until-eof" in line for line in processes_of(research.home))
            headers = {"Authorization": "Bearer a-token-of-this-test"}
            async with httpx2.AsyncClient(headers=headers) as http:
                for era in ERAS:
                    async with Client(
                        streamable_http_client(f"{url}/mcp", http_client=http), mode=era
                    ) as remote:
                        seen = await ended(remote, started["task_id"])
            assert seen[-1]["status"] == "completed"
            long = await called(client, "start_deep_research", topic="Which tents are light?")
            begun = time.monotonic()
            assert (await called(client, "cancel_research", task_id=long["task_id"]))["status"] == "cancelled"
            assert time.monotonic() - begun < 20
        async with httpx2.AsyncClient() as http:
            assert (await http.post(f"{url}/mcp", json=HANDSHAKE)).status_code == 401


def test_stdout_has_protocol_only_and_a_job_goes_on_after_the_server_was_killed(research):  # noqa: F811
    where = research.where()

    def conversation(process, *messages):
        """Send messages, and return the answers to those that have an id."""
        answers = []
        for message in messages:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            process.stdin.flush()
            while "id" in message:
                line = json.loads(process.stdout.readline())
                assert line["jsonrpc"] == "2.0"
                if line.get("id") == message["id"]:
                    answers.append(line["result"])
                    break
        return answers

    def started():
        return subprocess.Popen(
            [*COMMAND, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **where
        )  # fmt: skip

    initialized = {"method": "notifications/initialized"}
    handshake = {name: value for name, value in HANDSHAKE.items() if name != "jsonrpc"}

    def call(number, tool, **arguments):
        return {"id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}

    with started() as process:
        process.stdin.write("this is no JSON\n")
        _, answer = conversation(
            process, handshake, initialized, call(2, "start_deep_research", topic=GOAL, max_searches=2)
        )
        task_id = answer["structuredContent"]["task_id"]
        give_up_at = time.monotonic() + 60
        while time.monotonic() < give_up_at:
            [answer] = conversation(process, call(3, "get_research_status", task_id=task_id))
            if answer["structuredContent"]["state"] == "executing":
                break
            time.sleep(0.2)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert gone(research.home)  # the companion ends by itself when the server is killed
    with started() as process:
        conversation(process, handshake, initialized)
        give_up_at = time.monotonic() + 100
        status = {}
        while time.monotonic() < give_up_at and status.get("status") not in FINAL:
            [answer] = conversation(process, call(4, "get_research_status", task_id=task_id))
            assert not answer["isError"] or "still starting" in answer["content"][0]["text"]
            status = answer.get("structuredContent", {})
            time.sleep(0.3)
        assert status["status"] == "completed"
        process.send_signal(signal.SIGTERM)  # while the client keeps standard input open
        assert process.wait(30) == 130
        assert process.stdout.read() == ""
    assert gone(research.home)
    assert os.path.exists(research.home / "jobs" / task_id / "report.md")  # noqa: PTH110
