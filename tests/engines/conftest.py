from collections.abc import AsyncIterator

import pytest

from tests.engines.fake_engines import FakeEngines


@pytest.fixture
async def engines() -> AsyncIterator[FakeEngines]:
    server = FakeEngines()
    await server.start()
    yield server
    await server.stop()
