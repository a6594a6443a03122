"""Ask a model one question: reserve tokens, take a permit, ask, pay, keep the answer, and parse it."""

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from planner.brains.model.model_brain_settings import ModelSettings
from prompts.answers import ParsedAnswer, parse_answer_by
from prompts.loader import Document, Prompt, estimate_tokens
from prompts.repair import Repair, repaired_here
from research_crawler.core.brain_errors import BadAnswer, BrainUnavailable, BudgetExhausted, TooLate
from research_crawler.core.failpoints import failpoint
from research_crawler.core.models.messages.events import RoleTokens, Usage
from research_crawler.core.ports.models import Budget, Call, ChatAnswer, ChatModel

TRIES_WITH_PAUSE_AND_CUT = 3
"""Calls for one question: the first, one more if the endpoint asked for a pause, and one more if the answer was cut.

An answer that is no valid JSON or does not fit is not asked for again here: it is repaired (`prompts/repair.py`), or
a BadAnswer. After one, `ModelBrain.decide` asks again with flat schemas, `reader.py` in halves, and
`pages/together.py` page by page; all else is answered by the brain without a model (`fallback.py`)."""
_WHOLE_SHARE = 0.9
"""An endpoint that had this share of the time of the settings had all of it, but for what the call itself takes."""
_LEAST_CALL_S = 1.0
"""With less time left, no call is started."""


@dataclass(frozen=True)
class RoleRequest:
    """The question to a role: its prompt, documents and answer schema."""

    role: str
    prompt: Prompt
    documents: Mapping[str, Document]
    schema: Mapping[str, Any]
    also: tuple[str, ...] = ()
    """Other roles whose answers this one contains: it may be as long as all of them."""
    is_repeated: bool = False
    """Whether an answer to it was of no use: the next one may be longer."""


@dataclass(frozen=True)
class _Rendered:
    """A question as text, ready to be sent."""

    role: str
    system: str
    user: str
    schema: Mapping[str, Any]
    answer_tokens: int
    """Most tokens of the answer, a reasoning model's thoughts included."""

    @property
    def bound_tokens(self) -> int:
        """Most tokens that the call can cost, with the schema, which endpoints bill as a part of the prompt."""
        sent = (self.system, self.user, json.dumps(self.schema))
        return sum(map(estimate_tokens, sent)) + self.answer_tokens


class _Limit:
    """What is left of the time of a call: for the model's answers, and for waits for a slot of the endpoint."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self._started_s, self._waited_s = time.monotonic(), 0.0

    @property
    def left_s(self) -> float:
        """Seconds left for answers."""
        return self.call.deadline_s - (time.monotonic() - self._started_s - self._waited_s)

    @property
    def wait_left_s(self) -> float:
        """Seconds of waiting left."""
        return max(0.0, self.call.longest_wait_s - self._waited_s)

    def waited(self, seconds: float) -> None:
        """Count a wait for a slot."""
        self._waited_s += seconds


class ModelClient:
    """Asks a chat model within a budget; every try has its own reservation.

    An answer is kept under the key of its call before it is used, so that a process that takes the job over finds
    it. For a try without an answer, or with one that was cut off, an empty one is kept.

    Models that think before they answer spend tokens of the answer on it. Once a model has done so, it always gets
    the larger number of tokens that the settings have for such models.
    """

    def __init__(
        self,
        chat: ChatModel,
        budget: Budget | None,
        settings: ModelSettings,
        *,
        repair: Repair = repaired_here,
    ) -> None:
        """`repair` makes JSON of an answer that is none."""
        self._chat, self._budget, self._settings, self._repair = chat, budget, settings, repair
        self._reasoning: set[str] = set()
        """Names of models that think before they answer."""

    async def ask(self, question: RoleRequest, answer: type[ParsedAnswer], call: Call) -> ParsedAnswer:
        """The model's answer in this role.

        Raises:
            BadAnswer: the answer does not fit the schema, even after one repair, or the model used up all its
                tokens before it answered.
            BrainUnavailable: the endpoint gave no answer in time.
            TooLate: the time of the job ended before the time that the endpoint has for an answer.
            BudgetExhausted, LeaseLost: raised by the budget.
        """
        with self.counting_failures(call):
            text = await self._text(self._rendered(question), call)
            return await parse_answer_by(self._repair, answer, text)

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
            question.documents,
            token_budget=settings.token_budget(prompt.recipe.token_budget),
        )
        is_reasoning = settings.model_of(question.role) in self._reasoning
        tokens = settings.most_answer_tokens(question.role, is_reasoning, question.also)
        return _Rendered(
            question.role,
            system,
            user,
            question.schema,
            settings.larger_answer_tokens(tokens) if question.is_repeated else tokens,
        )

    async def _text(self, rendered: _Rendered, call: Call) -> str:
        """The answer kept by an earlier try, else a new one; asked for again after a pause or with more tokens."""
        limit, cut, has_paused = _Limit(call), "", False
        larger = self._settings.larger_answer_tokens(rendered.answer_tokens)
        for _ in range(TRIES_WITH_PAUSE_AND_CUT):
            key = call.next_key(rendered.role)
            kept_answer = await self._budget.kept_answer(job=call.job, call=key) if self._budget else None
            if kept_answer:
                return kept_answer
            if kept_answer is not None:
                continue
            try:
                answer = await self._try(
                    rendered, key, call, limit, keeps_cut=rendered.answer_tokens >= larger
                )
            except (BrainUnavailable, BudgetExhausted) as error:
                if cut.strip():
                    return cut
                if has_paused or not _may_try_again(error, limit):
                    raise
                has_paused = True
                continue
            if not answer.is_cut or rendered.answer_tokens >= larger:
                return self._usable(answer, rendered, longer_than=cut)
            rendered, cut = replace(rendered, answer_tokens=larger), answer.text
        raise BrainUnavailable("the endpoint gave no answer to an earlier try")

    @staticmethod
    def _usable(answer: ChatAnswer, rendered: _Rendered, *, longer_than: str) -> str:
        """The text of the last answer, or of an earlier one that got further."""
        text = max(answer.text, longer_than, key=len) if answer.is_cut else answer.text
        if answer.is_cut and not text.strip():
            raise BadAnswer(
                f"the model used up {rendered.answer_tokens} tokens before it answered; raise "
                "RESEARCH_REASONING_ANSWER_TOKENS"
            )
        return text

    async def _try(
        self, rendered: _Rendered, key: str, call: Call, limit: "_Limit", *, keeps_cut: bool
    ) -> ChatAnswer:
        """One call; the answer is kept, one that was cut off only if it is not asked for again."""
        seconds = min(limit.left_s, self._settings.timeout_s)
        if seconds < _LEAST_CALL_S:
            raise TooLate("no time is left for a model call")
        if self._budget is None:
            with call.watch.waiting():
                answer = await self._complete(rendered, seconds)
            self._count(rendered.role, call, answer)
            return answer
        reservation = await self._budget.reserve(
            job=call.job,
            call=key,
            token=call.token,
            bound_tokens=rendered.bound_tokens,
            deadline_s=seconds + limit.wait_left_s,
            bound_usd=self._bound_usd(rendered),
            model=self._settings.model_of(rendered.role),
        )
        failpoint("after-reserve")
        spent, kept, usd = rendered.bound_tokens, "", self._bound_usd(rendered)
        try:
            answer = await self._permitted(self._budget, reservation, rendered, seconds, limit)
            failpoint("after-model-call")
            spent = answer.prompt_tokens + answer.completion_tokens
            usd = self._usd(rendered.role, answer)
            kept = answer.text if keeps_cut or not answer.is_cut else ""
            self._count(rendered.role, call, answer)
        except BrainUnavailable as error:
            spent, usd = (spent, usd) if error.maybe_paid else (0, 0.0)
            if error.retry_after_ms:
                await self._budget.block_model(self._settings.origin, error.retry_after_ms)
            raise
        finally:
            paid = self._budget.spend(
                reservation, job=call.job, call=key, token=call.token, tokens=spent, answer=kept, usd=usd
            )
            await asyncio.shield(paid)
        failpoint("after-model-answer")
        return answer

    async def _permitted(
        self, budget: Budget, reservation: str, rendered: _Rendered, seconds: float, limit: "_Limit"
    ) -> ChatAnswer:
        """Wait for a permit of the endpoint, then ask for `seconds`, less what the wait took over its own limit."""
        permit = budget.model_permit(self._settings.origin, reservation, batch=limit.call.batch)
        # The whole call is a wait for the job: what a model's answer takes is not work that the job was given.
        async with contextlib.AsyncExitStack() as held:
            held.enter_context(limit.call.watch.waiting())
            wait_left_s, waiting_since_s = limit.wait_left_s, time.monotonic()
            longest_s = max(seconds, wait_left_s)
            try:
                async with asyncio.timeout(longest_s):
                    await held.enter_async_context(permit)
            except TimeoutError as error:
                raise BrainUnavailable(f"the model endpoint had no slot within {longest_s:.0f} s") from error
            waited_s = time.monotonic() - waiting_since_s
            limit.waited(min(waited_s, wait_left_s))
            seconds = max(_LEAST_CALL_S, seconds - max(0.0, waited_s - wait_left_s))
            try:
                async with asyncio.timeout(seconds):
                    return await self._complete(rendered, seconds)
            except TimeoutError as error:
                raise self._no_answer(seconds) from error
            except BrainUnavailable as error:
                if error.is_timeout:
                    raise self._no_answer(seconds) from error
                raise

    def _no_answer(self, seconds: float) -> BrainUnavailable:
        """An answer did not come in time: the endpoint's fault only if it had all the time of the settings."""
        if seconds < _WHOLE_SHARE * self._settings.timeout_s:
            return TooLate(
                f"the time left was over before the model's answer ({seconds:.0f} s)", maybe_paid=True
            )
        return BrainUnavailable(f"the model endpoint gave no answer within {seconds:.0f} s", maybe_paid=True)

    async def _complete(self, rendered: _Rendered, seconds: float) -> ChatAnswer:
        model = self._settings.model_of(rendered.role)
        answer = await self._chat.complete(
            system=rendered.system,
            user=rendered.user,
            temperature=self._settings.temperature_of(rendered.role),
            max_tokens=rendered.answer_tokens,
            schema=rendered.schema,
            timeout_s=seconds,
            model=model,
        )
        if answer.has_reasoned:
            self._reasoning.add(model)
        return answer

    def _bound_usd(self, rendered: _Rendered) -> float:
        """Most money that the call can cost."""
        prompt = rendered.bound_tokens - rendered.answer_tokens
        return self._settings.usd(rendered.role, prompt, rendered.answer_tokens)

    def _usd(self, role: str, answer: ChatAnswer) -> float:
        return self._settings.usd(role, answer.prompt_tokens, answer.completion_tokens, answer.cached_tokens)

    def _count(self, role: str, call: Call, answer: ChatAnswer) -> None:
        tokens = RoleTokens(
            calls=1,
            prompt_tokens=answer.prompt_tokens,
            cached_tokens=answer.cached_tokens,
            completion_tokens=answer.completion_tokens,
        )
        call.usage = call.usage + Usage(
            model_calls=1,
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            usd=self._usd(role, answer),
            by_role={role: tokens},
        )


def _may_try_again(error: BrainUnavailable | BudgetExhausted, limit: _Limit) -> bool:
    """Whether the endpoint asked for a pause that fits into the time left."""
    pause_s = (getattr(error, "retry_after_ms", None) or 0) / 1000
    return pause_s > 0 and pause_s + _LEAST_CALL_S <= limit.left_s + limit.wait_left_s
