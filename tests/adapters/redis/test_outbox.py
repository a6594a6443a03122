import pytest
from redis.asyncio import Redis

from research_crawler.adapters.redis import redis_outbox
from research_crawler.adapters.redis.redis_outbox import RedisOutbox
from research_crawler.core.models.base import WIRE_VERSION
from research_crawler.core.models.messages.events import CommandDone

STREAM = "research:outbox"


async def put(redis: Redis, uid: str) -> None:
    await redis.xadd(STREAM, {"event": CommandDone(uid=uid, command=uid).to_wire()})


async def test_new_entries_are_read_in_order_and_acknowledged_ones_are_gone(redis_client):
    outbox = RedisOutbox(redis_client)
    for uid in ("j1:1", "j1:2"):
        await put(redis_client, uid)
    entries = await outbox.read("me")
    assert [event.uid for _, event in entries] == ["j1:1", "j1:2"]
    assert await outbox.read("me", block_ms=0) == []
    await outbox.ack([entry for entry, _ in entries])
    assert await redis_client.xlen(STREAM) == 0


async def test_entries_of_a_consumer_that_died_go_to_another(redis_client, monkeypatch):
    outbox = RedisOutbox(redis_client)
    await put(redis_client, "j1:1")
    await outbox.read("dead")
    await put(redis_client, "j1:2")
    assert [event.uid for _, event in await outbox.read("alive")] == ["j1:2"]
    monkeypatch.setattr(redis_outbox, "IDLE_MS", 0)
    assert "j1:1" in [event.uid for _, event in await outbox.read("alive")]


async def test_events_settled_before_the_first_reader_are_read(redis_client):
    await put(redis_client, "j1:1")
    assert len(await RedisOutbox(redis_client).read("me")) == 1


async def test_a_newer_entry_stays_and_an_unreadable_one_is_removed(redis_client):
    outbox = RedisOutbox(redis_client)
    await redis_client.xadd(STREAM, {"event": '{"v":99,"uid":"x","kind":"done"}'})
    await redis_client.xadd(STREAM, {"event": "{}"})
    await put(redis_client, "j1:1")
    assert [event.uid for _, event in await outbox.read("me")] == ["j1:1"]
    kept = [fields["event"][:7] for _, fields in await redis_client.xrange(STREAM)]
    assert kept == ['{"v":99', f'{{"v":{WIRE_VERSION},']


async def test_a_deleted_stream_is_created_again(redis_client):
    outbox = RedisOutbox(redis_client)
    await outbox.read("me", block_ms=1)
    await redis_client.delete(STREAM)
    assert await outbox.read("me", block_ms=1) == []
    await put(redis_client, "j1:1")
    assert len(await outbox.read("me")) == 1


@pytest.mark.parametrize("decodes", [True, False])
async def test_the_clients_decoding_does_not_matter(redis_url, decodes):
    redis = Redis.from_url(redis_url, decode_responses=decodes)
    outbox = RedisOutbox(redis)
    await put(redis, "j1:1")
    [(entry, event)] = await outbox.read("me")
    assert (event.uid, isinstance(entry, str)) == ("j1:1", True)
    await redis.aclose()


async def test_events_are_withdrawn_even_from_an_indexer_that_has_read_them(redis_client):
    outbox = RedisOutbox(redis_client)
    for uid in ("j1:1", "j2:1", "j1:2"):
        await put(redis_client, uid)
    read = await outbox.read("me", count=1)
    assert await outbox.withdraw(lambda event: event.command.startswith("j1:")) == ["j1:1", "j1:2"]
    assert await outbox.which_forgotten(["j1:1", "j2:1", "j1:2"]) == {"j1:1", "j1:2"}
    assert [event.uid for _, event in await outbox.read("me")] == ["j2:1"]
    await outbox.ack([entry for entry, _ in read])
    assert await redis_client.xlen(STREAM) == 1
    assert await outbox.withdraw(lambda event: event.command.startswith("j1:")) == []
    assert await outbox.which_forgotten([]) == set()


async def test_a_long_outbox_is_searched_to_its_end(redis_client, monkeypatch):
    monkeypatch.setattr(redis_outbox, "SCAN", 3)
    outbox = RedisOutbox(redis_client)
    for n in range(10):
        await put(redis_client, f"j1:{n}")
    assert len(await outbox.withdraw(lambda event: True)) == 10
    await outbox.put_empty([f"j1:{n}" for n in range(10)])
    events = [event for _, event in await outbox.read("me")]
    assert {event.command for event in events} == {f"j1:{n}" for n in range(10)}
    assert not any(event.findings for event in events)


async def test_searching_the_outbox_leaves_unreadable_entries(redis_client):
    await redis_client.xadd(STREAM, {"event": "{}"})
    await put(redis_client, "j1:1")
    assert await RedisOutbox(redis_client).withdraw(lambda event: True) == ["j1:1"]
    assert await redis_client.xlen(STREAM) == 1
