"""The proxy of a company network (RESEARCH_PROXY), through which every fetch goes.

The proxy resolves names then, so the guard can check only URLs, that is names and literal addresses, and the
proxy must keep private networks closed. Endpoints that the operator configured on this machine itself are
requested directly, because the proxy has another loopback.
"""

import asyncio
import base64
import ssl
from dataclasses import dataclass, replace
from urllib.parse import SplitResult, unquote, urlsplit

from research_crawler.core.config import Config
from research_crawler.core.errors import FetchFailed
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.settings.sources import masked
from research_crawler.core.web.hosts import read_host
from research_crawler.core.web.urls import DEFAULT_PORTS, host_of
from research_crawler.handlers.proxy_messages import Malformed, ProxyRequest, read_head, request_head

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

NOTICE = "every fetch goes through it; the address guard judges names and literal addresses, not what they resolve to"


@dataclass(frozen=True)
class UpstreamProxy:
    """An http(s) forward proxy, with user and password in its URL if it needs them."""

    url: str

    @classmethod
    def from_config(cls, config: Config) -> "UpstreamProxy | None":
        """The configured proxy; None if there is none."""
        url = config.proxy.get_secret_value()
        return cls(url) if url else None

    @property
    def shown(self) -> str:
        """The URL without its password."""
        return masked(self.url)

    async def connect(self) -> Streams:
        """Open a connection to the proxy itself.

        Raises:
            OSError: the proxy does not answer.
        """
        parts = urlsplit(self.url)
        tls = ssl.create_default_context() if parts.scheme == "https" else None
        port = parts.port or DEFAULT_PORTS[parts.scheme]
        return await asyncio.open_connection(parts.hostname, port, ssl=tls)

    async def tunnel(self, host: str, port: int) -> Streams:
        """Open a connection through the proxy to a host that the guard has checked (RFC 9110, 9.3.6).

        Raises:
            OSError: the proxy does not answer.
            FetchFailed: the proxy refuses, `proxy: <status>`.
        """
        reader, writer = await self.connect()
        try:
            authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
            writer.write(
                f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n".encode()
                + self._authorization()
                + b"\r\n"
            )
            await writer.drain()
            status = (await read_head(reader))[9:12].decode("latin-1")
            if status != "200":
                raise FetchFailed(Why(Reason.PROXY, status), transient=is_transient(status))
        except (Malformed, asyncio.IncompleteReadError) as error:
            writer.close()
            raise FetchFailed(Why(Reason.PROXY, "broken"), transient=True) from error
        except BaseException:
            writer.close()
            raise
        return reader, writer

    def head(self, request: ProxyRequest) -> bytes:
        """The head of a plain request for this proxy, with the complete URL and the credentials."""
        head = request_head(replace(request, target=request.url.encode()))
        return head.removesuffix(b"\r\n") + self._authorization() + b"\r\n"

    def _authorization(self) -> bytes:
        credentials = _credentials(urlsplit(self.url))
        if not credentials:
            return b""
        return b"Proxy-Authorization: Basic " + base64.b64encode(credentials.encode()) + b"\r\n"


def is_transient(status: str | int) -> bool:
    """Whether a proxy's refusal may be temporary. 403 and 451 are rules of the company."""
    return str(status) not in ("403", "451")


def is_of_this_machine(url: str) -> bool:
    """Whether the host of a URL is a loopback address or localhost."""
    try:
        name, readings = read_host(host_of(url))
    except ValueError:
        return False
    return (
        name == "localhost" or name.endswith(".localhost") or any(reading.is_loopback for reading in readings)
    )


def _credentials(parts: SplitResult) -> str:
    if parts.username is None:
        return ""
    return f"{unquote(parts.username)}:{unquote(parts.password or '')}"
