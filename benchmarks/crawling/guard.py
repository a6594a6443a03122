"""Tests the address guard on every way into a private network, and on ordinary addresses.

The cases are those of PayloadsAllTheThings and others, collected as `ssrf/cases.jsonl` in RESEARCH_TEST_DATA.
"""

import asyncio
import gzip
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.children import Child, children, environment
from benchmarks.figures import Calibration, Figure, counted
from benchmarks.places import DATA
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.core.web.urls import canonical_url, host_of
from research_crawler.handlers.guarding_proxy import GuardingProxy, Streams

ORDINARY, PER_HOST = 1_000, 2
PUBLIC = "93.184.216.34"
_LINK = re.compile(rb"""(?:href|src)=["'](https?://[^"'\s<>]{4,300})""")


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Try addresses that must not be reached in every way, then addresses that must be reachable."""
    listed = DATA / "ssrf" / "cases.jsonl"
    if not listed.is_file():
        yield Figure(
            "addresses that must be refused", 0, "cases", note=f"no {listed}; set RESEARCH_TEST_DATA"
        )
        return
    entries = [json.loads(line) for line in listed.read_text("utf-8").splitlines()]
    cases = [entry["url"] for entry in entries if entry["expect"] == "block"]
    yield from _hostile(cases)
    names = [entry["url"] for entry in entries if entry["expect"] == "needs_dns_or_redirect"]
    yield _names(names)
    yield _ordinary()


def _hostile(cases: Sequence[str]) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder, children() as running:
        path = Path(folder, "cases.json")
        path.write_text(json.dumps(cases))
        child = Child.module("guard_child", path, env=environment(), folder=Path(folder))
        running.append(child)
        results: dict[str, Any] = child.hear()
    browser = results.pop("browser")
    for way, found in results.items():
        through, sockets = found["got_through"], found["sockets"]
        refusals = sum(sum(refused.values()) for refused in found["refused"])
        yield counted(
            f"{way}: reached or dialled",
            len(through) + len(sockets),
            "",
            ok=not through and not sockets,
            target="0",
            note=f"of {len(cases)} addresses{f', {refusals} requests refused at the gates' if refusals else ''}"
            + (f"; {(through + sockets)[:3]}" if through or sockets else ""),
        )
    if browser is None:
        yield Figure("the browser's own sockets", 0, "", note="no browser here")
        return
    yield counted(
        "the browser's own sockets, gates left out", len(browser), "", ok=not browser, target="0",
        note=str(browser[:5]) if browser else "by its network log",
    )  # fmt: skip


def _names(urls: Sequence[str]) -> Figure:
    """Names that resolve to a private address, as the services behind them would answer."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        inner = re.search(r"\d+\.\d+\.\d+\.\d+", host)
        return [PUBLIC, inner[0] if inner else "127.0.0.1"]

    refused, dialled = asyncio.run(_through_proxy(urls, resolve))
    return counted(
        "names that resolve to private addresses: dialled",
        len(dialled),
        "",
        ok=not dialled and len(refused) == len(urls),
        target="0",
        note=f"of {len(urls)} names, with a stub resolver",
    )


def _ordinary() -> Figure:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return [PUBLIC]

    urls = ordinary_urls()
    guard = _guard()
    refused = {url for url in urls if not guard.permits(url)}
    refused |= set(asyncio.run(_through_proxy(urls, resolve))[0])
    return counted(
        "ordinary addresses refused",
        len(refused),
        "",
        ok=not refused and len(urls) >= ORDINARY,
        target="0",
        note=f"of {len(urls)} on {len({host_of(url) for url in urls})} hosts"
        + (f"; {sorted(refused)[:3]}" if refused else ""),
    )


def ordinary_urls() -> list[str]:
    """Addresses that saved pages link to, at most two per host."""
    taken: dict[str, int] = {}
    urls: dict[str, None] = {}
    for path in sorted(DATA.glob("*/html/*.gz")):
        for link in _LINK.findall(gzip.decompress(path.read_bytes())):
            url = canonical_url(link.decode("utf-8", "replace").replace("&amp;", "&"))
            host = host_of(url) if url else ""
            if "." in host and url not in urls and taken.get(host, 0) < PER_HOST:
                taken[host] = taken.get(host, 0) + 1
                urls[url] = None
                if len(urls) == ORDINARY:
                    return list(urls)
    return list(urls)


async def _through_proxy(urls: Sequence[str], resolve: Any) -> tuple[list[str], list[str]]:
    """Request each URL through a gate. Return the URLs that it refuses and the addresses that it dials.

    No connection is made.
    """
    dialled: list[str] = []
    refused: list[str] = []

    async def dial(address: str, port: int) -> Streams:
        dialled.append(address)
        raise ConnectionRefusedError

    proxy = GuardingProxy(_guard(), resolve=resolve, dial=dial)
    async with proxy.gate() as gate:
        for url in urls:
            reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
            secure = url.startswith("https:")
            host = url.partition("://")[2].partition("/")[0]
            target = (host if re.search(r":\d+$", host) else f"{host}:443") if secure else url
            writer.write(f"{'CONNECT' if secure else 'GET'} {target} HTTP/1.1\r\n\r\n".encode())
            if b" 403 " in await reader.readline() and set(gate.refused) != {"tracker"}:
                refused.append(url)
            gate.refused.clear()
            writer.close()
    return refused, dialled


def _guard() -> AddressGuard:
    return AddressGuard(allow_private=[], allowed_hosts=[], blocked_hosts=[])
