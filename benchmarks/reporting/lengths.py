"""Measures whether reports have the length that was asked for, with a scripted model behind a real endpoint.

Thirty jobs ask for 100 to 3,000 words, with one to eight sub-questions and with little, enough and much evidence:
quotes of the saved `articles`. The model writes half, as much as, or half as much again as it is told, section by
section. A report counts if it has at most the asked words and at least 85 % of them, or if it says why it is shorter
and the quotes carry no more.
"""

import asyncio
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.figures import Calibration, Figure, counted
from benchmarks.models.scripted_model import Model, served
from planner.brains.extractive.extractive_brain import ExtractiveBrain
from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from planner.evidence.length_plan import LEAST_SHARE, length_plan
from planner.reports.job_completion import JobCompletion
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.adapters.models.openai_chat import OpenAIChat
from research_crawler.core.config import Config
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.models.reports.report import Report
from research_crawler.core.ports.models import Call
from research_crawler.text.languages.sentences import quotable_pieces

DATA = Path(os.environ.get("RESEARCH_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
ASKED: Final = (100, 150, 200, 300, 400, 500, 800, 1_200, 2_000, 3_000)
EVIDENCE: Final = (8, 60, 200)
"""Quotes of a job: little, enough, much."""
LEAST_MET: Final = 0.9
NOW_MS: Final = 1_700_000_000_000


@dataclass(frozen=True)
class Written:
    """A report with what was asked."""

    asked: int
    quotes: int
    carried: int
    report: Report
    calls: int

    @property
    def is_met(self) -> bool:
        """Whether the length is that which was asked, or less because the quotes carry less."""
        if self.report.words > self.asked:
            return False
        return self.report.words >= LEAST_SHARE * self.asked or (
            bool(self.report.length_note) and self.carried < self.asked
        )


def measure(calibration: Calibration) -> Iterator[Figure]:
    """The share of the lengths that are met, and the most calls of a report."""
    if not (DATA / "articles").is_dir():
        print(f"no articles in {DATA}; set RESEARCH_TEST_DATA")
        return
    written = asyncio.run(_all_written())
    for run in written:
        print(
            f"{'ok  ' if run.is_met else 'MISS'} asked {run.asked:>5}, {run.quotes:>3} quotes that carry "
            f"{run.carried:>5}: {run.report.words:>5} words in {len(run.report.sections)} sections, {run.calls} calls"
            + (f" ({run.report.length_note})" if run.report.length_note else "")
        )
    met = sum(one.is_met for one in written) / len(written)
    yield counted(
        "asked lengths met, or shorter with the reason", met, "share", ok=met >= LEAST_MET, target=">= 0.9"
    )
    longer = sum(one.report.words > one.asked for one in written)
    yield counted("reports longer than asked", longer, "reports", ok=not longer, target="0")


async def _all_written() -> list[Written]:
    model = Model()
    runner = await served(model)
    address = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    chat = OpenAIChat.from_config(Config(OPENAI_BASE_URL=address, MIND_MODEL="scripted"))
    embedder = HashEmbedder()
    brain = ModelBrain(chat, None, ModelSettings(mind_model="scripted"), embedder=embedder)
    findings, found = _findings(max(EVIDENCE)), []
    try:
        for place in range(len(ASKED) * len(EVIDENCE)):
            asked, quotes = ASKED[place % len(ASKED)], EVIDENCE[place // len(ASKED)]
            known, before = findings[:quotes], len(model.calls)
            completion = JobCompletion(_job(asked, leaves=1 + place % 8), known, clock_ms=lambda: NOW_MS)
            call = Call(job="lengths", key=str(place), token="t", deadline_s=60)
            await completion.write(brain, ExtractiveBrain(embedder), call)
            completion.complete_job()
            carried = length_plan(known, depth="standard", leaves=1, max_words=asked).carried
            found.append(Written(asked, quotes, carried, completion.report, len(model.calls) - before))
    finally:
        await chat.close()
        await runner.cleanup()
    return found


def _job(asked: int, *, leaves: int) -> Job:
    questions = [Leaf(id=f"1.{n}", question=f"What about part {n}?") for n in range(1, leaves + 1)]
    return Job(
        id="lengthsaaaaa",
        state="synthesizing",
        inputs=JobInputs(goal="What did the articles say?", max_words=asked),
        outline=Outline(by="benchmark", sections=[Section(id="1", title="All", leaves=questions)]),
    )


def _findings(most: int) -> list[Finding]:
    """Sentences of the articles as findings, each once."""
    truth = json.loads((DATA / "articles" / "ground-truth.json").read_text("utf-8"))
    found: dict[str, Finding] = {}
    for place, page in enumerate(sorted(truth)):
        for piece in quotable_pieces(truth[page]["articleBody"])[:4]:
            text = piece.text
            if piece.form == "sentence" and 60 <= len(text) <= 320 and text[-1] == ".":
                found[text] = Finding(
                    id=f"f{len(found)}", command=f"lengths:{place}", claim=text, quote=text, start=0, end=len(text),
                    page_sha256=f"{place:064x}", url=f"https://h{place}.example/", title=f"Article {place}",
                )  # fmt: skip
    return list(found.values())[:most]
