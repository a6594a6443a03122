"""Tells before a question is sent whether shops will be asked for it: interfaces may not ask the planner themselves."""

from typing import Literal

from planner.goal.intent import detect_intent
from planner.goal.product_kind import leaves_shops_unasked

ShopsAsked = Literal["yes", "no", "unsaid"]
"""no: it is a question for something cheap, and is answered from pages; unsaid: it is about nothing to buy."""


def shops_asked(goal: str) -> ShopsAsked:
    """Whether shops will be asked for a goal whose intent the caller does not give."""
    intent = detect_intent(goal)
    if intent == "commerce":
        return "yes"
    return "no" if leaves_shops_unasked(goal, intent) else "unsaid"
