import asyncio
import re
from importlib import resources

import pytest
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from planner.rounds.ports import CLAIM_MS
from research_crawler.core.tasks.leases import LAST_ATTEMPT, PERMIT_S
from research_crawler.frontier.scripts import ScriptPipe, load_script
from research_crawler.middlewares.follow import MAX_REDIRECTS

LUA = resources.files("research_crawler.frontier") / "lua"
SCRIPTS = sorted(f.name[:-4] for f in LUA.iterdir() if f.name.endswith(".lua") and not f.name.startswith("_"))


def test_a_script_documents_its_arguments_and_its_return_value():
    for name in SCRIPTS:
        head = (LUA / f"{name}.lua").read_text().split("\nlocal")[0]
        assert re.search(r"^-- KEYS: prefix\. ARGV: .*", head, re.M), name
        assert re.search(r"now_ms\b", head), name
        assert "-- Returns: " in head, name


@pytest.mark.parametrize(
    ("name", "in_python"),
    [
        ("CLAIM_MS", CLAIM_MS),
        ("PERMIT_MS", PERMIT_S * 1_000),
        ("MAX_REDIRECTS", MAX_REDIRECTS),
        ("ATTEMPTS_MAX", LAST_ATTEMPT + 1),
    ],
)
def test_a_limit_that_python_tells_again_is_that_of_the_scripts(name, in_python):
    said = re.search(rf"^local {name} = (\d+)", (LUA / "_base.lua").read_text(), re.M)
    assert int(said[1]) == in_python


def test_a_file_is_included_once_and_no_script_lists_keys():
    for name in SCRIPTS:
        source = load_script(name).source.decode()
        assert "-- include:" not in source, name
        assert source.count("local call = redis.call") == 1, name
        assert not re.search(r"'(KEYS|SCAN|FLUSHDB)'", source), name


async def test_the_server_compiles_them(redis_client):
    for name in SCRIPTS:
        script = load_script(name)
        assert await redis_client.script_load(script.source.decode()) == script.sha, name


async def test_calls_of_many_tasks_get_their_own_replies(redis_client):
    pipe = ScriptPipe(redis_client, "t:")
    replies = await asyncio.gather(
        *(pipe.call("beat", f"n{i}", 1, f"j:{i}", "token", 1_000) for i in range(2_000))
    )
    assert replies == [[f"j:{i}".encode()] for i in range(2_000)]
    await pipe.close()


async def test_calls_made_in_one_turn_go_out_in_one_write(redis_client):
    pipe = ScriptPipe(redis_client, "t:")
    await pipe.call("counts", 0)
    sent = list[int]()
    connection = pipe._connection
    original = connection.send_packed_command

    async def count(packed, **more):
        sent.append(len(packed))
        await original(packed, **more)

    connection.send_packed_command = count
    await asyncio.gather(*(pipe.call("counts", 0) for _ in range(50)))
    assert len(sent) == 1
    await pipe.close()


async def test_scripts_a_server_has_forgotten_are_loaded_again(redis_client):
    pipe = ScriptPipe(redis_client, "t:")
    await pipe.call("counts", 0)
    await redis_client.script_flush()
    first, second = await asyncio.gather(pipe.call("counts", 0), pipe.call("waits", 1, "a", 0))
    assert (first[0], second) == (0, [0])
    await pipe.close()


async def test_an_error_of_one_call_does_not_affect_the_others(redis_client):
    pipe = ScriptPipe(redis_client, "t:")
    await redis_client.set("t:outbox", "not a stream")
    replies = await asyncio.gather(pipe.call("counts", 0), pipe.call("reap", 0), return_exceptions=True)
    assert isinstance(replies[0], ResponseError) and replies[1] == 0
    await pipe.close()


async def test_a_cancelled_caller_does_not_affect_the_others(redis_client):
    pipe = ScriptPipe(redis_client, "t:")

    async def call(i: int) -> list[bytes]:
        return await pipe.call("beat", "n", 1, f"j:{i}", "token", 1_000)

    tasks = [asyncio.create_task(call(i)) for i in range(10)]
    await asyncio.sleep(0)
    tasks[3].cancel()
    replies = await asyncio.gather(*tasks, return_exceptions=True)
    assert [r for i, r in enumerate(replies) if i != 3] == [[f"j:{i}".encode()] for i in range(10) if i != 3]
    await pipe.close()


async def test_a_broken_connection_is_opened_again(redis_client):
    pipe = ScriptPipe(redis_client, "t:")
    await pipe.call("counts", 0)
    await redis_client.client_kill_filter(_type="normal", skipme=True)
    await asyncio.sleep(0.02)
    assert await pipe.call("waits", 1, "a", 0) == [0]
    await pipe.close()


async def test_without_a_server_every_caller_gets_an_error(tmp_path):
    redis = Redis(unix_socket_path=str(tmp_path / "none"), retry=None)
    pipe = ScriptPipe(redis, "t:")
    replies = await asyncio.gather(*(pipe.call("counts", 0) for _ in range(3)), return_exceptions=True)
    assert all(isinstance(reply, Exception) for reply in replies)
    await redis.aclose()
