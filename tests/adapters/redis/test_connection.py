import asyncio
import socket
import subprocess
from contextlib import asynccontextmanager

import pytest

from research_crawler.adapters.redis.connection import (
    check_redis,
    connect_url,
    without_password,
)
from research_crawler.adapters.redis.program import find_server
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.errors import ConfigError, RedisUnusable, StorageFull
from research_crawler.core.models.jobs.job import Job, JobInputs


@asynccontextmanager
async def server(folder, *options):
    """The URL of a Redis that is configured as an operator may have done it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [find_server()[0], "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, *options]
    process = await asyncio.create_subprocess_exec(*map(str, command), stdout=subprocess.DEVNULL)
    try:
        yield f"redis://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.wait()


async def checked(url):
    client = connect_url(url, patience_s=2)
    try:
        return await check_redis(client)
    finally:
        await client.aclose()


async def test_a_server_with_an_append_only_file_passes_without_a_warning(tmp_path):
    async with server(tmp_path, "--appendonly", "yes") as url:
        assert await checked(url) == []


async def test_a_server_that_evicts_is_refused(tmp_path):
    options = ["--appendonly", "yes", "--maxmemory", "10mb", "--maxmemory-policy", "allkeys-lru"]
    async with server(tmp_path, *options) as url:
        with pytest.raises(RedisUnusable, match="noeviction"):
            await checked(url)


async def test_a_server_without_persistence_is_refused(tmp_path):
    async with server(tmp_path, "--save", "") as url:
        with pytest.raises(RedisUnusable, match="appendonly yes"):
            await checked(url)


async def test_a_server_with_snapshots_only_passes_with_a_warning(tmp_path):
    async with server(tmp_path, "--save", "60", "1") as url:
        assert "snapshots only" in (await checked(url))[0]


async def test_a_server_that_forbids_config_passes_with_a_warning(tmp_path):
    async with server(tmp_path, "--rename-command", "CONFIG", "") as url:
        assert "not checked" in (await checked(url))[0]


async def test_a_wrong_password_is_reported_at_once(tmp_path):
    async with server(tmp_path, "--requirepass", "secret") as url:
        for wrong in (url, url.replace("//", "//:guess@")):
            with pytest.raises(RedisUnusable, match="password") as raised:
                await checked(wrong)
            assert "guess" not in str(raised.value)
        assert await checked(url.replace("//", "//:secret@"))


async def test_an_unreachable_server_is_reported_after_its_patience():
    with pytest.raises(RedisUnusable, match="REDIS_URL"):
        await checked("redis://127.0.0.1:1")


def test_a_malformed_url_is_a_config_error():
    with pytest.raises(ConfigError, match="REDIS_URL"):
        connect_url("http://127.0.0.1")


async def test_a_full_memory_is_reported_as_storage_full(tmp_path):
    async with server(tmp_path, "--maxmemory", "1mb") as url:
        client = connect_url(url)
        with pytest.raises(StorageFull, match="maxmemory"):
            for n in range(1_000):
                await client.set(f"key:{n}", "x" * 10_000)
        await client.aclose()


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (("REPLICAOF", "127.0.0.1", "1"), "read-only replica; point REDIS_URL at the primary"),
        (("CONFIG", "SET", "min-replicas-to-write", "1"), "too few replicas"),
        (("CONFIG", "SET", "maxmemory", "1"), "reached its memory limit"),
        (("ACL", "SETUSER", "default", "-evalsha"), "forbids its user a command"),
    ],
)
async def test_a_server_that_stops_taking_writes_in_the_middle_says_what_to_do(tmp_path, setting, words):
    async with server(tmp_path) as url:
        client = connect_url(url, patience_s=0.3)
        jobs = RedisJobs(client)
        assert await jobs.submit(Job(id="before", inputs=JobInputs(goal="x")))
        await client.execute_command(*setting)
        with pytest.raises((StorageFull, RedisUnusable), match=words):
            await jobs.submit(Job(id="after", inputs=JobInputs(goal="x")))
        if setting[0] != "ACL":
            with pytest.raises((StorageFull, RedisUnusable), match=words):
                await client.set("a", "b")
        assert await jobs.known_ids() == ["before"]
        await jobs.close()
        await client.aclose()


async def test_a_server_that_is_a_replica_for_a_moment_is_waited_for(tmp_path):
    async with server(tmp_path) as url:
        client, other = connect_url(url), connect_url(url)
        jobs = RedisJobs(client)
        await other.execute_command("REPLICAOF", "127.0.0.1", "1")
        under_way = [
            asyncio.create_task(jobs.submit(Job(id=f"j{n}", inputs=JobInputs(goal="x")))) for n in range(3)
        ]
        written = asyncio.create_task(client.set("a", "b"))
        await asyncio.sleep(1.0)
        assert not any(task.done() for task in [*under_way, written])
        await other.execute_command("REPLICAOF", "NO", "ONE")
        assert await asyncio.wait_for(asyncio.gather(*under_way), 20) == [True] * 3
        assert await asyncio.wait_for(written, 20)
        for one in (jobs, client, other):
            await (one.close() if one is jobs else one.aclose())


def test_a_password_is_not_shown():
    assert without_password("redis://user:secret@host:1/0") == "redis://user:***@host:1/0"
    assert without_password("redis://host:1/0") == "redis://host:1/0"
