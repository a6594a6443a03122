"""A forward proxy for tests. It passes on plain requests and tunnels, and records them."""

import asyncio
import base64
from contextlib import asynccontextmanager, closing, suppress
from urllib.parse import urlsplit

HOST = "127.0.7.7"


class ForwardProxy:
    """Every name leads to one host, so that only this proxy can know where pages are; empty: to its own."""

    def __init__(self, *, leads_to, password="", status=""):
        self.leads_to, self.status = leads_to, status
        self.wanted = b"Basic " + base64.b64encode(password.encode()) if password else b""
        self.asked = []
        self.port = 0
        self.serving = set()

    @property
    def url(self):
        return f"http://{HOST}:{self.port}"

    async def serve(self, reader, writer):
        self.serving.add(asyncio.current_task())
        with closing(writer), suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            line, _, fields = head.partition(b"\r\n")
            method, target, _ = line.decode().split(" ")
            self.asked.append((method, target))
            status = self.status or ("407 No" if self.wanted and self.wanted not in fields else "")
            if status:
                writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
                await writer.drain()
            else:
                await self._pass_on(method, target, fields, reader, writer)

    async def _pass_on(self, method, target, fields, reader, writer):
        parts = urlsplit(target if "://" in target else f"//{target}")
        up_reader, up_writer = await asyncio.open_connection(
            self.leads_to or parts.hostname, parts.port or 80
        )
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            up_writer.write(f"{method} {parts.path or '/'} HTTP/1.1\r\n".encode())
            up_writer.write(fields.removesuffix(b"\r\n") + b"Connection: close\r\n\r\n")
        with closing(up_writer):
            await asyncio.gather(_pump(reader, up_writer), _pump(up_reader, writer))


async def _pump(reader, writer):
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def forward_proxy(**options):
    """A running proxy."""
    proxy = ForwardProxy(**options)
    server = await asyncio.start_server(proxy.serve, HOST, 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        for task in proxy.serving:
            task.cancel()
        await asyncio.gather(*proxy.serving, return_exceptions=True)
