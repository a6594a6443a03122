import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.handlers.proxy_messages import (
    Malformed,
    answer_head,
    read_head,
    read_request,
    request_head,
)
from tests.cases import each_case


def test_a_request_is_passed_on_in_origin_form_with_connection_close():
    ask = read_request(
        b"GET http://shop.example:8080/a?b=c HTTP/1.1\r\nHost: shop.example:8080\r\n"
        b"Proxy-Connection: keep-alive\r\nConnection: keep-alive\r\nAccept: */*\r\n\r\n"
    )
    assert (ask.host, ask.port, ask.is_tunnel) == ("shop.example", 8080, False)
    assert ask.url == "http://shop.example:8080/a?b=c"
    assert request_head(ask) == (
        b"GET /a?b=c HTTP/1.1\r\nHost: shop.example:8080\r\nAccept: */*\r\nConnection: close\r\n\r\n"
    )


@pytest.mark.parametrize(
    ("target", "host", "port", "url"),
    [
        (b"shop.example:443", "shop.example", 443, "https://shop.example:443/"),
        (b"[2001:db8::1]:8443", "2001:db8::1", 8443, "https://[2001:db8::1]:8443/"),
    ],
)
def test_a_tunnel_is_checked_by_its_origin(target, host, port, url):
    ask = read_request(b"CONNECT " + target + b" HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (ask.host, ask.port, ask.url, ask.is_tunnel) == (host, port, url, True)


@each_case(
    "line",
    [
        b"GET /page HTTP/1.1",
        b"GET https://shop.example/ HTTP/1.1",
        b"GET ftp://shop.example/ HTTP/1.1",
        b"GET http:///page HTTP/1.1",
        b"GET http://shop.example:99999/ HTTP/1.1",
        b"CONNECT shop.example HTTP/1.1",
        b"CONNECT shop.example:0 HTTP/1.1",
        b"CONNECT shop.example:70000 HTTP/1.1",
        b"CONNECT user@shop.example:443 HTTP/1.1",
        b"CONNECT shop.example:443/path HTTP/1.1",
        b"GET http://shop.example/ HTTP/2",
        b"PRI * HTTP/2.0",
        b"\x16\x03\x01\x02\x00",
        b"",
    ],
)
def test_any_other_message_is_malformed(line):
    with pytest.raises(Malformed):
        read_request(line + b"\r\n\r\n")


@given(st.binary(max_size=300))
def test_any_bytes_are_parsed_or_refused(noise):
    try:
        ask = read_request(noise)
    except Malformed:
        return
    assert ask.host
    assert 0 < ask.port < 65_536


def test_an_answer_is_passed_on_with_connection_close():
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nkeep-alive: timeout=5\r\nConnection: keep-alive\r\n\r\n"
    assert answer_head(head) == b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"


async def test_an_endless_head_is_refused():
    reader = asyncio.StreamReader(limit=65_536)
    reader.feed_data(b"GET http://a/ HTTP/1.1\r\nX: " + b"y" * 2 * 65_536 + b"\r\n\r\n")
    with pytest.raises(Malformed):
        await read_head(reader)
