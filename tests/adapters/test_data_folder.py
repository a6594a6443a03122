import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from research_crawler.adapters.data_folder import DataFolder
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import NotStarted, RedisUnusable

PROGRAM = Path(__file__).with_name("folder_process.py")
PROJECT = Path(__file__).parents[2]


@asynccontextmanager
async def opened(home: Path, **options):
    folder = DataFolder(load_core_config(home=home, **options))
    await folder.open()
    try:
        yield folder
    finally:
        await folder.close()


class Process:
    """folder_process.py with the lines that it has printed so far."""

    def __init__(self, home: Path) -> None:
        self.home, self.said = home, []

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-W",
            "error",
            str(PROGRAM),
            str(self.home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(PROJECT)},
        )
        self.reader = asyncio.create_task(self._read())
        await self.heard("owner")
        return self

    async def _read(self):
        while line := await self.process.stdout.readline():
            self.said += [json.loads(line)] if line.startswith(b"{") else []

    async def heard(self, key, value=None, *, after=0):
        async with asyncio.timeout(35):
            while True:
                for entry in self.said[after:]:
                    if key in entry and value in (None, entry[key]):
                        return entry[key]
                assert self.process.returncode is None, (await self.process.stderr.read()).decode()
                await asyncio.sleep(0.01)

    async def kill(self):
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.stdin.close()
            await self.process.wait()
        await self.reader
        errors = (await self.process.stderr.read()).decode()
        assert "Traceback" not in errors, errors
        self.process._transport.close()


async def test_the_first_process_owns_the_folder_and_the_second_is_a_client(tmp_path):
    async with opened(tmp_path) as first, opened(tmp_path) as second:
        assert (first.owner, second.owner) == (True, False)
        await first.redis.set("key", "value")
        assert await second.redis.get("key") == "value"


async def test_written_data_survive_a_restart(tmp_path):
    async with opened(tmp_path) as folder:
        await folder.redis.set("key", "value")
    async with opened(tmp_path) as folder:
        assert await folder.redis.get("key") == "value"


async def test_two_folders_side_by_side_do_not_see_each_other(tmp_path):
    async with opened(tmp_path / "a") as a, opened(tmp_path / "b") as b:
        await a.redis.set("key", "a")
        assert a.owner and b.owner
        assert await b.redis.get("key") is None


async def test_a_path_of_two_hundred_characters_works(tmp_path):
    home = tmp_path / ("long " * 10).strip() / ("x" * 150)
    assert len(str(home)) > 200
    async with opened(home) as folder:
        assert await folder.redis.ping()


async def test_a_client_takes_over_when_the_owner_closes(tmp_path):
    became_owner = asyncio.Event()

    async def note():
        became_owner.set()

    async with opened(tmp_path) as owner, opened(tmp_path) as client:
        client.on_owner(note)
        assert await owner.redis.incr("count") == 1
        await owner.close()
        assert await client.redis.incr("count") == 2
        await asyncio.wait_for(became_owner.wait(), 5)
        assert client.owner


async def test_a_redis_that_ends_is_started_again_by_its_owner(tmp_path):
    async with opened(tmp_path) as folder:
        await folder.redis.set("key", "value")
        os.kill(int((tmp_path / "redis" / "redis.pid").read_text()), signal.SIGKILL)
        assert await folder.redis.get("key") == "value"


async def test_subscriptions_and_pipelines_outlive_a_change_of_the_owner(tmp_path):
    async with opened(tmp_path) as owner, opened(tmp_path) as client, client.redis.pubsub() as subscription:
        await subscription.subscribe("news")
        await owner.close()
        async with client.redis.pipeline(transaction=True) as pipeline:
            assert await pipeline.incr("count").incr("count").execute() == [1, 2]
        async with asyncio.timeout(10):
            await until_subscribed_again(client, subscription)


async def until_subscribed_again(client, subscription):
    while True:
        await client.redis.publish("news", "again")
        message = await subscription.get_message(ignore_subscribe_messages=True, timeout=0.05)
        if message:
            assert message["data"] == "again"
            return


@pytest.mark.long
async def test_a_blocking_read_may_take_longer_than_the_default_timeout_of_the_library(tmp_path):
    async with opened(tmp_path) as folder:
        assert await folder.redis.blpop(["empty"], timeout=5.2) is None


@pytest.mark.long
async def test_one_client_takes_over_from_a_killed_owner_and_nothing_is_lost(tmp_path):
    async with Process(tmp_path) as owner, Process(tmp_path) as b, Process(tmp_path) as c:
        for process in (owner, b, c):
            await process.heard("count")
        await owner.kill()
        async with asyncio.timeout(20):
            while {"owner": True} not in b.said + c.said:
                await asyncio.sleep(0.02)
        for process in (b, c):
            await process.heard("count", after=len(process.said))
        assert (b.said + c.said).count({"owner": True}) == 1
    counts = [entry["count"] for process in (owner, b, c) for entry in process.said if "count" in entry]
    assert len(counts) == len(set(counts)), "a count came twice: a write was lost"
    assert not [entry for process in (b, c) for entry in process.said if "error" in entry]


async def test_a_redis_ends_with_its_killed_owner(tmp_path):
    async with Process(tmp_path) as owner:
        pid = int((tmp_path / "redis" / "redis.pid").read_text())
        await owner.heard("count")
        await owner.kill()
    async with asyncio.timeout(5):
        while is_alive(pid):
            await asyncio.sleep(0.02)
    async with opened(tmp_path) as successor:
        assert int(await successor.redis.get("count")) > 0


def is_alive(pid):
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


async def test_a_folder_that_cannot_be_made_gives_one_line_that_says_what_to_do(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(NotStarted, match="set RESEARCH_HOME"):
        await DataFolder(load_core_config(home=tmp_path / "file" / "home")).open()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
async def test_a_read_only_folder_gives_one_line_that_says_what_to_do(tmp_path):
    (tmp_path / "home").mkdir(mode=0o555)
    folder = DataFolder(load_core_config(home=tmp_path / "home"))
    os.seteuid(65534)
    try:
        with pytest.raises(NotStarted, match="set RESEARCH_HOME"):
            await folder.open()
    finally:
        os.seteuid(0)


async def test_the_error_names_an_owner_whose_redis_does_not_answer(tmp_path, monkeypatch):
    monkeypatch.setattr("research_crawler.adapters.data_folder.OPEN_S", 0.3)
    monkeypatch.setattr("research_crawler.adapters.redis.connection.ANSWER_S", 0.1)
    async with opened(tmp_path):
        server = int((tmp_path / "redis" / "redis.pid").read_text())
        os.kill(server, signal.SIGSTOP)
        with pytest.raises(NotStarted, match=f"process {os.getpid()} holds .* does not answer"):
            await DataFolder(load_core_config(home=tmp_path)).open()
        os.kill(server, signal.SIGCONT)


async def test_an_owner_whose_redis_takes_long_to_start_is_open_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr("research_crawler.adapters.data_folder.OPEN_S", 0.001)
    async with opened(tmp_path) as folder:
        assert folder.owner
        assert await folder.redis.ping()


async def test_a_configured_redis_is_used_and_the_lock_still_has_one_owner(tmp_path):
    async with opened(tmp_path / "server") as server:
        url = f"unix://{server._embedded.socket}"
        home = tmp_path / "home"
        async with opened(home, redis_url=url) as first, opened(home, redis_url=url) as second:
            assert (first.owner, second.owner) == (True, False)
            await first.redis.set("key", "value")
            assert await server.redis.get("key") == "value"
        assert not (home / "redis").exists()


async def test_a_configured_redis_that_does_not_answer_is_reported_soon(tmp_path):
    with pytest.raises(RedisUnusable, match="REDIS_URL"):
        await DataFolder(load_core_config(home=tmp_path, redis_url="redis://127.0.0.1:1")).open()
