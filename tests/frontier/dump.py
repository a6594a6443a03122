"""What is stored, read from Redis and told by the model in the same words, so that both can be compared."""

import json
from collections.abc import Iterable
from typing import Any

from redis import Redis

from tests.frontier.model import SPIDERS, Item, Model

Dump = dict[str, Any]


def ready_of(redis: Redis, prefix: str) -> dict[str, dict[str, int]]:
    """When each queue is looked at next."""
    return {
        spider: {
            name: int(at) for name, at in redis.zrange(f"{prefix}ready:{spider}", 0, -1, withscores=True)
        }
        for spider in SPIDERS
    }


def dump_redis(redis: Redis, prefix: str, model: Model) -> Dump:
    """All that the model knows of, as Redis has it."""
    hashes = sorted(set(model.pages) | {item.page_key for item in model.items.values() if item.page_key})
    with redis.pipeline(transaction=False) as pipe:
        _ask(pipe, prefix, model, hashes)
        reply = iter(pipe.execute())
    commands = {cid: json.loads(text) for cid, text in next(reply).items()}
    leases = {cid: text.split(" ") for cid, text in next(reply).items()}
    nodes = {node: int(at) for node, at in next(reply)}
    outbox = [_outbox(json.loads(fields["event"])) for _, fields in next(reply)]
    dead = [json.loads(text)["id"] for text in next(reply)][::-1]
    active = next(reply)
    queues: dict[str, tuple[str, str, int]] = {}
    for spider in SPIDERS:
        for name in model.hosts:
            queues |= {cid: (spider, name, int(score)) for cid, score in next(reply)}
    slots, permits = {}, {}
    for name in model.hosts:
        stored, fly = next(reply), dict(next(reply))
        slots[name] = [int(float(stored.get(key, 0))) for key in ("next", "blocked_until", "vt")]
        permits[name] = {permit: int(at) for permit, at in fly.items()}
    pages, want = {}, {}
    for h in hashes:
        text, want[h] = next(reply), set(next(reply))
        if text:
            pages[h] = _page(json.loads(text))
    jobs = {}
    for job in model.jobs:
        jobs[job] = _job(next(reply), next(reply), next(reply), next(reply), next(reply), next(reply))
    timers = {member: int(at) for member, at in next(reply)}
    return {
        "commands": {cid: _command(c) for cid, c in commands.items()},
        "places": queues | {cid: _lease(parts) for cid, parts in leases.items()},
        "nodes": nodes,
        "outbox": outbox,
        "dead": dead,
        "active": set(active),
        "slots": slots,
        "permits": permits,
        "pages": pages,
        "want": {h: ids for h, ids in want.items() if ids},
        "jobs": jobs,
        "timers": timers,
    }


def _ask(pipe: Any, prefix: str, model: Model, hashes: list[str]) -> None:
    """All questions of `dump_redis`, in the order in which it reads the answers."""
    pipe.hgetall(f"{prefix}req")
    pipe.hgetall(f"{prefix}lease")
    pipe.zrange(f"{prefix}nodes", 0, -1, withscores=True)
    pipe.xrange(f"{prefix}outbox")
    pipe.lrange(f"{prefix}dead", 0, -1)
    pipe.smembers(f"{prefix}active")
    for spider in SPIDERS:
        for name in model.hosts:
            pipe.zrange(f"{prefix}q:{spider}:{name}", 0, -1, withscores=True)
    for name in model.hosts:
        pipe.hgetall(f"{prefix}slot:{name}")
        pipe.zrange(f"{prefix}fly:{name}", 0, -1, withscores=True)
    for h in hashes:
        pipe.get(f"{prefix}page:{h}")
        pipe.zrange(f"{prefix}want:{h}", 0, -1)
    for job in model.jobs:
        pipe.hgetall(f"{prefix}job:{job}")
        pipe.lrange(f"{prefix}mail:{job}", 0, -1)
        pipe.zscore(f"{prefix}runnable", job)
        pipe.zscore(f"{prefix}pending", job)
        pipe.smembers(f"{prefix}cmds:{job}")
        pipe.hgetall(f"{prefix}budget:{job}")
    pipe.zrange(f"{prefix}timers", 0, -1, withscores=True)


def dump_model(model: Model) -> Dump:
    """The same from the model."""
    places: dict[str, tuple[Any, ...]] = {}
    for item in model.items.values():
        if item.queue:
            places[item.id] = (*item.queue, item.score)
        elif item.held:
            held = item.held
            slot, hop = held.permit or ("-", "-")
            places[item.id] = (
                held.token,
                held.node,
                held.since,
                slot,
                str(hop),
                held.lock or "-",
                held.bytes_at,
            )
    return {
        "commands": {item.id: _item(item) for item in model.items.values()},
        "places": places,
        "nodes": dict(model.nodes),
        "outbox": list(model.outbox),
        "dead": list(model.dead),
        "active": model.active(),
        "slots": {name: [host.next, host.blocked, host.vt] for name, host in model.hosts.items()},
        "permits": {name: dict(host.permits) for name, host in model.hosts.items()},
        "pages": {h: (p.kind, p.sha, p.to[2], p.at) for h, p in model.pages.items()},
        "want": _wanted(model),
        "jobs": {
            job: {
                "state": r.state,
                "version": r.version,
                "token": r.token,
                "takes": r.takes,
                "upto": "" if r.upto is None else str(r.upto),
                "mail": r.mail,
                "due": r.due,
                "open": {item.id for item in model.items.values() if item.job == job},
                "booked": sum(tokens for tokens, _ in r.ledger.values()),
                "reserved": sum(tokens for tokens, deadline in r.ledger.values() if deadline is not None),
            }
            for job, r in model.jobs.items()
        },
        "timers": {
            f"{job} {kind} {no}": at for job, r in model.jobs.items() for (kind, no), at in r.timers.items()
        },
    }


def _wanted(model: Model) -> dict[str, set[str]]:
    want: dict[str, set[str]] = {}
    for item in model.items.values():
        if item.shares and item.queue and item.queue[1] != "_":
            want.setdefault(item.page_key, set()).add(item.id)
    return want


def settle_time(dump: Dump, now: int, delays: dict[str, int]) -> Dump:
    """Book expired permits in both dumps: when that is written is nobody's business."""
    for name, flying in dump["permits"].items():
        for permit, deadline in list(flying.items()):
            if deadline <= now:
                del flying[permit]
                dump["slots"][name][0] = max(dump["slots"][name][0], deadline + delays[name])
    return dump


def differences(left: Dump, right: Dump) -> Iterable[str]:
    """Where two dumps differ, for the message of a failed test."""
    for key in left:
        if left[key] != right[key]:
            yield f"{key}:\n  redis {left[key]}\n  model {right[key]}"


def _command(c: dict[str, Any]) -> tuple[Any, ...]:
    return (
        c.get("url", ""),
        c.get("slot", "_"),
        c.get("h", ""),
        c.get("hop", 0),
        c.get("attempt", 0),
        c.get("render", False),
        c.get("alone", False),
        c.get("asked_h", ""),
    )


def _item(i: Item) -> tuple[Any, ...]:
    return i.url, i.slot, i.page_key, i.redirects, i.attempt, i.render, i.alone, i.requested_page_key


def _lease(parts: list[str]) -> tuple[Any, ...]:
    token, node, since, slot, hop, lock, bytes_at = parts
    return token, node, int(since), slot, hop, lock, int(bytes_at)


def _outbox(event: dict[str, Any]) -> tuple[str, str]:
    assert event["uid"] == event["command"]
    return event["uid"], event.get("what", "ok")


def _page(p: dict[str, Any]) -> tuple[Any, ...]:
    return p["kind"], p.get("sha", ""), p.get("to", {}).get("h", ""), p["at"]


def _mail(event: dict[str, Any]) -> tuple[str, ...]:
    if event["kind"] == "done":
        return "done", event["command"], event.get("what", "ok")
    return event["kind"], "", "" if event["kind"] == "start" else str(event.get("no", 0))


def _job(
    stored: dict[str, str],
    mail: list[str],
    runnable: float | None,
    pending: float | None,
    cmds: set[str],
    budget: dict[str, str],
) -> Dump:
    assert runnable is None or pending is None
    due = pending if runnable is None else runnable
    booked = sum(
        int(tokens)
        for name, tokens in budget.items()
        if name not in ("spent", "reserved") and name[-1] not in "$@"
    )
    assert booked == int(budget.get("spent", 0)) + int(budget.get("reserved", 0)), budget
    return {
        "state": json.loads(stored["state"]),
        "version": int(stored["version"]),
        "token": stored.get("_token", ""),
        "takes": int(stored["_takes"]),
        "upto": stored.get("_upto", ""),
        "mail": [_mail(json.loads(text)) for text in mail],
        "due": None if due is None else int(due),
        "open": set(cmds),
        "booked": booked,
        "reserved": int(budget.get("reserved", 0)),
    }
