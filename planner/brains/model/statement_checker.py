"""The model as a checker of sentences: whether quotes say what they say, all in one call where they fit.

For what code doubts, the answer has to copy the words that say it before it judges: a model that approves of everything
has none. Where another model has the role of the auditor, of a small model, whose answers are short, and where it has
not copied them, they are asked for by a second question about what was approved of.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, Final

from planner.brains.model.answers.evidence_ids import index_of
from planner.brains.model.client import ModelClient, RoleRequest
from planner.brains.model.model_brain_settings import ModelSettings
from planner.brains.model.prompts.document_parts import WHOLE_QUOTE_CHARS, shortened_text
from planner.verify.second_reading import is_copied
from prompts.answers import SecondReaderAnswer, VerifierAnswer
from prompts.fences import fence_of, fenced, marks
from prompts.loader import Document, Entries, load
from prompts.schemas import second_reader_schema, verifier_schema
from research_crawler.core.brain_errors import BadAnswer, BrainFailed, BudgetExhausted, TooLate
from research_crawler.core.models.evidence.entailment import Pair, PairReading, Readings, unread
from research_crawler.core.ports.models import Call
from research_crawler.core.tasks.end_tasks import together

NOT_ANSWERED = "the model gave no verdict on it"
NOT_FOUND_AGAIN = "a second reading did not find it in the quotes"
ROLE: Final = "claim_verifier"
_STAYS: Final = 9.0
"""The worth of a statement whose quote others name, which stays."""


class StatementChecker:
    """Reads whether quotes say what statements say, with the role `claim_verifier`."""

    def __init__(self, client: ModelClient, settings: ModelSettings, name: str) -> None:
        self._client, self._settings, self.name = client, settings, name
        self._has_auditor = settings.model_of("auditor") != settings.model_of(ROLE)
        self._reads_twice = self._has_auditor or not settings.bounds.reasons

    async def check_entailment(
        self, pairs: Sequence[Pair], call: Call, *, question: str = "", language: str = "en"
    ) -> Readings:
        """One reading a pair; pairs that do not fit into one call are read in several at the same time.

        A call that fails is asked again with half of its pairs each, and with room for a longer answer; what then fails
        too, nobody has read.
        """
        batches = _batches(pairs, self._settings.statements_a_call)
        parts = [call] if len(batches) == 1 else [_part(call, f"read{n}") for n in range(len(batches))]
        read = await together(
            [self._read(batch, part, question, language) for batch, part in zip(batches, parts, strict=True)]
        )
        for part in parts if len(parts) > 1 else ():
            call.usage = call.usage + part.usage
        return Readings(by=self.name, found=[one for found in read for one in found])

    async def _read(
        self, pairs: Sequence[Pair], call: Call, question: str, language: str
    ) -> list[PairReading]:
        begun_s = time.monotonic()
        found = await self._read_once(pairs, call, question, language)
        all_quotes = [quote for pair in pairs for quote in pair.quotes]
        doubted = [
            index
            for index, (pair, reading) in enumerate(zip(pairs, found, strict=True))
            if pair.needs_second_reading
            and reading.verdict == "supported"
            and (
                self._reads_twice
                or not is_copied(reading.words, all_quotes if pair.opens_answer else pair.quotes)
            )
        ]
        if not doubted:
            return found
        again = [pairs[index] for index in doubted]
        shown = await _in_time_left(call, begun_s, "second", partial(self._shown, again))
        for index, (words, reason) in zip(doubted, shown, strict=True):
            found[index] = found[index].changed(words=words, reason=reason)
        return found

    async def _read_once(
        self, pairs: Sequence[Pair], call: Call, question: str, language: str
    ) -> list[PairReading]:
        begun_s = time.monotonic()
        try:
            return await self._asked(pairs, call, question, language)
        except (TooLate, BudgetExhausted) as error:
            return unread(len(pairs), why=str(error)).found
        except BrainFailed:
            halves = _batches(pairs, (len(pairs) + 1) // 2)
            found = []
            for n, half in enumerate(halves):
                ask = partial(self._again, half, question=question, language=language)
                found += await _in_time_left(call, begun_s, f"half{n}", ask)
            return found

    async def _again(
        self, pairs: Sequence[Pair], call: Call, question: str, language: str
    ) -> list[PairReading]:
        try:
            return await self._asked(pairs, call, question, language, is_repeated=True)
        except (BrainFailed, BudgetExhausted) as error:
            return unread(len(pairs), why=str(error)).found

    async def _asked(
        self, pairs: Sequence[Pair], call: Call, question: str, language: str, *, is_repeated: bool = False
    ) -> list[PairReading]:
        request = RoleRequest(
            ROLE,
            load("claim_verifier"),
            {
                **reading_documents(pairs, fence_of(call.job)),
                "question": question,
                "language": language,
                "doubted": "" if self._reads_twice else ", ".join(_doubted_ids(pairs)),
            },
            verifier_schema(self._settings.bounds, _ids(pairs), has_words=not self._reads_twice),
            is_repeated=is_repeated,
        )
        answer = await self._client.ask(request, VerifierAnswer, call)
        with self._client.counting_failures(call):
            return readings_from(answer, len(pairs), has_words=not self._reads_twice)

    async def _shown(self, pairs: Sequence[Pair], call: Call) -> list[tuple[str, str]]:
        """The words of the quotes that say each of these statements, empty with the reason where there are none."""
        question = RoleRequest(
            "auditor" if self._has_auditor else ROLE,
            load("claim_second_reader"),
            reading_documents(pairs, fence_of(call.job)),
            second_reader_schema(self._settings.bounds, _ids(pairs)),
        )
        try:
            answer = await self._client.ask(question, SecondReaderAnswer, call)
        except (BrainFailed, BudgetExhausted) as error:
            return [("", f"{NOT_FOUND_AGAIN}: {error}")] * len(pairs)
        return words_from(answer, len(pairs))


def _ids(pairs: Sequence[Pair]) -> list[str]:
    return [f"S{n}" for n in range(1, len(pairs) + 1)]


def _doubted_ids(pairs: Sequence[Pair]) -> list[str]:
    return [id_ for id_, pair in zip(_ids(pairs), pairs, strict=True) if pair.needs_second_reading]


def _batches(pairs: Sequence[Pair], most: int) -> list[Sequence[Pair]]:
    return [pairs[start : start + most] for start in range(0, len(pairs), most)]


def _part(call: Call, name: str) -> Call:
    return call.part(name, deadline_s=call.deadline_s)


async def _in_time_left(
    call: Call, begun_s: float, name: str, ask: Callable[[Call], Awaitable[list[Any]]]
) -> list[Any]:
    """What is asked within what is left of a call's time: beyond that, all that was read would be lost."""
    left_s = call.deadline_s + call.longest_wait_s - (time.monotonic() - begun_s)
    part = call.part(name, deadline_s=min(call.deadline_s, left_s))
    part.longest_wait_s = max(0.0, left_s - part.deadline_s)
    try:
        return await ask(part)
    finally:
        call.usage = call.usage + part.usage


def reading_documents(pairs: Sequence[Pair], fence: str) -> dict[str, Document]:
    """Inputs of both readers' prompts; statements are numbered S1, S2 …, each with its quotes, Q1, Q2 …: a quote of
    several statements is shown with the first of them, and named with the others; so is the sentence of a listing."""
    ids = {pair.statement: id_ for id_, pair in zip(_ids(pairs), pairs, strict=True)}
    shown = dict[str, str]()
    items, worth = list[str](), list[float]()
    owners = dict[str, int]()
    for n, pair in enumerate(pairs, start=1):
        above = ids.get(pair.below, "") if pair.below else ""
        lines = [f"S{n}. {_below(pair, above) if above else pair.statement}"]
        if pair.opens_answer:
            lines.append("   opens the answer")
        if pair.told_as:
            lines.append(f"   told as {pair.told_as}")
        if pair.missing_names:
            lines.append(f"   in no quote: {', '.join(pair.missing_names)}")
        for quote, source in zip_longest(pair.quotes, pair.sources[: len(pair.quotes)], fillvalue=""):
            quoted = f"“{shortened_text(quote, WHOLE_QUOTE_CHARS)}”{f' | {source}' * bool(source)}"
            if quoted in shown:
                lines.append(f"   quote {shown[quoted]}, see above")
                worth[owners[quoted]] = _STAYS
            else:
                shown[quoted], owners[quoted] = f"Q{len(shown) + 1}", n - 1
                lines.append(f"   quote {shown[quoted]}: {quoted}")
        items.append("\n".join(lines))
        worth.append(1.0)
    return {"fence": marks(fence), "statements": fenced(fence, Entries(items=items, worth=worth))}


def _below(pair: Pair, above: str) -> str:
    """A listing without its sentence, which is another statement."""
    return f"the listing below {above}{pair.statement.removeprefix(pair.below)}"


def words_from(answer: SecondReaderAnswer, shown: int) -> list[tuple[str, str]]:
    """The words that the second reader copied for each statement, or none and the reason."""
    found: dict[int, tuple[str, str]] = {}
    for entry in answer.statements:
        index = index_of(entry.id, "S", shown)
        if index is None:
            continue
        lacks, words = " ".join(entry.lacks.split()), " ".join(entry.words.split())
        found[index] = (
            ("", f"{NOT_FOUND_AGAIN}: {lacks}") if lacks else (words, "" if words else NOT_FOUND_AGAIN)
        )
    return [found.get(index, ("", NOT_FOUND_AGAIN)) for index in range(shown)]


def readings_from(answer: VerifierAnswer, shown: int, *, has_words: bool = False) -> list[PairReading]:
    """The readings of the statements that the model was shown; one that it left out is not read.

    Args:
        answer: what the model said.
        shown: how many statements it was shown.
        has_words: whether it was asked to copy the words that say doubted ones.

    Raises:
        BadAnswer: no verdict belongs to a statement.
    """
    found: dict[int, PairReading] = {}
    for entry in answer.statements:
        index = index_of(entry.id, "S", shown)
        if index is not None:
            reworded = " ".join(entry.reworded.split()) if entry.verdict != "contradicted" else ""
            reason = " ".join(entry.reason.split())
            words = " ".join(entry.words.split()) if has_words and entry.verdict == "supported" else ""
            found[index] = PairReading(verdict=entry.verdict, reason=reason, reworded=reworded, words=words)
    if not found:
        raise BadAnswer("none of the model's verdicts belongs to a statement")
    return [found.get(index, PairReading(reason=NOT_ANSWERED)) for index in range(shown)]
