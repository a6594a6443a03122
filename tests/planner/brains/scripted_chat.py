"""A chat model with scripted answers, and a budget that records its calls."""

import contextlib
import json

from research_crawler.core.ports.models import ChatAnswer


class ScriptedChat:
    """Gives its answers in order, as text, data or whole answers; raises those that are exceptions."""

    name = "scripted"

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    async def complete(self, **asked):
        self.asked.append(asked)
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, ChatAnswer):
            return answer
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return ChatAnswer(text, 100, 20, asked["model"] or "scripted")


class LedgerBudget:
    """Records reservations, amounts and answers; refuses calls above the `ceiling`."""

    def __init__(self, ceiling=None):
        self.ceiling, self.reserved, self.spent, self.kept, self.blocked = ceiling, {}, {}, {}, []
        self.permits = 0

    async def reserve(self, *, job, call, token, bound_tokens, deadline_s, bound_usd=0.0, model=""):
        from research_crawler.core.brain_errors import BudgetExhausted

        if self.ceiling is not None and sum(self.spent.values()) + bound_tokens > self.ceiling:
            raise BudgetExhausted("the ceiling is reached")
        self.reserved[f"{job}:{call}:{token}"] = bound_tokens
        return f"{job}:{call}:{token}"

    async def spend(self, reservation, *, job, call, token, tokens, answer, usd=0.0):
        self.spent[reservation] = tokens
        self.kept.setdefault(call, answer)

    async def kept_answer(self, *, job, call):
        return self.kept.get(call)

    @contextlib.asynccontextmanager
    async def model_permit(self, origin, reservation, *, batch=False):
        self.permits += 1
        yield

    async def block_model(self, origin, retry_after_ms):
        self.blocked.append((origin, retry_after_ms))
