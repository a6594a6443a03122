"""An OpenAI-compatible endpoint that plans, reads and writes by fixed rules.

`python -m benchmarks.models.scripted_model` runs it.

It searches once, visits the first results concurrently, quotes the first sentences of every page, and is
done. A line of JSON on stdin sets how many seconds each role takes: {"extractor": 10}. stdout gets {"port"}.
`GET /calls` returns the calls with role, the row that the prompt names ("(row 7)", null where it names none), start
and end (CLOCK_MONOTONIC in ms; end is null while a call runs, or if the client went away).
"""

import asyncio
import json
import re
import sys
from typing import Any

from aiohttp import web

from benchmarks.models.scripted_writer import answer, audit, verdicts
from benchmarks.models.scripted_writer import section as section_of
from research_crawler.demo.request_log import monotonic_ms

FENCE = re.compile(r"<<([0-9a-f]{12})\n(.*?)\n\1>>", re.S)
PAGE = re.compile(r"^\[Page (P\d+) [0-9a-f]+\] ", re.M)
"""The first line of each of several pages."""
ROW = re.compile(r"\(row (\d+)\)")
"""How benchmarks of batches mark the goals of rows."""
KEYS = {
    "planner": "action",
    "scorer": "results",
    "report": "answer",
    "auditor": "claims",
    "section_writer": "sentences",
    "claim_verifier": "statements",
    "column_reader": "values",
}
"""A key of each role's answers that no other role has."""
VISITS = 3
ENTRIES = 3


class Model:
    """Answers by the schema of the request, and records the calls."""

    def __init__(self) -> None:
        self.latency_s: dict[str, float] = {}
        self.calls: list[dict[str, Any]] = []
        self.answers = dict(ANSWERS)
        """By role: makes an answer of the prompt and the schema."""

    async def complete(self, request: web.Request) -> web.Response:
        """Answer one call, after the latency of its role."""
        body = await request.json()
        prompt = "\n".join(message["content"] for message in body["messages"])
        if "response_format" not in body:
            return web.json_response(completion(body["model"], prompt, "ok"))
        schema = body["response_format"]["json_schema"]["schema"]
        role = role_of(schema)
        row = ROW.search(prompt)
        record = {
            "role": role,
            "row": int(row[1]) if row else None,
            "prompt": prompt,
            "start_ms": monotonic_ms(),
            "end_ms": None,
        }
        self.calls.append(record)
        await asyncio.sleep(self.latency_s.get(role, 0.0))
        text = json.dumps(self.answers[role](prompt, schema))
        record["end_ms"] = monotonic_ms()
        return web.json_response(completion(body["model"], prompt, text))

    async def models(self, _: web.Request) -> web.Response:
        """The list of models, which a client requests before it starts."""
        return web.json_response({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    async def record(self, request: web.Request) -> web.Response:
        """The calls so far."""
        return web.json_response(self.calls)


def role_of(schema: dict[str, Any]) -> str:
    """The role of a call, which the keys of its answer show."""
    keys = set(schema["properties"])
    for role, key in KEYS.items():
        if key in keys:
            return role
    return "extractor"


def plan(prompt: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Label new results, then decide."""
    labels = schema["properties"].get("labels")
    return ({"labels": labels_for(labels)} if labels else {}) | decide(prompt, schema["properties"])


def decide(prompt: str, offered: dict[str, Any]) -> dict[str, Any]:
    """Search until something is found, then visit the first pages that are shown, then stop."""
    pages = shown_pages(prompt, offered)
    if pages and not visited(prompt):
        return {"action": "visit", "urls": pages[:VISITS], "reason": "the first results, side by side"}
    if "query" in offered and not visited(prompt):
        return {
            "action": "search",
            "query": section(prompt, "Goal").splitlines()[0],
            "reason": "to begin with",
        }
    return {"action": "done", "reason": "the first pages were read", "missing": []}


def shown_pages(prompt: str, offered: dict[str, Any]) -> list[str]:
    """The ids of pages that may be visited, as far as the prompt shows them: a schema has those of other steps too."""
    ids = offered.get("urls", {}).get("items", {}).get("enum", [])
    shown = set(re.findall(r"^([GR]\d+)\. ", section(prompt, "Search Results"), re.M))
    return [id_ for id_ in ids if id_ in shown]


def visited(prompt: str) -> bool:
    """Whether any page stands under Pages Visited."""
    return bool(re.search(r"\d+ findings\.", section(prompt, "Pages Visited")))


def score(prompt: str, schema: dict[str, Any]) -> dict[str, Any]:
    """In the order in which the results come."""
    return {"results": labels_for(schema["properties"]["results"])}


def labels_for(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Labels of all results that this schema of an array names."""
    names = schema["items"]["properties"]["id"]["enum"]
    labels = {"type": "other", "priority": "should_visit", "reason": "in order"}
    return [{"id": n, "score": max(1, 9 - i) / 10, **labels} for i, n in enumerate(names)]


def pages_in(shown: str) -> list[tuple[str, str]]:
    """The pages that a prompt shows, by their ids; a page by itself has none."""
    parts = PAGE.split(shown)
    return list(zip(parts[1::2], parts[2::2], strict=True)) or [("", shown)]


def extract(prompt: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The first sentences of each page as its facts."""
    shown = "\n".join(text for _, text in FENCE.findall(prompt))
    entries = [
        {"page": name, "claim": sentence, "quote": sentence}
        for name, page in pages_in(shown)
        for sentence in re.findall(r"[A-Z][^.!?\n|#*\[\]]{40,200}[.]", page)[:ENTRIES]
    ]
    facts: dict[str, list[Any]] = {
        key: [] for key, value in schema["properties"].items() if value.get("type") == "array"
    }
    return {
        **facts,
        "key_facts": entries,
        "relevance": 0.8,
        "confidence": 0.9,
        "summary": "Read as scripted.",
        "answers_all": True,
    }


ANSWERS = {
    "planner": plan,
    "scorer": score,
    "extractor": extract,
    "report": answer,
    "auditor": audit,
    "section_writer": section_of,
    "claim_verifier": verdicts,
    "column_reader": lambda prompt, schema: {"values": []},
}


def section(prompt: str, title: str) -> str:
    """The text under a heading of the prompt."""
    match = re.search(rf"^### {title}\n(.*?)(?=^#|\Z)", prompt, re.M | re.S)
    return match[1].strip() if match else ""


def completion(model: str, prompt: str, text: str) -> dict[str, Any]:
    """The answer in the form of the API."""
    used = {"prompt_tokens": len(prompt) // 4, "completion_tokens": len(text) // 4}
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "usage": {**used, "total_tokens": sum(used.values())},
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
    }


async def served(model: Model) -> web.AppRunner:
    """Serve a model on a free port of the loopback; the runner's first address says which."""
    application = web.Application(client_max_size=2**24)
    application.add_routes(
        [
            web.post("/v1/chat/completions", model.complete),
            web.get("/v1/models", model.models),
            web.get("/calls", model.record),
        ]
    )
    runner = web.AppRunner(application, access_log=None, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner


async def main() -> None:
    """Serve until stdin ends."""
    model = Model()
    runner = await served(model)
    print(json.dumps({"port": runner.addresses[0][1]}), flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        model.latency_s = json.loads(line)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
