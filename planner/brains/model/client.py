"""Ask a model one question: reserve tokens, take a permit, ask, pay, keep the answer, and parse it."""

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
from research_crawler.core.models.events import Usage
from research_crawler.core.ports.models import Budget, Call, ChatAnswer, ChatModel

MAX_TRIES = 2
"""The first try, and one more if the endpoint asked for a pause."""
_LEAST_CALL_S = 1.0
"""With less time left, no call is started."""


@dataclass(frozen=True)
class RoleRequest:
    """The question to a role: its prompt, documents and answer schema."""

    role: str
    prompt: Prompt
    documents: Mapping[str, Document]
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class _Rendered:
    """A question as text, ready to be sent."""

    role: str
    system: str
    user: str
    schema: Mapping[str, Any]
    bound_tokens: int
    """Most tokens that the call can cost."""


class _Limit:
    """What is left of the time of a call: of its work, and of its waits for a slot of the endpoint."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self._started_s, self._waited_s = time.monotonic(), call.watch.waited_s

    @property
    def left_s(self) -> float:
        """Seconds of work left."""
        return self.call.deadline_s - (time.monotonic() - self._started_s - self._wait_s)

    @property
    def wait_left_s(self) -> float:
        """Seconds of waiting left."""
        return max(0.0, self.call.longest_wait_s - self._wait_s)

    @property
    def _wait_s(self) -> float:
        return self.call.watch.waited_s - self._waited_s


class Asker:
    """Asks a chat model within a budget; every try has its own reservation.

    An answer is kept under the key of its call before it is used, so that a process that takes the job over finds
    it. For a try without an answer, an empty one is kept.
    """

    def __init__(self, chat: ChatModel, budget: Budget | None, settings: ModelSettings) -> None:
        self._chat, self._budget, self._settings = chat, budget, settings

    async def ask(self, question: RoleRequest, answer: type[AnswerType], call: Call) -> AnswerType:
        """The model's answer in this role.

        Raises:
            BadAnswer: the answer does not fit the schema, even after one repair.
            BrainUnavailable: the endpoint gave no answer in time.
            BudgetExhausted, LeaseLost: raised by the budget.
        """
        text = await self._text(self._rendered(question), call)
        with self.counting_failures(call):
            return parse_answer(answer, text)

    @staticmethod
    @contextlib.contextmanager
    def counting_failures(call: Call) -> Iterator[None]:
        """Count an answer as failed that turns out to be unusable."""
        try:
            yield
        except BadAnswer:
            call.usage = call.usage + Usage(failed_answers=1)
            raise

    def _rendered(self, question: RoleRequest) -> _Rendered:
        settings, prompt = self._settings, question.prompt
        system, user = prompt.render(
            {**question.documents, "schema": settings.schema_text(question.schema)},
            token_budget=settings.token_budget(prompt.recipe.token_budget),
        )
        bound = estimate_tokens(system) + estimate_tokens(user) + settings.answer_tokens[question.role]
        return _Rendered(question.role, system, user, question.schema, bound)

    async def _text(self, rendered: _Rendered, call: Call) -> str:
        """The answer kept by an earlier try, else a new one; a second try if the endpoint asked for a pause."""
        limit = _Limit(call)
        for tries_left in reversed(range(MAX_TRIES)):
            key = call.next_key(rendered.role)
            kept_answer = await self._budget.kept_answer(job=call.job, call=key) if self._budget else None
            if kept_answer:
                return kept_answer
            if kept_answer is not None:
                continue
            try:
                return await self._try(rendered, key, call, limit)
            except BrainUnavailable as error:
                pause_s = (error.retry_after_ms or 0) / 1000
                if (
                    not tries_left
                    or not pause_s
                    or pause_s + _LEAST_CALL_S > limit.left_s + limit.wait_left_s
                ):
                    raise
        raise BrainUnavailable("the endpoint gave no answer to an earlier try")

    async def _try(self, rendered: _Rendered, key: str, call: Call, limit: "_Limit") -> str:
        seconds = min(limit.left_s, self._settings.timeout_s)
        if seconds < _LEAST_CALL_S:
            raise BrainUnavailable("no time is left for a model call")
        if self._budget is None:
            answer = await self._complete(rendered, seconds)
            self._count(call, answer)
            return answer.text
        reservation = await self._budget.reserve(
            job=call.job,
            call=key,
            token=call.token,
            bound_tokens=rendered.bound_tokens,
            deadline_s=seconds + limit.wait_left_s,
        )
        reach("after-reserve")
        spent, text = rendered.bound_tokens, ""
        try:
            answer = await self._permitted(self._budget, reservation, rendered, seconds, limit)
            reach("after-model-call")
            spent, text = answer.prompt_tokens + answer.completion_tokens, answer.text
            self._count(call, answer)
        except BrainUnavailable as error:
            spent = rendered.bound_tokens if error.maybe_paid else 0
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
        self, budget: Budget, reservation: str, rendered: _Rendered, seconds: float, limit: "_Limit"
    ) -> ChatAnswer:
        """Wait for a permit of the endpoint, then ask for `seconds`, less what the wait took over its own limit."""
        permit = budget.model_permit(self._settings.origin, reservation, batch=limit.call.batch)
        async with contextlib.AsyncExitStack() as held:
            wait_left_s, waiting_since_s = limit.wait_left_s, time.monotonic()
            longest_s = max(seconds, wait_left_s)
            try:
                with limit.call.watch.waiting():
                    async with asyncio.timeout(longest_s):
                        await held.enter_async_context(permit)
            except TimeoutError as error:
                raise BrainUnavailable(f"the model endpoint had no slot within {longest_s:.0f} s") from error
            over_s = max(0.0, time.monotonic() - waiting_since_s - wait_left_s)
            seconds = max(_LEAST_CALL_S, seconds - over_s)
            try:
                async with asyncio.timeout(seconds):
                    return await self._complete(rendered, seconds)
            except TimeoutError as error:
                raise BrainUnavailable(
                    f"the model endpoint gave no answer within {seconds:.0f} s", maybe_paid=True
                ) from error

    async def _complete(self, rendered: _Rendered, seconds: float) -> ChatAnswer:
        return await self._chat.complete(
            system=rendered.system,
            user=rendered.user,
            temperature=self._settings.temperature_of(rendered.role),
            max_tokens=self._settings.answer_tokens[rendered.role],
            schema=rendered.schema,
            timeout_s=seconds,
            model=self._settings.model_of(rendered.role),
        )

    @staticmethod
    def _count(call: Call, answer: ChatAnswer) -> None:
        call.usage = call.usage + Usage(
            model_calls=1, prompt_tokens=answer.prompt_tokens, completion_tokens=answer.completion_tokens
        )
