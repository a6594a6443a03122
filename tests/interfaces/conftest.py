"""What the tests of all interfaces share."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from mcp.server.mcpserver.tools.base import Tool


@pytest.fixture(scope="session", autouse=True)
def described_once() -> Iterator[None]:
    """Let the SDK read each tool's signature once a session: each server of a test has the same tools."""
    describe, known = Tool.from_function, dict[str, Tool]()

    def remembered(fn: Callable[..., Any], **given: Any) -> Tool:
        key = f"{fn.__module__}.{fn.__qualname__} {given}"
        if key not in known:
            known[key] = describe(fn, **given)
        return known[key].model_copy(update={"fn": fn})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tool, "from_function", remembered)
        yield
