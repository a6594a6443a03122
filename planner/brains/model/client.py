"""One question to a model: reserved, permitted, asked, paid and kept, then read."""

import asyncio
import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planner.brains.model.settings import ModelSettings
from prompts.answers import AnswerType, parse_answer
from prompts.loader import Document, Prompt, estimate_tokens
from research_crawler.core.errors import BadAnswer, BrainUnavailable
from research_crawler.core.failpoints import reach
from research_crawler.core.model_ports import Budget, Call, ChatAnswer, ChatModel
from research_crawler.core.models.events import Usage

MAX_TRIES = 2
"""A first try, and one more after the endpoint asked for a pause."""
_LEAST_CALL_S = 1.0
"""With less time left no call is begun."""


@dataclass(frozen=True)
class RoleRequest:
    """What a role is asked, ready to be sent."""

    role: str
    prompt: Prompt
    documents: Mapping[str, Document]
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class _Sent:
    role: str
    system: str
    user: str
    schema: Mapping[str, Any]
    bound_tokens: int


class Asker:
    """Asks a chat model within a budget; every try is a reservation of its own.

    An answer is kept under its call before it is used, so that a takeover finds it. A try without an answer
    is kept as an empty one.
    """

    def __init__(self, chat: ChatModel, budget: Budget | None, settings: ModelSettings) -> None:
        self._chat, self._budget, self._settings = chat, budget, settings

    async def ask(self, question: RoleRequest, answer: type[AnswerType], call: Call) -> AnswerType:
        """The model's answer in this role.

        Raises:
            BadAnswer: it does not fit, also not after one repair.
            BrainUnavailable: the endpoint gave none in time.
            BudgetExhausted, LeaseLost: as the budget says.
        """
        text = await self._text(self._sent(question), call)
        with self.counting_failures(call):
            return parse_answer(answer, text)

    @staticmethod
    @contextlib.contextmanager
    def counting_failures(call: Call) -> Iterator[None]:
        """Count an answer that turns out to be of no use."""
        try:
            yield
        except BadAnswer:
            call.usage = call.usage + Usage(failed_answers=1)
            raise

    def _sent(self, question: RoleRequest) -> _Sent:
        settings, prompt = self._settings, question.prompt
        system, user = prompt.render(
            {**question.documents, "schema": settings.schema_text(question.schema)},
            token_budget=settings.token_budget(prompt.recipe.token_budget),
        )
        bound = estimate_tokens(system) + estimate_tokens(user) + settings.answer_tokens[question.role]
        return _Sent(question.role, system, user, question.schema, bound)

    async def _text(self, sent: _Sent, call: Call) -> str:
        """The answer kept from before, else a new one; a second try where the endpoint asked for a pause."""
        ends = time.monotonic() + call.deadline_s
        for left in reversed(range(MAX_TRIES)):
            key = call.next_key(sent.role)
            kept = await self._budget.kept_answer(job=call.job, call=key) if self._budget else None
            if kept:
                return kept
            if kept is not None:
                continue
            try:
                return await self._try(sent, key, call, ends)
            except BrainUnavailable as error:
                pause_s = (error.retry_after_ms or 0) / 1000
                if not left or not pause_s or time.monotonic() + pause_s + _LEAST_CALL_S > ends:
                    raise
        raise BrainUnavailable("the endpoint gave no answer when it was asked before")

    async def _try(self, sent: _Sent, key: str, call: Call, ends: float) -> str:
        seconds = min(ends - time.monotonic(), self._settings.timeout_s)
        if seconds < _LEAST_CALL_S:
            raise BrainUnavailable("no time is left for a model call")
        if self._budget is None:
            answer = await self._complete(sent, seconds)
            self._count(call, answer)
            return answer.text
        reservation = await self._budget.reserve(
            job=call.job, call=key, token=call.token, bound_tokens=sent.bound_tokens, deadline_s=seconds
        )
        reach("after-reserve")
        spent, text = sent.bound_tokens, ""
        try:
            answer = await self._permitted(self._budget, reservation, sent, seconds, batch=call.batch)
            reach("after-model-call")
            spent, text = answer.prompt_tokens + answer.completion_tokens, answer.text
            self._count(call, answer)
        except BrainUnavailable as error:
            spent = sent.bound_tokens if error.maybe_paid else 0
            if error.retry_after_ms:
                await self._budget.block_model(self._settings.origin, error.retry_after_ms)
            raise
        finally:
            paid = self._budget.spend(
                reservation, job=call.job, call=key, token=call.token, tokens=spent, answer=text
            )
            await asyncio.shield(paid)
        reach("after-model-answer")
        return text

    async def _permitted(
        self, budget: Budget, reservation: str, sent: _Sent, seconds: float, *, batch: bool
    ) -> ChatAnswer:
        """Wait for one of the endpoint's places, then ask; both within the time."""
        ends, asked = time.monotonic() + seconds, False
        try:
            async with (
                asyncio.timeout(seconds),
                budget.model_permit(self._settings.origin, reservation, batch=batch),
            ):
                asked = True
                return await self._complete(sent, max(_LEAST_CALL_S, ends - time.monotonic()))
        except TimeoutError as error:
            raise BrainUnavailable(
                f"the model endpoint gave no answer within {seconds:.0f} s", maybe_paid=asked
            ) from error

    async def _complete(self, sent: _Sent, seconds: float) -> ChatAnswer:
        return await self._chat.complete(
            system=sent.system,
            user=sent.user,
            temperature=self._settings.temperature_of(sent.role),
            max_tokens=self._settings.answer_tokens[sent.role],
            schema=sent.schema,
            timeout_s=seconds,
            model=self._settings.model_of(sent.role),
        )

    @staticmethod
    def _count(call: Call, answer: ChatAnswer) -> None:
        call.usage = call.usage + Usage(
            model_calls=1, prompt_tokens=answer.prompt_tokens, completion_tokens=answer.completion_tokens
        )
