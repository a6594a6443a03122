"""What the routes of one server share: the running process, and whether the server is about to end."""

import asyncio
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request

from research_crawler.runtime.runtime import Runtime


@dataclass
class ServerState:
    """The state of one server."""

    runtime: Runtime
    ending: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the server drains: requests that wait answer with what there is."""


def state_of(request: Request) -> ServerState:
    """The state of the server that got this request."""
    state: ServerState = request.app.state.server
    return state


def runtime_of(request: Request) -> Runtime:
    """The running process behind this server."""
    return state_of(request).runtime


RuntimeOf = Annotated[Runtime, Depends(runtime_of)]
"""A parameter of a route: the running process."""
StateOf = Annotated[ServerState, Depends(state_of)]
"""A parameter of a route: the state of the server."""
