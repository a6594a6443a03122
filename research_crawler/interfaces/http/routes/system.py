"""`/health`: whether the server works."""

from typing import Literal

from fastapi import APIRouter, Response

from research_crawler.core.models.base import Frozen
from research_crawler.interfaces.http.state import StateOf

router = APIRouter(tags=["system"])


class HealthAnswer(Frozen):
    """Whether the server takes requests."""

    status: Literal["ok", "ending", "fault"]


@router.get("/health", responses={503: {"model": HealthAnswer}})
async def health(state: StateOf, response: Response) -> HealthAnswer:
    """Whether the server takes requests and Redis answers; it needs no token."""
    if state.ending.is_set():
        response.status_code = 503
        return HealthAnswer(status="ending")
    if state.runtime.container.presence.fault(lasting_s=0):
        response.status_code = 503
        return HealthAnswer(status="fault")
    return HealthAnswer(status="ok")
