import asyncio
import os
import shutil
import subprocess
from contextlib import asynccontextmanager

import pytest

from research_crawler.adapters.redis import program as redis_program
from research_crawler.adapters.redis.connection import connect_socket
from research_crawler.adapters.redis.embedded import (
    MAX_SOCKET_BYTES,
    EmbeddedRedis,
    is_server_of,
    prepare_socket,
)
from research_crawler.adapters.redis.program import find_server
from research_crawler.core.errors import NotStarted, RedisUnusable, StorageFull


@asynccontextmanager
async def started(folder):
    server = EmbeddedRedis(folder)
    await server.start()
    client = connect_socket(server.socket)
    try:
        yield server, client
    finally:
        await client.aclose()
        await server.stop()


async def test_the_server_keeps_everything_and_listens_on_no_port(tmp_path):
    async with started(tmp_path) as (_, client):
        config = await client.config_get("*")
    shown = {name: config[name] for name in ("port", "appendonly", "appendfsync", "maxmemory-policy", "save")}
    assert shown == {
        "port": "0",
        "appendonly": "yes",
        "appendfsync": "everysec",
        "maxmemory-policy": "noeviction",
        "save": "",
    }


async def test_only_its_user_can_reach_the_socket(tmp_path):
    async with started(tmp_path) as (server, _):
        assert server.socket.parent.stat().st_mode & 0o777 == 0o700
        assert server.socket.stat().st_mode & 0o777 == 0o600
        assert len(bytes(server.socket)) <= MAX_SOCKET_BYTES


async def test_nothing_is_left_of_the_socket_after_a_stop(tmp_path):
    async with started(tmp_path) as (server, _):
        folder = server.socket.parent
    assert not folder.exists()
    assert not server.is_running


async def test_the_next_server_listens_on_the_same_path(tmp_path):
    async with started(tmp_path) as (server, _):
        path = server.socket
    async with started(tmp_path) as (server, _):
        assert server.socket == path


def test_a_recorded_folder_that_others_can_enter_is_not_used_again(tmp_path):
    open_to_all = tmp_path / "open"
    open_to_all.mkdir(mode=0o755)
    record = tmp_path / "socket"
    record.write_text(f"{open_to_all}/redis.sock\n")
    path = prepare_socket(record)
    path.parent.rmdir()
    assert path.parent != open_to_all
    assert record.read_text().strip() == str(path)


def test_a_long_temporary_folder_is_not_used_for_sockets(tmp_path, monkeypatch):
    long = tmp_path / ("t" * 100)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    path = prepare_socket(tmp_path / "socket")
    path.parent.rmdir()
    assert len(bytes(path)) <= MAX_SOCKET_BYTES


async def test_a_leftover_server_is_ended_before_a_new_one_starts(tmp_path):
    async with started(tmp_path) as (old, client):
        await client.set("key", "value")
        left_over = old._process.pid
        async with started(tmp_path) as (_, successor):
            assert await successor.get("key") == "value"
        assert not is_server_of(left_over, tmp_path)


async def test_another_process_with_a_reused_pid_is_not_ended(tmp_path):
    stranger = await asyncio.create_subprocess_exec("sleep", "60", cwd=tmp_path)
    (tmp_path / "redis.pid").write_text(str(stranger.pid))
    async with started(tmp_path):
        assert stranger.returncode is None
    stranger.kill()
    await stranger.wait()


async def test_an_interrupt_of_the_terminal_does_not_reach_the_server(tmp_path):
    async with started(tmp_path) as (server, client):
        assert os.getpgid(server._process.pid) != os.getpgid(0)
        assert await client.ping()


async def test_damaged_data_are_reported_with_the_servers_own_message(tmp_path):
    (tmp_path / "appendonly.aof").write_text("nonsense\r\n" * 5)
    with pytest.raises(RedisUnusable, match="Bad file format"):
        await EmbeddedRedis(tmp_path).start()


async def test_data_of_a_newer_format_are_an_error(tmp_path):
    if find_server()[1] >= (7, 0):
        pytest.skip("the redis-server found here reads the newer format")
    (tmp_path / "appendonlydir").mkdir()
    with pytest.raises(NotStarted, match="Redis 7"):
        await EmbeddedRedis(tmp_path).start()


def test_no_program_gives_one_line_that_says_what_to_do(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(redis_program.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NotStarted, match="set REDIS_URL"):
        find_server()


def test_a_program_that_is_too_old_is_skipped(tmp_path, monkeypatch):
    old = tmp_path / "redis-server"
    old.write_text("#!/bin/sh\necho 'Redis server v=5.0.7 sha=0'\n")
    old.chmod(0o755)
    wheels = find_server()[0]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_server()[0] != old
    monkeypatch.setattr(redis_program, "_candidates", lambda: [old])
    with pytest.raises(NotStarted, match="older"):
        find_server()
    assert wheels.is_file()


@pytest.fixture
def small_disk(tmp_path):
    """A file system of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    made = (
        mount
        and not subprocess.run(
            [mount, "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], check=False
        ).returncode
    )
    if not made:
        pytest.skip("needs the right to mount a small file system")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


async def test_a_full_disk_refuses_writes_with_one_line_and_keeps_what_was_confirmed(small_disk):
    async with started(small_disk) as (_, client):
        with pytest.raises(StorageFull, match="free some space"):
            for n in range(2_000):
                await client.set(f"key:{n}", "x" * 5_000)
        confirmed = n
        with pytest.raises(StorageFull):
            async with client.pipeline(transaction=True) as pipeline:
                await pipeline.set("a", "b").execute()
        with pytest.raises(StorageFull):
            await client.eval("return redis.call('set', KEYS[1], 'b')", 1, "a")
        assert await client.exists("key:0")
        assert await client.dbsize() >= confirmed


async def test_a_disk_that_is_full_before_the_start_gives_one_line(small_disk):
    (small_disk / "ballast").write_bytes(b"x" * (1 << 20))
    with pytest.raises(StorageFull, match="free some space"):
        await EmbeddedRedis(small_disk / "redis").start()
