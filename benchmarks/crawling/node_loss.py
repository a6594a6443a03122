"""Measures how soon another node takes over the commands of a node that is killed."""

import asyncio
import contextlib
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis

from benchmarks.children import Child, children, environment, loopback, redis_server
from benchmarks.crawling.bare_node import commands_for
from benchmarks.crawling.politeness import page_requests, push, wait_for
from benchmarks.figures import Calibration, Figure, counted, timed
from research_crawler.adapters.redis.connection import connect_url
from research_crawler.core.models.messages.commands import JobContext
from research_crawler.demo.process import RunningLoad, local_load_process
from research_crawler.extraction.formats.robots_txt import parse_robots
from research_crawler.frontier.store import Frontier

STORED, RUNNING = 4, 4
"""Hosts whose page is stored and being read, and hosts whose download runs, when the node is killed."""
DOWNLOAD_MS, READING_S, DELAY_S = 29_000, 120.0, 0.3
REQUEUED_S, AT_ONCE_S, OPENS_S = 12.0, 13.0, 2.0
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Loss:
    """Times in seconds after the kill (for `opened_s`: after the end of the permits)."""

    requeued_s: float
    stored_resumed_s: float
    opened_s: list[float]
    requests: Counter[str]


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Kill one node and observe its commands in Redis."""
    loss, factor = calibration.quietest(_lose_a_node)
    yield timed("a dead node's commands are queued again after", loss.requeued_s, "s", most=REQUEUED_S,
                factor=factor, reference="a node counts as dead 10 s after its last beat")  # fmt: skip
    yield timed("another node works on commands whose page is stored after", loss.stored_resumed_s, "s",
                most=AT_ONCE_S, factor=factor)  # fmt: skip
    worst = max(loss.requests.values())
    yield counted("requests for a page that was stored already", worst, "requests", ok=worst == 1, target="1")
    early = [seconds for seconds in loss.opened_s if seconds < 0]
    yield counted("hosts with a running download that open before their permit ends", len(early), "hosts",
                  ok=not early, target="0", note=f"of {len(loss.opened_s)}")  # fmt: skip
    yield timed("hosts with a running download open after the end of their permit", max(loss.opened_s), "s",
                most=OPENS_S, factor=factor, reference="a permit lasts 35 s")  # fmt: skip


def _lose_a_node() -> Loss:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        quick = stack.enter_context(local_load_process(hosts=STORED))
        slow = stack.enter_context(local_load_process(hosts=STORED + RUNNING, latency_ms=DOWNLOAD_MS))
        url = stack.enter_context(redis_server(folder))
        running = stack.enter_context(children())
        client: Any = stack.enter_context(redis.Redis.from_url(url, decode_responses=True))
        settings = loopback(home=folder, redis_url=url, phase1_visit_delay_seconds=DELAY_S, delay_jitter=0)
        first = _start_reader(settings, folder, running)
        _push(url, folder, quick, slow)
        wait_for(lambda: page_requests(quick) == STORED, "the pages of the quick hosts")
        wait_for(lambda: _flying(client, slow) == RUNNING, "the downloads of the slow hosts")
        wait_for(lambda: client.hlen("research:lease") == STORED + RUNNING, "the leases")
        second = Child.research("crawl", env=environment(**settings), folder=folder / "second")
        running.append(second)
        second.wait_until_up()
        assert _flying(client, slow) == RUNNING, "the slow downloads ended before the second node was up"
        return _watch(client, first, quick, slow)


def _start_reader(settings: dict[str, Any], folder: Path, running: list[Child]) -> Child:
    """Start a node whose model takes two minutes to read a page."""
    model = Child.module("scripted_model", env=environment(), folder=folder / "model")
    running.append(model)
    endpoint = f"http://127.0.0.1:{model.hear()['port']}/v1"
    model.tell({"extractor": READING_S})
    env = environment(**settings, openai_base_url=endpoint, mind_model="scripted")
    node = Child.research("crawl", env=env, folder=folder / "first")
    running.append(node)
    node.wait_until_up()
    return node


def _push(url: str, folder: Path, quick: RunningLoad, slow: RunningLoad) -> None:
    urls = [f"{host}/p/1" for host in [*quick.hosts, *slow.hosts[STORED:]]]
    asyncio.run(_know_robots(url, slow))
    job_context = JobContext(goal="What did the keeper of the harbour repair?")
    commands = [command.changed(job_context=job_context) for command in commands_for(urls)]
    push(url, folder, commands, delay_ms=int(DELAY_S * 1000))


async def _know_robots(url: str, slow: RunningLoad) -> None:
    """Store the robots.txt rules of the slow hosts, so that the downloads under way are pages."""
    client: Any = connect_url(url)
    frontier = Frontier(client)
    rules = parse_robots(404, b"", now_ms=int(time.time() * 1000))
    for host in slow.hosts[STORED:]:
        await frontier.robots_set(host, rules.to_json(), rules.ttl_s)
    await frontier.close()
    await client.aclose()


def _slots(slow: RunningLoad) -> list[str]:
    return [host.split("//")[1].split(":")[0] for host in slow.hosts[STORED:]]


def _flying(client: Any, slow: RunningLoad) -> int:
    """How many slow hosts have a download under way."""
    return sum(bool(client.zcard(f"research:fly:{slot}")) for slot in _slots(slow))


def _watch(client: Any, first: Child, quick: RunningLoad, slow: RunningLoad) -> Loss:
    """Kill the node and observe each of its leases."""
    before: dict[str, str] = client.hgetall("research:lease")
    slots = _slots(slow)
    ends = {
        f"-:{STORED + n}": client.zrange(f"research:fly:{slot}", 0, 0, withscores=True)[0][1] / 1000
        for n, slot in enumerate(slots)
    }
    killed = time.time()
    first.kill()
    freed: dict[str, float] = {}
    resumed: dict[str, float] = {}
    until = killed + PATIENCE_S
    while len(resumed) < len(before) and time.time() < until:
        now, leases = time.time(), client.hgetall("research:lease")
        for id_, lease in before.items():
            if leases.get(id_) == lease:
                continue
            freed.setdefault(id_, now)
            if id_ in leases or not client.hexists("research:req", id_):
                resumed.setdefault(id_, now)
        time.sleep(0.01)
    assert len(resumed) == len(before), f"{len(before) - len(resumed)} commands were not resumed"
    return Loss(
        requeued_s=max(freed.values()) - killed,
        stored_resumed_s=max(at for id_, at in resumed.items() if id_ not in ends) - killed,
        opened_s=[resumed[id_] - end for id_, end in ends.items()],
        requests=Counter(
            host for host, columns in quick.log().items() for path in columns["path"] if path == "/p/1"
        ),
    )
