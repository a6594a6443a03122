"""States of requests as a leased command gives them, for components that are tested without a node."""

from typing import Any

from pydantic import TypeAdapter

from research_crawler.core.models.messages.commands import Command, Lease
from research_crawler.core.tasks.leases import Task
from research_crawler.core.web.urls import frontier_target
from research_crawler.frontier.request_state import RequestState


def state_for(url: str, *, command: dict[str, Any] | None = None, **fields: Any) -> RequestState:
    """The state of a request for a URL; `command`: fields of the command that is leased."""
    page = frontier_target(url)
    own = {"id": "j:1", "job": "j", "url": url, "slot": page.slot, "h": page.page_key} | (command or {})
    leased = TypeAdapter(Command).validate_python(own)
    known = {"task": Task(Lease(command=leased, token="t")), "target": frontier_target(url), "redirects": 0}
    return RequestState(**(known | fields))
