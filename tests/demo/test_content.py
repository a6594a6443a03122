"""Tests that the pages of the demo web are consistent."""

import re
from collections import Counter
from urllib.parse import urlsplit

import lxml.html
import pytest

from research_crawler.core.web.urls import canonical_url
from research_crawler.demo.content import Host, World, load_world, parse_page
from research_crawler.demo.rendering import Renderer

HOST = Host(key="here", ip="127.0.20.99", name="Here")


@pytest.fixture(scope="module")
def world() -> World:
    return load_world()


@pytest.fixture(scope="module")
def renderer(world: World) -> Renderer:
    return Renderer(world, {key: f"http://{host.ip}:8080" for key, host in world.hosts.items()})


def test_a_page_file_is_parsed_into_head_body_and_posts() -> None:
    head = '+++\ntitle = "A"\ntags = ["x"]\n+++\n'
    text = head + "Body.\n\n@@ ann | 2026-01-02 | 7\nYes.\n\n@@ bob | 2026-01-03\nNo.\n"
    page = parse_page(HOST, "/a", text)
    assert (page.title, page.body, page.tags) == ("A", "Body.", ("x",))
    assert [(post.author, post.votes, post.body) for post in page.posts] == [
        ("ann", 7, "Yes."),
        ("bob", None, "No."),
    ]


def test_the_web_has_enough_pages_on_enough_hosts(world: World) -> None:
    per_host = Counter(page.host for page in world.pages.values())
    assert len(world.pages) >= 120
    assert sum(count >= 4 for count in per_host.values()) >= 8


def test_every_host_listens_on_loopback_but_none_on_127_0_0_1(world: World) -> None:
    addresses = [host.ip for host in world.hosts.values()]
    assert len(set(addresses)) == len(addresses)
    assert all(address.startswith("127.0.") and address != "127.0.0.1" for address in addresses)


def test_titles_are_unique(world: World) -> None:
    titles = Counter(page.title for page in world.pages.values())
    assert [title for title, count in titles.items() if count > 1] == []


def test_no_link_inside_the_web_is_dead(world: World, renderer: Renderer) -> None:
    keys = {host.ip: host.key for host in world.hosts.values()}
    dead = []
    for reference, page in world.pages.items():
        base = renderer.url(reference)
        tree = lxml.html.fromstring(renderer.page(page))
        for href in tree.xpath("//a/@href"):
            parts = urlsplit(canonical_url(href, base))
            if parts.hostname not in keys:
                assert page.host == "lan", href
                continue
            key = keys[parts.hostname]
            known = (
                f"{key}:{parts.path}" in world.pages or parts.path == "/" or parts.path.startswith("/topic/")
            )
            if not known:
                dead.append((reference, href))
            if parts.path.startswith("/topic/") and not renderer.listing(
                world.hosts[key], tag=parts.path.removeprefix("/topic/")
            ):
                dead.append((reference, href))
    assert dead == []


def test_pages_are_of_realistic_length(world: World, renderer: Renderer) -> None:
    lengths = []
    for page in world.pages.values():
        words = re.sub(r"<script.*?</script>|<[^>]+>", " ", renderer.page(page), flags=re.DOTALL).split()
        lengths.append(len(words))
    assert sum(lengths) / len(lengths) > 300
    assert max(lengths) > 700


def test_listings_have_several_pages(world: World, renderer: Renderer) -> None:
    forum = world.hosts["forum"]
    first, second = renderer.listing(forum), renderer.listing(forum, number=2)
    assert first is not None and 'rel="next"' in first
    assert second is not None and 'rel="prev"' in second
    assert renderer.listing(forum, number=99) is None
