"""Tests that every misbehaving host behaves as documented."""

import asyncio
import zlib
from collections.abc import AsyncIterator

import aiohttp
import pytest

from research_crawler.demo.content import load_world
from research_crawler.demo.demo_server import LocalWeb
from research_crawler.demo.demo_walls import wall
from research_crawler.demo.hazards import BEHAVIOURS
from tests.demo.conftest import Get


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        yield session


async def test_a_hazard_is_a_page_or_a_redirect_of_its_host(web: LocalWeb) -> None:
    for host in load_world().hosts.values():
        for name, path in host.hazards.items():
            if wall(path) is None:
                assert f"{host.key}:{path}" in web.world.pages or path in host.redirects, name
        assert host.behaviour in BEHAVIOURS


async def test_a_page_that_robots_forbids_exists_and_is_found_by_search(web: LocalWeb, get: Get) -> None:
    _, robots, _ = await get(web.hosts["fenced"] + "/robots.txt")
    assert b"Disallow: /members/" in robots
    assert (await get(web.hazards["robots_disallowed"]))[0] == 200
    _, found, _ = await get(web.search_url + "/search?q=Skelder+keeper+diary")
    assert web.hazards["robots_disallowed"].encode() in found


async def test_the_host_with_a_crawl_delay_asks_for_two_seconds(web: LocalWeb, get: Get) -> None:
    assert b"Crawl-delay: 2" in (await get(web.hosts["patient"] + "/robots.txt"))[1]


async def test_the_busy_host_throttles_once_and_then_serves(web: LocalWeb, get: Get) -> None:
    first = await get(web.hazards["too_many_requests"])
    second = await get(web.hazards["too_many_requests"])
    assert (first[0], first[2]["Retry-After"]) == (429, "1")
    assert second[0] == 200


async def test_the_flaky_host_fails_once_for_each_page(web: LocalWeb, get: Get) -> None:
    assert [(await get(web.hazards["server_error_once"]))[0] for _ in range(3)] == [500, 200, 200]


async def test_after_forget_a_host_fails_again(web: LocalWeb, get: Get) -> None:
    before = [(await get(web.hazards["server_error_once"]))[0] for _ in range(2)]
    web.forget()
    assert [*before, (await get(web.hazards["server_error_once"]))[0]] == [500, 200, 500]
    assert len(web.log) == 1


@pytest.mark.parametrize("name", ["slow", "trickle"])
async def test_a_slow_page_takes_its_time(web: LocalWeb, get: Get, name: str) -> None:
    status, body, _ = await get(web.hazards[name])
    entry = web.log[-1]
    assert status == 200
    assert b"</html>" in body
    assert entry.end_ms - entry.start_ms >= 190


async def follow(get: Get, url: str) -> list[str]:
    seen = [url]
    while len(seen) < 10:
        status, _, headers = await get(seen[-1])
        if status != 302:
            break
        seen.append(headers["Location"])
        if not seen[-1].startswith("http://127.0.3"):
            break
    return seen


async def test_a_redirect_loop_leads_back_and_a_chain_ends_at_a_page(web: LocalWeb, get: Get) -> None:
    assert len(await follow(get, web.hazards["redirect_loop"])) == 10
    chain = await follow(get, web.hazards["redirect_chain"])
    assert chain[-1] == web.hazards["redirect_chain_end"]
    assert len(chain) == 4


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("redirect_private", "http://10.0.0.1/"),
        ("redirect_metadata", "http://169.254.169.254/latest/meta-data/"),
        ("redirect_file", "file:///etc/hostname"),
    ],
)
async def test_a_redirect_leads_out_of_the_web(web: LocalWeb, get: Get, name: str, target: str) -> None:
    assert (await follow(get, web.hazards[name]))[-1] == target


async def test_a_redirect_to_loopback_names_this_runs_port(web: LocalWeb, get: Get) -> None:
    assert (await follow(get, web.hazards["redirect_loopback"]))[-1] == f"http://127.0.0.1:{web.port}/"


async def test_a_page_links_to_private_addresses(web: LocalWeb, get: Get) -> None:
    body = (await get(web.hazards["private_links"]))[1]
    for address in (b"http://10.0.0.1/", b"http://169.254.169.254/", b"http://192.168.0.1/"):
        assert b'href="' + address in body


async def test_the_huge_page_announces_no_length(web: LocalWeb, get: Get) -> None:
    _, body, headers = await get(web.hazards["huge"])
    assert len(body) >= 2_000_000
    assert "Content-Length" not in headers


async def test_the_endless_page_ends_when_its_client_disconnects(
    web: LocalWeb, session: aiohttp.ClientSession
) -> None:
    response = await session.get(web.hazards["endless"])
    for _ in range(4):
        await response.content.readany()
    response.close()
    for _ in range(50):
        if web.log:
            break
        await asyncio.sleep(0.02)
    assert web.log[-1].path == "/harrowgate-meeting-live"


@pytest.mark.parametrize(
    ("name", "charset", "word"),
    [
        ("utf8_declared_latin1", "utf-8", "brûlée"),
        ("cp1251_undeclared", "windows-1251", "форель"),
        ("cp1252_declared_utf8", "windows-1252", "“très chic”"),
        ("utf16", "utf-16", "wide carriage"),
    ],
)
async def test_the_real_charset_differs_from_the_header(
    web: LocalWeb, get: Get, name: str, charset: str, word: str
) -> None:
    _, body, headers = await get(web.hazards[name])
    assert word in body.decode(charset)
    assert f"charset={charset}" not in headers["Content-Type"]


async def test_binary_data_is_served_as_html(web: LocalWeb, get: Get) -> None:
    _, body, headers = await get(web.hazards["binary"])
    assert headers["Content-Type"].startswith("text/html")
    assert body.count(b"\0") > 100


async def test_the_gzip_bomb_is_small_until_it_is_decompressed(web: LocalWeb, get: Get) -> None:
    _, body, headers = await get(web.hazards["gzip_bomb"])
    assert headers["Content-Encoding"] == "gzip"
    assert len(body) < 10_000
    assert len(zlib.decompress(body, 31)) == 3_000_000


async def test_pages_can_be_empty_missing_or_gone(web: LocalWeb, get: Get) -> None:
    assert (await get(web.hazards["empty"]))[:2] == (200, b"")
    assert (await get(web.hazards["not_found"]))[0] == 404
    assert (await get(web.hazards["gone"]))[0] == 410


async def test_robots_txt_can_fail_be_redirected_or_hang(web: LocalWeb, get: Get) -> None:
    assert (await get(web.hosts["dark"] + "/robots.txt"))[0] == 503
    status, _, headers = await get(web.hosts["rules"] + "/robots.txt")
    assert (status, headers["Location"]) == (302, web.hosts["rules"] + "/policy/robots.txt")
    assert b"Disallow: /policy/" in (await get(headers["Location"]))[1]
    await get(web.hosts["mute"] + "/robots.txt")
    assert web.log[-1].end_ms - web.log[-1].start_ms >= 290
