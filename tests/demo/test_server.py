"""Tests of the demo web's responses and of its log."""

import asyncio
import json
import socket
from urllib.parse import urlencode

import pytest

from research_crawler.demo.demo_server import LocalWeb, free_port
from research_crawler.demo.hazards import WebOptions
from research_crawler.demo.request_log import Served, gaps_ms
from tests.demo.conftest import Get


async def search(web: LocalWeb, get: Get, **arguments: object) -> dict[str, object]:
    status, body, _ = await get(f"{web.search_url}/search?{urlencode({'format': 'json', **arguments})}")
    assert status == 200
    return json.loads(body)


async def test_the_search_answers_in_the_format_of_searxng(web: LocalWeb, get: Get) -> None:
    answer = await search(web, get, q="best hand grinder for travel", language="en", safesearch=0)
    assert {"query", "number_of_results", "results", "suggestions", "unresponsive_engines"} <= answer.keys()
    first = answer["results"][0]
    assert {
        "url",
        "title",
        "content",
        "engine",
        "engines",
        "score",
        "category",
        "publishedDate",
    } <= first.keys()
    assert len(answer["results"]) == 10
    assert web.hosts["verdict"] + "/hand-grinders-for-travel" in [
        result["url"] for result in answer["results"]
    ]


async def test_result_pages_do_not_overlap(web: LocalWeb, get: Get) -> None:
    pages = [await search(web, get, q="tram line", pageno=number) for number in (1, 2)]
    urls = [result["url"] for page in pages for result in page["results"]]
    assert len(urls) == len(set(urls)) == 20


async def test_every_result_is_a_page_of_this_web(web: LocalWeb, get: Get) -> None:
    answer = await search(web, get, q="Skelder lighthouse")
    bases = tuple(web.hosts.values())
    assert all(result["url"].startswith(bases) for result in answer["results"])


async def test_the_search_has_a_form_and_results_for_people(web: LocalWeb, get: Get) -> None:
    _, form, _ = await get(web.search_url + "/")
    _, results, headers = await get(web.search_url + "/search?q=lighthouse")
    assert b"<form" in form
    assert b"Skelder lighthouse" in results
    assert headers["Content-Type"].startswith("text/html")


async def test_robots_txt_of_the_search_engine_forbids_its_results(web: LocalWeb, get: Get) -> None:
    _, body, _ = await get(web.search_url + "/robots.txt")
    assert b"Disallow: /search" in body


async def test_a_search_without_words_is_a_bad_request(web: LocalWeb, get: Get) -> None:
    assert (await get(web.search_url + "/search?format=json"))[0] == 400


async def test_the_ip_address_decides_which_host_answers(web: LocalWeb, get: Get) -> None:
    assert (await get(web.hosts["lore"] + "/skelder-lighthouse"))[0] == 200
    assert (await get(web.hosts["forum"] + "/skelder-lighthouse"))[0] == 404


async def test_the_log_names_host_path_times_and_agent(web: LocalWeb, get: Get) -> None:
    await get(web.hosts["lore"] + "/marrowby?x=1")
    await get(web.hosts["lore"] + "/port-ansgar")
    first, second = web.log
    assert (first.host, first.path, first.status) == ("127.0.20.8", "/marrowby?x=1", 200)
    assert first.start_ms <= first.end_ms <= second.start_ms
    assert "aiohttp" in first.user_agent


async def test_the_log_is_served_and_cleared_over_http(web: LocalWeb, get: Get) -> None:
    await get(web.hosts["lore"] + "/marrowby")
    _, body, _ = await get(web.hosts["admin"] + "/__log.json")
    assert [entry["path"] for entry in json.loads(body)] == ["/marrowby"]
    assert (await get(web.hosts["admin"] + "/__log.json", "DELETE"))[0] == 204
    assert web.log == []


async def test_latency_can_be_set_for_one_host(get: Get) -> None:
    async with LocalWeb(WebOptions(latencies_ms={"lore": 600})) as web:
        await asyncio.gather(get(web.hosts["lore"] + "/marrowby"), get(web.hosts["gear"] + "/"))
    slow, quick = sorted(web.log, key=lambda one: one.end_ms - one.start_ms, reverse=True)
    assert slow.end_ms - slow.start_ms >= 600
    assert "marrowby" in slow.path
    assert quick.end_ms < slow.end_ms


async def test_only_get_and_head_are_allowed(web: LocalWeb, get: Get) -> None:
    assert (await get(web.hosts["lore"] + "/marrowby", "POST"))[0] == 405
    status, body, headers = await get(web.hosts["lore"] + "/marrowby", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 1000


async def test_the_web_listens_on_loopback_only(web: LocalWeb) -> None:
    for site in web._runner.sites:
        assert site.name.startswith("http://127.0.")
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", web.port)) != 0


async def test_stopping_frees_the_port_even_while_a_page_is_being_sent() -> None:
    async with LocalWeb() as web:
        host = web.hosts["endless"].removeprefix("http://").split(":")[0]
        reader, writer = await asyncio.open_connection(host, web.port)
        writer.write(b"GET /harrowgate-meeting-live HTTP/1.1\r\nHost: x\r\n\r\n")
        await reader.readuntil(b"Live minutes")
    assert await reader.read(2_000_000) is not None
    writer.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(host, web.port)


async def test_a_port_in_use_is_an_error_and_nothing_stays_open() -> None:
    async with LocalWeb() as web:
        with pytest.raises(OSError, match="address already in use"):
            async with LocalWeb(WebOptions(port=web.port)):
                pass


def test_a_free_port_is_free_on_all_addresses() -> None:
    ips = ["127.0.20.1", "127.0.20.2"]
    port = free_port(ips)
    for ip in ips:
        with socket.socket() as probe:
            probe.bind((ip, port))


def test_gaps_are_measured_from_the_end_of_a_response_to_the_next_request() -> None:
    log = [
        Served(host="h", path=path, start_ms=start, end_ms=end, status=200)
        for path, start, end in (("/a", 0, 10), ("/robots.txt", 11, 12), ("/b", 110, 130), ("/c", 120, 140))
    ]
    assert gaps_ms(log, paths_except=frozenset({"/robots.txt"})) == {"h": [100, -10]}
