"""The model as a reader: whether quotes say what statements say, all of them in one call where they fit."""

from collections.abc import Sequence
from itertools import zip_longest

from planner.brains.model.client import Asker, RoleRequest
from planner.brains.model.document_parts import WHOLE_QUOTE_CHARS, shortened
from planner.brains.model.evidence_ids import place_of
from planner.brains.model.settings import ModelSettings
from prompts.answers import VerifierAnswer
from prompts.fences import fenced, marks, new_fence
from prompts.loader import Document, Entries, load
from prompts.schemas import verifier_schema
from research_crawler.core.brain_errors import BadAnswer, BrainFailed, BudgetExhausted, TooLate
from research_crawler.core.end_tasks import together
from research_crawler.core.models.entailment import Pair, PairReading, Readings, unread
from research_crawler.core.ports.models import Call

NOT_ANSWERED = "the model gave no verdict on it"


class ModelReader:
    """The port `Entailment` with the role `claim_verifier`."""

    def __init__(self, asker: Asker, settings: ModelSettings, name: str) -> None:
        self._asker, self._settings, self.name = asker, settings, name

    async def judge(self, pairs: Sequence[Pair], call: Call, *, language: str = "en") -> Readings:
        """One reading a pair; pairs that do not fit into one call are read in several at the same time.

        A call that fails is asked again with half of its pairs each, so that every answer has more room; what then
        fails too, nobody has read.
        """
        batches = _batches(pairs, self._settings.checked_statements)
        parts = [call] if len(batches) == 1 else [_part(call, f"read{n}") for n in range(len(batches))]
        read = await together(
            [self._read(batch, part, language) for batch, part in zip(batches, parts, strict=True)]
        )
        for part in parts if len(parts) > 1 else ():
            call.usage = call.usage + part.usage
        return Readings(by=self.name, found=[one for found in read for one in found])

    async def _read(self, pairs: Sequence[Pair], call: Call, language: str) -> list[PairReading]:
        try:
            return await self._asked(pairs, call, language)
        except (TooLate, BudgetExhausted) as error:
            return unread(len(pairs), why=str(error)).found
        except BrainFailed:
            halves = _batches(pairs, (len(pairs) + 1) // 2)
            return [one for half in halves for one in await self._again(half, call, language)]

    async def _again(self, pairs: Sequence[Pair], call: Call, language: str) -> list[PairReading]:
        try:
            return await self._asked(pairs, call, language)
        except (BrainFailed, BudgetExhausted) as error:
            return unread(len(pairs), why=str(error)).found

    async def _asked(self, pairs: Sequence[Pair], call: Call, language: str) -> list[PairReading]:
        question = RoleRequest(
            "claim_verifier",
            load("claim_verifier"),
            reading_documents(pairs, language, new_fence()),
            verifier_schema(self._settings.bounds, [f"S{n}" for n in range(1, len(pairs) + 1)]),
        )
        answer = await self._asker.ask(question, VerifierAnswer, call)
        with self._asker.counting_failures(call):
            return readings_from(answer, len(pairs))


def _batches(pairs: Sequence[Pair], most: int) -> list[Sequence[Pair]]:
    return [pairs[start : start + most] for start in range(0, len(pairs), most)]


def _part(call: Call, name: str) -> Call:
    return call.part(name, deadline_s=call.deadline_s)


def reading_documents(pairs: Sequence[Pair], language: str, fence: str) -> dict[str, Document]:
    """Inputs of the claim verifier's prompt; statements are numbered S1, S2 …, each with its quotes."""
    items = [
        "\n".join(
            [
                f"S{n}. {one.statement}",
                *(
                    f"   quote: “{shortened(quote, WHOLE_QUOTE_CHARS)}”{f' | {source}' * bool(source)}"
                    for quote, source in zip_longest(one.quotes, one.sources[: len(one.quotes)], fillvalue="")
                ),
            ]
        )
        for n, one in enumerate(pairs, start=1)
    ]
    return {
        "fence": marks(fence),
        "language": language,
        "statements": fenced(fence, Entries(items=items, worth=[1.0] * len(items))),
    }


def readings_from(answer: VerifierAnswer, shown: int) -> list[PairReading]:
    """The readings of the statements that the model was shown; one that it left out is not read.

    Raises:
        BadAnswer: no verdict belongs to a statement.
    """
    found: dict[int, PairReading] = {}
    for entry in answer.statements:
        place = place_of(entry.id, "S", shown)
        if place is not None:
            reworded = " ".join(entry.reworded.split()) if entry.verdict == "not_said" else ""
            reason = " ".join(entry.reason.split())
            found[place] = PairReading(verdict=entry.verdict, reason=reason, reworded=reworded)
    if not found:
        raise BadAnswer("none of the model's verdicts belongs to a statement")
    return [found.get(place, PairReading(reason=NOT_ANSWERED)) for place in range(shown)]
