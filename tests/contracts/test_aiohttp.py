"""aiohttp: `handlers.pinned` puts the address guard between resolving a name and dialling it."""

import inspect

import aiohttp

from tests.contracts.private_names import parameters, relied_on


def test_a_connector_resolves_hosts_in_a_method_that_can_be_replaced():
    method = relied_on(
        aiohttp.TCPConnector, "_resolve_host", "handlers.pinned checks addresses before they are dialled"
    )
    assert inspect.iscoroutinefunction(method)
    assert parameters(method) == ["self", "host", "port", "traces"]


async def test_a_connector_asks_that_method_for_every_host_also_for_a_literal_address():
    asked = []

    class Connector(aiohttp.TCPConnector):
        async def _resolve_host(self, host, port, traces=None):
            asked.append(host)
            raise aiohttp.ClientConnectionError("not dialled")

    async with aiohttp.ClientSession(connector=Connector()) as session:
        for url in ("http://127.0.0.1:9/", "http://shop.example/"):
            try:
                await session.get(url)
            except aiohttp.ClientError:
                continue
            raise AssertionError(f"aiohttp dials {url} without asking _resolve_host")
    assert asked == ["127.0.0.1", "shop.example"]
