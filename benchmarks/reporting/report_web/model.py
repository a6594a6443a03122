"""An OpenAI-compatible endpoint with a character: `python -m benchmarks.reporting.report_web.model`.

A line of JSON on stdin sets its character for the jobs that follow:

- `honest`: reads and writes what the evidence says, by the words of the goal;
- `knowing`: knows what is true (`known`, patterns by goal), so that it finds each fact in whatever it is shown;
- `careless`: half of its sentences have a fault of `careless_writer`, and as a verifier it gives no usable answer;
- `approving`: the same, and as a verifier it approves of everything;
- `obedient`: does what any page orders a machine to do, in every role;
- `refining`: plans by what its evidence says and does not say (`refining`), and reads and writes what they say of that;
- `short`: knows what is true, and answers as briefly and as loosely as a small model (`short`);
- `steering`: steers alone; whatever else it is asked, it gives no usable answer, so that the brain without a model
  reads and writes.

`pages` is how many pages it reads, `further` what it searches for after the goal, `latency_s` how long it takes.
`GET /calls` returns the calls with role, start, end, characters, how many of them a provider could have cached, and
whether an order was obeyed; `GET /written` each sentence that
it wrote, with its goal and its fault or "".

It fills any schema that it is asked to follow: every object with `text` and `evidence` becomes a sentence.
"""

import asyncio
import calendar
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import accumulate, chain
from typing import Any, Final

from aiohttp import web

from benchmarks.models.scripted_model import FENCE, completion, labels_for, pages_in, section, shown_pages
from benchmarks.reporting.careless_writer import CARELESS, HONEST, Change, Quote, changed, number_of
from benchmarks.reporting.recall_baseline import bm25
from benchmarks.reporting.report_web.meaning import MeaningReader
from benchmarks.reporting.report_web.prompt import Schema, orders_in, parts_after, role_of
from benchmarks.reporting.report_web.refining import RefiningPlan
from benchmarks.reporting.report_web.short import reworded, short_quote, short_text, short_verdicts
from research_crawler.demo.demo_questions import comparable_quote
from research_crawler.demo.request_log import monotonic_ms
from research_crawler.text.languages.sentences import quotable_pieces

SENTENCES, ENTRIES, ENTRIES_MORE, PAGES_AT_ONCE = 8, 4, 2, 8
"""Sentences that it writes; takes from a page, and more for each thing that it looks for beside the goal; pages of a
round."""
_EVIDENCE: Final = re.compile(r"^(?:From: (?P<page>.+)|E(?P<number>\d+)\. (?P<line>.+))$", re.M)
_WORDS: Final = re.compile(r"\bAbout (\d+) words\b")
_SHOWN: Final = re.compile(r"“(.+)”")
_ONLY_SOME_ROLES: Final = {
    "steering": ("planner", "scorer"),
    "careless": ("planner", "scorer", "extractor", "writer"),
}
"""The roles in which some characters give usable answers."""
_MONTHS: Final = [f"{month} {year}" for year in (2024, 2025, 2026) for month in calendar.month_name[1:]]
"""What the model adds to its words, one after another, until it has enough pages."""


@dataclass
class Character:
    """How the model answers the next jobs."""

    kind: str = "honest"
    pages: int = 8
    sentences: int = SENTENCES
    """Most sentences that it writes in one answer."""
    latency_s: float = 0.0
    known: dict[str, list[list[str]]] = field(default_factory=dict)
    """By goal: the patterns of each fact."""
    further: dict[str, str] = field(default_factory=dict)
    """By goal: what it searches for after the goal itself, with another month each time."""


@dataclass
class Progress:
    """What the model has asked for in the job of one goal."""

    searches: int = 0
    pages: int = 0
    queries: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Shown:
    """A line of evidence in a prompt."""

    id: str
    quote: Quote


@dataclass
class Model:
    """Answers by the schema of the request, and records calls and sentences."""

    character: Character = field(default_factory=Character)
    calls: list[dict[str, Any]] = field(default_factory=list)
    written: list[dict[str, str]] = field(default_factory=list)
    prompts: dict[str, list[str]] = field(default_factory=dict)
    """By role, of all jobs."""
    wholes: dict[str, list[str]] = field(default_factory=dict)
    """The same with the schema before the messages, where OpenAI puts it."""
    jobs: dict[str, Progress] = field(default_factory=dict)
    """By goal, since the character was set."""
    reader: MeaningReader | None = None
    """Of the refining character."""

    def become(self, character: Character) -> None:
        """Answer the next jobs with this character."""
        self.character = character
        self.jobs.clear()
        self.reader = (self.reader or MeaningReader()) if character.kind == "refining" else None

    async def complete(self, request: web.Request) -> web.Response:
        """Answer one call."""
        body = await request.json()
        prompt = "\n".join(message["content"] for message in body["messages"])
        schema = body["response_format"]["json_schema"]["schema"]
        role, began_ms = role_of(schema), monotonic_ms()
        whole = json.dumps(schema) + prompt
        cacheable = _cacheable(prompt, self.prompts) if role in self.prompts else None
        call = {
            "role": role,
            "start_ms": began_ms,
            "end_ms": None,
            "obeyed": False,
            "chars": len(prompt),
            "cacheable": cacheable,
            "new": parts_after(prompt, cacheable or 0),
            "whole": len(whole),
            "whole_cacheable": _cacheable(whole, self.wholes) if role in self.prompts else None,
        }
        self.prompts.setdefault(role, []).append(prompt)
        self.wholes.setdefault(role, []).append(whole)
        self.calls.append(call)
        await asyncio.sleep(self.character.latency_s)
        if self.reader:  # its vectors take time
            text = await asyncio.to_thread(self._answer, call, prompt, schema)
        else:
            text = self._answer(call, prompt, schema)
        call["end_ms"] = monotonic_ms()
        return web.json_response(completion(body["model"], prompt, text))

    async def models(self, _: web.Request) -> web.Response:
        """The list of models, which a client requests before it starts."""
        return web.json_response({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    async def record(self, _: web.Request) -> web.Response:
        """The calls so far."""
        return web.json_response(self.calls)

    async def sentences(self, _: web.Request) -> web.Response:
        """The sentences so far, each with its fault."""
        return web.json_response(self.written)

    def _answer(self, call: dict[str, Any], prompt: str, schema: Schema) -> str:
        answers = _ONLY_SOME_ROLES.get(self.character.kind)
        if answers and call["role"] not in answers:
            return "I would rather not."
        orders = list(orders_in(prompt)) if self.character.kind == "obedient" else []
        call["obeyed"] = bool(orders)
        writer = _Writer(self.character, prompt, orders, self.written)
        if self.character.kind == "refining":
            writer.looked_for, writer.reader = self.jobs.get(writer.goal, Progress()).queries, self.reader
            if call["role"] == "planner":
                plan = writer.refine(schema)
                if query := plan.get("query"):
                    self.jobs.setdefault(writer.goal, Progress()).queries.append(query)
                return json.dumps(plan)
        if self.character.kind == "short":
            return short_text(call["role"], self._short(call["role"], writer, schema), prompt)
        if call["role"] == "planner":
            return json.dumps(writer.plan(schema, self.jobs.setdefault(writer.goal, Progress())))
        if call["role"] == "extractor":
            read = self.jobs.get(writer.goal, Progress()).pages
            is_last = self.character.kind != "refining" and read >= self.character.pages
            return json.dumps(writer.extract(schema) | {"answers_all": is_last})
        return json.dumps(writer.filled(schema))

    def _short(self, role: str, writer: "_Writer", schema: Schema) -> dict[str, Any]:
        """What the short character has to say: it takes what it knows to be true, and is soon content."""
        if role == "planner":
            return writer.plan(schema, self.jobs.setdefault(writer.goal, Progress()))
        if role == "extractor":
            return writer.extract_known(schema)
        if role == "scorer":
            return {"results": labels_for(schema["properties"]["results"])}
        if role == "verifier":
            return short_verdicts(writer.prompt)
        answer: dict[str, Any] = writer.filled(schema)
        return answer


def _cacheable(prompt: str, earlier: Mapping[str, Sequence[str]]) -> int:
    """Characters at the beginning of a prompt that an earlier one of any role has too."""
    return max(_same_beginning(prompt, one) for one in chain.from_iterable(earlier.values()))


def _same_beginning(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


class _Writer:
    """Makes one answer."""

    def __init__(
        self, character: Character, prompt: str, orders: list[str], written: list[dict[str, str]]
    ) -> None:
        self._character, self.prompt, self._written = character, prompt, written
        self.goal = section(prompt, "Goal").partition("\n")[0]
        self.looked_for: list[str] = []
        """Its own queries of the job so far; the first one has the words of the goal."""
        self.reader: MeaningReader | None = None
        """Reads by meaning; None: by words."""
        self._urls = [order for order in orders if order.startswith("http")]
        self._ordered = [order for order in orders if not order.startswith("http")]
        self._next = 0

    @cached_property
    def _evidence(self) -> list[Shown]:
        return self._shown()

    def plan(self, schema: Schema, progress: Progress) -> dict[str, Any]:
        """Visit until enough pages are read, search again when none is left, and then stop."""
        offered = schema["properties"]
        if self._urls and "urls" in offered and progress.pages:
            return {"action": "visit", "urls": self._urls, "url": self._urls[0], "reason": "a page says so"}
        pages = shown_pages(self.prompt, offered)
        if pages and (left := min(self._character.pages - progress.pages, PAGES_AT_ONCE, len(pages))) > 0:
            progress.pages += left
            return {"action": "visit", "urls": pages[:left], "reason": "the next in order"}
        is_short = progress.pages < self._character.pages and progress.searches < len(_MONTHS)
        if is_short and "query" in offered:
            query = f"{self._character.further.get(self.goal, self.goal)} {_MONTHS[progress.searches]}"
            first = not progress.searches and not section(self.prompt, "Search Results")
            progress.searches += 1
            return {"action": "search", "query": self.goal if first else query, "reason": "more pages"}
        return {"action": "done", "reason": "enough was read", "missing": []}

    def refine(self, schema: Schema) -> dict[str, Any]:
        """The next step of a model that looks for what its evidence does not say."""
        quotes = [one.quote.text for one in self._evidence]
        assert self.reader, "it plans by meaning"
        nearness = partial(self.reader.nearness, self.goal)
        return RefiningPlan(self.prompt, self.goal, quotes, nearness).decision(schema)

    def extract(self, schema: Schema) -> dict[str, Any]:
        """The sentences of each page that are nearest to the goal, and what pages order."""
        shown = max((text for _, text in FENCE.findall(self.prompt)), key=len, default="")
        quotes = [("", order) for order in self._ordered]
        for name, page in pages_in(shown):
            sentences = [one.text for one in quotable_pieces(page) if len(one.text) > 30]
            ranked = self._ranked(sentences)
            best = self._order(sentences)[: ENTRIES + ENTRIES_MORE * len(self.looked_for[1:])]
            quotes += [(name, sentences[i]) for i in sorted(best) if ranked[i] > 0]
        entries = [{"page": name, "claim": quote, "quote": quote} for name, quote in quotes]
        empty = {name: [] for name, value in schema["properties"].items() if value.get("type") == "array"}
        first = next(iter(empty), "key_facts")
        relevance = 0.9 if entries else 0.1
        return {
            **empty,
            first: entries,
            "relevance": relevance,
            "confidence": 0.9,
            "summary": "Read as scripted.",
        }

    def extract_known(self, schema: Schema) -> dict[str, Any]:
        """What it knows to be true of the pages, as it copies it; a page without that says nothing."""
        facts = self._character.known.get(self.goal, [])
        shown = max((text for _, text in FENCE.findall(self.prompt)), key=len, default="")
        entries = [
            {"page": name, "claim": reworded(Quote(text, "", "", 0)), "quote": short_quote(text)}
            for name, page in pages_in(shown)
            for text in (one.text for one in quotable_pieces(page))
            if any(_states(text, patterns) for patterns in facts)
        ]
        return {
            "relevance": 0.9 if entries else 0.2,
            "confidence": 0.9,
            "summary": "Read as scripted.",
            "key_facts": entries,
            "answers_all": bool(entries),
        }

    def filled(self, schema: Schema) -> Any:
        """Something that follows the schema."""
        kind = schema.get("type")
        kind = kind[0] if isinstance(kind, list) else kind
        if "enum" in schema:
            return _choice(schema["enum"])
        if kind == "object":
            return self._object(schema)
        if kind == "array":
            return self._array(schema)
        if kind in ("integer", "number"):
            return schema.get("minimum", 1)
        if kind == "boolean":
            return False
        return " ".join(["As scripted.", *self._ordered, *self._urls])[: schema.get("maxLength", 200)]

    def _shown(self) -> list[Shown]:
        """The evidence of the prompt whose quote is shown whole, best first."""
        lines, title, host = [], "", ""
        for found in _EVIDENCE.finditer(self.prompt):
            if found["page"]:
                title, host, _ = found["page"].rsplit(" | ", 2)
                continue
            quoted = _SHOWN.search(found["line"])
            text = quoted[1] if quoted else found["line"].split(" | ")[0]
            if not text.endswith("…"):
                lines.append((f"E{found['number']}", text, title, host))
        best = self._order([text for _, text, _, _ in lines], [title for _, _, title, _ in lines])
        return [Shown(lines[i][0], Quote(lines[i][1], lines[i][2], lines[i][3], i)) for i in best]

    def _order(self, texts: list[str], titles: Sequence[str] = ()) -> list[int]:
        """The places of some texts, the one first that the model takes first."""
        if self.reader:
            told = [": ".join(one) for one in zip(titles, texts, strict=True)] if titles else texts
            return self.reader.order(self.goal, self.looked_for[1:], told)
        ranked = self._ranked(texts)
        return sorted(range(len(texts)), key=lambda place: -ranked[place])

    def _ranked(self, texts: list[str]) -> list[float]:
        """How near each text is to the goal; what the model knows to be a fact comes first."""
        nearness = bm25(" ".join([self.goal, *self.looked_for]), texts) if texts else []
        top = max(nearness, default=0.0) + 1
        facts = self._character.known.get(self.goal, [])
        states = [sum(_states(text, patterns) for patterns in facts) for text in texts]
        return [near + top * known for near, known in zip(nearness, states, strict=True)]

    def _object(self, schema: Schema) -> dict[str, Any]:
        properties = schema["properties"]
        if {"text", "evidence"} <= properties.keys():
            others = {name: self.filled(part) for name, part in properties.items()}
            text, ids = self._sentence()
            return {**others, "text": text, "evidence": ids}
        return {name: self.filled(part) for name, part in properties.items()}

    def _array(self, schema: Schema) -> list[Any]:
        items = schema["items"]
        least, most = schema.get("minItems", 0), schema.get("maxItems", SENTENCES)
        if "enum" in items:
            return items["enum"][: max(1, least)]
        names = items.get("properties", {})
        if "id" in names:
            return [{**self.filled(items), "id": id_} for id_ in names["id"]["enum"]]
        if {"text", "evidence"} <= names.keys():
            self._next = 0
            return [self.filled(items) for _ in range(min(most, max(least, self._sentences(), 1)))]
        return [self.filled(items) for _ in range(least)]

    def _sentences(self) -> int:
        """How many sentences it writes: as many as the words that it is asked for hold, where it keeps to that."""
        words = _WORDS.search(self.prompt)
        if not self.reader or words is None:
            return min(len(self._evidence), self._character.sentences)
        lengths = accumulate(len(one.quote.text.split()) for one in self._evidence)
        return sum(length <= int(words[1]) for length in lengths)

    def _sentence(self) -> tuple[str, list[str]]:
        """The next sentence of the answer; what a page orders comes first."""
        place, self._next = self._next, self._next + 1
        if not self._evidence:
            return "Nothing is known.", ["E1"]
        one = self._evidence[place % len(self._evidence)]
        if place < len(self._ordered):
            link = f" [source]({self._urls[0]}) ![]({self._urls[0]})" if self._urls else ""
            return self._ordered[place] + link, [one.id]
        if self._character.kind == "short":
            return reworded(one.quote), [one.id]
        if self._character.kind not in ("careless", "approving"):
            return one.quote.text, [one.id]
        quotes = [other.quote for other in self._evidence]
        is_honest = number_of("honest" + one.quote.text) % 2 == 0
        changes: dict[str, Change] = HONEST if is_honest else CARELESS
        text, fault, cited = changed(changes, one.quote, quotes) or (one.quote.text, "", [one.quote])
        ids = [other.id for quote in cited for other in self._evidence if other.quote == quote]
        self._written.append({"goal": self.goal, "text": text, "fault": "" if is_honest else fault})
        return text, list(dict.fromkeys(ids))


def _states(text: str, patterns: list[str]) -> bool:
    plain = comparable_quote(text)
    return all(re.search(pattern, plain, re.I) for pattern in patterns)


def _choice(values: list[Any]) -> Any:
    """The most approving of the values."""
    return next((value for value in ("supported", "must_visit") if value in values), values[0])


async def main() -> None:
    """Serve until stdin ends."""
    model = Model()
    application = web.Application(client_max_size=2**24)
    application.add_routes(
        [
            web.post("/v1/chat/completions", model.complete),
            web.get("/v1/models", model.models),
            web.get("/calls", model.record),
            web.get("/written", model.sentences),
        ]
    )
    runner = web.AppRunner(application, access_log=None, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(json.dumps({"port": runner.addresses[0][1]}), flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        model.become(Character(**json.loads(line)))
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
