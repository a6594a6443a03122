"""What the machines do now, and the settings with their origins."""

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import Response

from research_crawler.core.settings.origins import describe, setting_docs
from research_crawler.interfaces.dashboard.forms import FormOf
from research_crawler.interfaces.dashboard.page_templates import page
from research_crawler.interfaces.http.state import RuntimeOf, StateOf
from research_crawler.services.doctor.examine import look_around
from research_crawler.services.jobs.machines import machines_now

router = APIRouter(prefix="/system")


@router.get("")
async def system_page(request: Request, runtime: RuntimeOf) -> Response:
    """Nodes, queues, hosts that wait, failures, and settings. Secrets are masked."""
    docs = setting_docs(type(runtime.config))
    settings = [(name, value, origin, docs.get(name, "")) for name, value, origin in describe(runtime.config)]
    settings.sort(key=lambda setting: setting[2].startswith("default"))  # those that were set come first
    return page(request, "system.html", {"machines": await machines_now(runtime), "settings": settings})


@router.get("/doctor")
async def doctor_page(request: Request, runtime: RuntimeOf) -> Response:
    """The checks of `research doctor` that ask nobody, each with what to do."""
    return page(request, "doctor.html", {"checks": await look_around(runtime), "asked": None, "asked_ms": 0})


@router.post("/doctor")
async def doctor_asks(request: Request, state: StateOf, _form: FormOf) -> Response:
    """All checks: providers and models are asked, once for all who press the button within a minute."""
    checks, ran = await asyncio.gather(look_around(state.runtime), state.asked_services.result())
    return page(request, "doctor.html", {"checks": checks, "asked": ran.result, "asked_ms": ran.ended_ms})
