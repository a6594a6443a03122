"""Tests of the demo web in a separate process."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable

import pytest

from research_crawler.core.errors import NotStarted
from research_crawler.demo.demo_server import free_port
from research_crawler.demo.hazards import WebOptions
from research_crawler.demo.process import local_load_process, local_web_process


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(holds: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


def test_it_serves_logs_and_ends_with_the_block() -> None:
    with local_web_process() as web:
        with urllib.request.urlopen(web.hosts["lore"] + "/marrowby") as response:
            assert b"Marrowby" in response.read()
        assert [entry.path for entry in web.log()] == ["/marrowby"]
        web.clear_log()
        assert web.log() == []
        assert "redirect_loop" in web.hazards
    assert not alive(web.pid)


def test_a_port_can_be_chosen() -> None:
    port = free_port(["127.0.20.1"])
    with local_web_process(WebOptions(port=port)) as web:
        assert web.port == port
        assert web.search == f"http://127.0.20.1:{port}"


def test_a_process_that_cannot_start_raises_not_started(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.20.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(NotStarted, match="did not start"), local_web_process(WebOptions(port=port)):
            pass
    assert "address already in use" in capfd.readouterr().err


def test_it_ends_at_a_signal() -> None:
    command = [sys.executable, "-m", "research_crawler.demo", "--latency-ms", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        ready = json.loads(process.stdout.readline())
        assert {"search", "port", "hosts", "hazards"} == ready.keys()
        process.send_signal(signal.SIGTERM)
        assert process.wait(5) == 0


@pytest.mark.long
def test_it_ends_when_its_parent_is_killed() -> None:
    parent = (
        "import sys, time\n"
        "from research_crawler.demo.process import local_web_process\n"
        "with local_web_process() as web:\n"
        "    print(web.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True) as process:
        pid = int(process.stdout.readline())
        process.kill()
    assert wait_until(lambda: not alive(pid))


def test_the_load_site_counts_every_request() -> None:
    with local_load_process(hosts=3, latency_ms=1) as load:
        for number, base in enumerate(load.hosts):
            with urllib.request.urlopen(f"{base}/p/{number}") as response:
                page = response.read()
            assert 4_000 < len(page) < 8_000
            assert f"Entry {number}<".encode() in page
        columns = load.log()
        assert [log["path"] for log in columns.values()] == [["/p/0"], ["/p/1"], ["/p/2"]]
        assert all(log["end_ms"][0] - log["start_ms"][0] >= 1 for log in columns.values())
        load.clear_log()
        assert all(not log["path"] for log in load.log().values())
    assert not alive(load.pid)
