"""What the machines do now, and the settings with their origins."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from research_crawler.core.settings.origins import describe, setting_docs
from research_crawler.interfaces.dashboard.pages import page
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.jobs.machines import look_at_machines

router = APIRouter(prefix="/system")


@router.get("")
async def system_page(request: Request, runtime: RuntimeOf) -> Response:
    """Nodes, queues, hosts that wait, failures, and settings. Secrets are masked."""
    docs = setting_docs(type(runtime.config))
    settings = [(name, value, origin, docs.get(name, "")) for name, value, origin in describe(runtime.config)]
    return page(request, "system.html", machines=await look_at_machines(runtime), settings=settings)
