"""Checks in which share of its answers the packaged small model keeps the form that each role asks for.

What it says does not matter here. Each role is asked with the large schemas, then with the flat ones that a small model
gets, and what is of no use is asked for again. `RESEARCH_FORM_BENCH=N` asks N questions of each role.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.figures import Calibration, Figure, counted
from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from prompts.answers import (
    Answer,
    ColumnsAnswer,
    ExtractorAnswer,
    PlannerAnswer,
    ScorerAnswer,
    VerifierAnswer,
    parse_answer,
)
from prompts.report_answers import ReportAnswer
from research_crawler.adapters.models.local_model import CONTEXT_TOKENS, local_model
from research_crawler.adapters.models.openai_chat import OpenAIChat
from research_crawler.configuration import load_system_config
from research_crawler.core.brain_errors import BadAnswer, BrainFailed
from research_crawler.core.models.evidence.entailment import Pair
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.column_reading import ColumnPassage, ColumnsView
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.jobs.decisions import Candidate, LabelRequest, PageView, PlannerView
from research_crawler.core.models.jobs.records import ScoredResult, SearchRecord
from research_crawler.core.models.messages.commands import JobContext
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.reports.drafts import ReportView
from research_crawler.core.ports.models import Call, ChatAnswer, ChatModel

QUESTIONS: Final = int(os.environ.get("RESEARCH_FORM_BENCH", "3"))
MOST_TRIES: Final = 3
LEAST_SHARE: Final = 0.9
TIMEOUT_S: Final = 240.0
MOST_ANSWER_TOKENS: Final = 400
"""Most tokens of an answer."""
THINGS: Final = ("Skelder lighthouse", "Orrin T3 tent", "Quern queue server", "Marrowby tram")
ANSWERS: Final[dict[str, type[Answer]]] = {
    "planner": PlannerAnswer,
    "scorer": ScorerAnswer,
    "extractor": ExtractorAnswer,
    "report": ReportAnswer,
    "verifier": VerifierAnswer,
    "column_reader": ColumnsAnswer,
}


class Recorded:
    """A chat endpoint whose answers are kept."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat, self.name, self.texts = chat, chat.name, list[str]()

    async def complete(self, *, schema: Mapping[str, Any] | None, **asked: Any) -> ChatAnswer:
        """The endpoint's answer."""
        answer = await self._chat.complete(schema=schema, **asked)
        self.texts.append(answer.text)
        return answer

    async def check(self) -> None:
        """Check the endpoint."""
        await self._chat.check()

    async def close(self) -> None:
        """Close the connections."""
        await self._chat.close()


@dataclass
class Kept:
    """How many answers of a role kept its form."""

    asked: int = 0
    large: int = 0
    flat: int = 0
    in_the_end: int = 0


def measure(_: Calibration) -> Iterator[Figure]:
    """A line for each role, and the share of all that have their form in the end."""
    found = asyncio.run(_measured())
    total = Kept()
    for role, kept in found.items():
        print(
            f"     {role}: of {kept.asked} answers {kept.large} keep the large schema, {kept.flat} the flat one at the "
            f"first try, {kept.in_the_end} within {MOST_TRIES} tries",
            flush=True,
        )
        for name in ("asked", "large", "flat", "in_the_end"):
            setattr(total, name, getattr(total, name) + getattr(kept, name))
    share = total.in_the_end / total.asked
    yield counted(
        "small model: roles' answers in form",
        round(share * 100, 1),
        "%",
        ok=share >= LEAST_SHARE,
        target=f"≥ {LEAST_SHARE:.0%}",
        note=f"of {total.asked}: {total.large} with large schemas, {total.flat} with flat ones at the first try, "
        f"{total.in_the_end} within {MOST_TRIES}",
    )


async def _measured() -> dict[str, Kept]:
    found = {role: Kept() for role in ANSWERS}
    async with local_model() as local:
        config = load_system_config().changed(**local.settings())
        chat = Recorded(OpenAIChat.from_config(config))
        settings = ModelSettings(mind_model=local.model, reflex_model=local.model, timeout_s=TIMEOUT_S)
        # An answer of more tokens would take minutes, and one that has not ended by then does not end.
        short = {
            "answer_tokens": dict.fromkeys(settings.answer_tokens, MOST_ANSWER_TOKENS),
            "reasoning_answer_tokens": 0,
        }
        large = ModelBrain(chat, None, settings.within(CONTEXT_TOKENS).changed(**short))
        flat = ModelBrain(chat, None, settings.within(CONTEXT_TOKENS).for_small_model())
        for thing in THINGS[:QUESTIONS]:
            for role, kept in found.items():
                kept.asked += 1
                kept.large += await _keeps(chat, role, _asking(large, role, thing))
                tries = 0
                while tries < MOST_TRIES and not await _keeps(chat, role, _asking(flat, role, thing)):
                    tries += 1
                kept.flat += not tries
                kept.in_the_end += tries < MOST_TRIES
                print(f"     {thing}, {role}: {kept}", flush=True)
        await chat.close()
    return found


async def _keeps(chat: Recorded, role: str, ask: Callable[[], Awaitable[object]]) -> bool:
    """Whether the answer to one question can be read as the role's."""
    chat.texts.clear()
    try:
        await ask()
    except BrainFailed:
        if not chat.texts:
            return False
    try:
        parse_answer(ANSWERS[role], chat.texts[0])
    except (BadAnswer, IndexError):
        return False
    return True


def _asking(brain: ModelBrain, role: str, thing: str) -> Callable[[], Awaitable[object]]:
    """The question to a brain in a role."""
    call = Call(job="form", key=f"{role} {thing}", token="t", deadline_s=TIMEOUT_S)
    goal = f"How tall is the {thing}, and who made it?"
    text = f"The {thing} is 43 metres tall. It was made by Ida Holm of Marrowby in 1931 and mended in 1987."
    results = [
        SearchResult(url=f"https://h{n}.example/{n}", title=f"{thing} {n}", snippet=text[:60])
        for n in range(5)
    ]
    quotes = [one + "." for one in text.rstrip(".").split(". ")]
    findings = [
        Finding(
            id=str(n),
            command="c",
            claim=one,
            quote=one,
            start=0,
            end=len(one),
            page_sha256="a",
            url=f"https://h{n}.example/",
        )
        for n, one in enumerate(quotes)
    ]
    asked: dict[str, Callable[[], Awaitable[object]]] = {
        "planner": lambda: brain.decide(
            PlannerView(
                goal=goal,
                searches=[SearchRecord(n=1, command="c", query=thing, round=1, results=5)],
                candidates=[Candidate(result=ScoredResult(url=one.url, title=one.title)) for one in results],
                remaining_searches=2,
                remaining_visits=8,
                max_time=300.0,
            ),
            call,
        ),
        "scorer": lambda: brain.label(LabelRequest(goal=goal, results=results), call),
        "extractor": lambda: brain.extract(
            PageView(url=results[0].url, title=thing, markdown=text, job_context=JobContext(goal=goal)), call
        ),
        "report": lambda: brain.write(ReportView(goal=goal, findings=findings), call),
        "verifier": lambda: brain.check_entailment(
            [Pair(statement=one, quotes=[one]) for one in quotes], call
        ),
        "column_reader": lambda: brain.pick_values(
            ColumnsView(
                goal=goal,
                subject=thing,
                columns=[ColumnSpec(name="height", type="number"), ColumnSpec(name="maker", type="text")],
                wanted=["height", "maker"],
                passages=[ColumnPassage(text=one) for one in quotes],
            ),
            call,
        ),
    }
    return asked[role]
