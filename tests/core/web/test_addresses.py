"""The address guard on saved attack URLs, on ordinary URLs and on every spelling of an address."""

import json
import os
from ipaddress import IPv4Address, IPv6Address, ip_network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import AddressRefused, ConfigError
from research_crawler.core.web.addresses import AddressGuard
from tests.cases import each_case

DEFAULT_BLOCKED = ["localhost", "127.0.0.1", "0.0.0.0"]
DATA = Path(os.environ.get("RESEARCH_TEST_DATA") or Path(__file__).parents[3] / "../shared/data")


def guard(allow_private=(), allowed=(), blocked=DEFAULT_BLOCKED):
    return AddressGuard(allow_private=allow_private, allowed_hosts=allowed, blocked_hosts=blocked)


PUBLIC = guard()


def reason(url, of=PUBLIC, **options):
    try:
        of.check_url(url, **options)
    except AddressRefused as refused:
        assert refused.url == url
        return refused.fault
    return ""


def dial_reason(*addresses, of=PUBLIC, **options):
    try:
        of.check_addresses("host.example", addresses, **options)
    except AddressRefused as refused:
        return refused.fault
    return ""


def saved(name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"no {name} in RESEARCH_TEST_DATA")
    return path.read_text("utf-8")


def test_every_saved_attack_url_is_refused():
    cases = [json.loads(line) for line in saved("ssrf/cases.jsonl").splitlines()]
    attacks = [case["url"] for case in cases if case["expect"] == "block"]
    assert attacks
    assert [url for url in attacks if not reason(url)] == []


def test_no_ordinary_url_is_refused():
    urls = [
        row["url"]
        for name in ("articles", "pages")
        for row in json.loads(saved(f"{name}/ground-truth.json")).values()
        if row.get("url")
    ]
    urls += [url.replace("://", f"://{prefix}.", 1) for url in urls for prefix in ("www2", "de", "a-b_c")]
    assert len(urls) >= 1000
    assert {url: reason(url) for url in urls if reason(url)} == {}


@each_case(
    ("url", "expected"),
    [
        ("ftp://example.com/", "scheme"),
        ("data:text/html,hello", "scheme"),
        ("//example.com/", "scheme"),
        ("http://example.com:22/", "port"),
        ("http://example.com:0/", "port"),
        ("http://example.com:1023/", "port"),
        ("http://example.com:1024/", ""),
        ("http://example.com:/", ""),
        ("http://example.com:65536/", "malformed"),
        ("http://example.com:８０/", "malformed"),
        ("http://user@example.com/", "userinfo"),
        ("http://user:word@example.com/", "userinfo"),
        ("http://example.com\\@10.0.0.1/", "malformed"),
        ("http:example.com/", "malformed"),
        ("http:///example.com/", "malformed"),
        ("http://[::1/", "malformed"),
        ("http://exa mple.com/", "malformed"),
        ("http://10.0.\n0.1/", "malformed"),
        (" http://example.com/", "malformed"),
        ("http://a..example.com/", "malformed"),
        ("http://1.2.3.4.5/", "malformed"),
        ("http://256.1.1.1/", "malformed"),
        ("http://0o177.0.0.1/", "malformed"),
        ("http://metadata.google.internal/", "metadata"),
        ("http://169.254.169.254/", "metadata"),
        ("http://[::ffff:169.254.169.254]/", "metadata"),
        ("http://168.63.129.16/", "metadata"),
        ("http://[fd00:ec2::254]/", "metadata"),
        ("http://localhost/", "private_address"),
        ("http://LOCALHOST./", "private_address"),
        ("http://any.localhost/", "private_address"),
        ("http://wiki.internal/", "private_address"),
        ("http://printer.local/", "private_address"),
        ("http://intranet/", "private_address"),
        ("http://127.1/", "private_address"),
        ("http://0x7f.1/", "private_address"),
        ("http://127.0.0.1./", "private_address"),
        ("http://１２７.０.０.１/", "private_address"),
        ("http://①②⑦。⓪｡⓪．①/", "private_address"),
        ("http://127\u200b.0.0.1/", "private_address"),
        ("http://%31%32%37.0.0.1/", "private_address"),
        ("http://010.8.8.8/", "private_address"),
        ("http://[::]/", "private_address"),
        ("http://[::1]/", "private_address"),
        ("http://[fe80::1%25eth0]/", "private_address"),
        ("http://[2001:4860:4860::8888%25eth0]/", "malformed"),
        ("http://8.8.8.8/", ""),
        ("http://[2001:4860:4860::8888]:8080/", ""),
        ("https://bücher.example.com/straße?q=a\\b c", ""),
        ("https://foo_bar.example.com/", ""),
        ("https://example.com/a@b", ""),
    ],
)
def test_a_url_is_checked_by_its_text(url, expected):
    assert reason(url) == expected


@each_case(
    ("address", "expected"),
    [
        ("93.184.215.14", ""),
        ("2606:4700::1111", ""),
        ("10.0.0.1", "private_address"),
        ("100.64.0.1", "private_address"),
        ("192.0.0.8", "private_address"),
        ("192.88.99.1", "private_address"),
        ("198.18.0.1", "private_address"),
        ("224.0.0.1", "private_address"),
        ("240.0.0.1", "private_address"),
        ("0.0.0.0", "private_address"),
        ("::1", "private_address"),
        ("::8.8.8.8", "private_address"),
        ("fec0::1", "private_address"),
        ("fe80::1%eth0", "private_address"),
        ("fd12::1", "private_address"),
        ("ff02::1", "private_address"),
        ("2001:db8::1", "private_address"),
        ("3fff::1", "private_address"),
        ("::ffff:10.0.0.1", "private_address"),
        ("::ffff:8.8.8.8", ""),
        ("64:ff9b::a00:1", "private_address"),
        ("64:ff9b::808:808", ""),
        ("64:ff9b:1:a00:0:100::", "private_address"),
        ("64:ff9b:1::a00:1", "private_address"),
        ("2002:a00:1::", "private_address"),
        ("2002:808:808::1", ""),
        ("2001:0:4136:e378:8000:63bf:f5ff:fffe", "private_address"),
        ("100.100.100.200", "metadata"),
        ("192.0.0.192", "metadata"),
        ("::ffff:169.254.169.254", "metadata"),
        ("64:ff9b::a9fe:a9fe", "metadata"),
        ("::ffff:0:10.0.0.1", "private_address"),
        ("::ffff:0:8.8.8.8", "private_address"),
        ("::ffff:0:169.254.169.254", "metadata"),
        ("2606:4700::5efe:10.0.0.1", "private_address"),
        ("2606:4700::200:5efe:127.0.0.1", "private_address"),
        ("2606:4700::5efe:169.254.169.254", "metadata"),
        ("2606:4700::5efe:8.8.8.8", ""),
        ("2002:808:808::5efe:10.0.0.1", "private_address"),
        ("4000::1", "private_address"),
        ("5f00::1", "private_address"),
        ("1fff:ffff::1", "private_address"),
        ("100:0:0:1::1", "private_address"),
        ("64:ff9b:2::808:808", "private_address"),
        ("not an address", "malformed"),
    ],
)
def test_a_resolved_address_is_checked_with_its_inner_addresses(address, expected):
    assert dial_reason(address) == expected


@given(st.integers(0, 2**128 - 1).map(IPv6Address))
def test_of_ipv6_only_global_unicast_and_carriers_of_public_ipv4_are_reachable(address):
    if not dial_reason(str(address)):
        inside = [ip_network(text) for text in ("2000::/3", "::ffff:0:0/96", "64:ff9b::/96")]
        assert any(address in network for network in inside)


@given(
    st.integers(0, 2**61 - 1),
    st.sampled_from([0x00005EFE, 0x02005EFE]),
    st.sampled_from(["10.9.8.7", "127.0.0.1"]),
)
def test_a_private_address_inside_isatap_is_refused_under_every_prefix(prefix, mark, inner):
    address = IPv6Address((1 << 125) | prefix << 64 | mark << 32 | int(IPv4Address(inner)))
    assert dial_reason(str(address))
    assert reason(f"http://[{address}]/")


def test_one_bad_address_refuses_the_host():
    assert dial_reason("8.8.8.8", "2606:4700::1111", "10.0.0.1") == "private_address"
    assert dial_reason() == "malformed"


def test_an_allowed_private_network_is_reachable_and_nothing_else():
    opened = guard(allow_private=["127.0.0.0/16"])
    assert reason("http://127.0.5.1:8000/", opened) == ""
    assert reason("http://[::ffff:127.0.5.1]/", opened) == ""
    assert reason("http://127.1.0.1/", opened) == "private_address"
    assert dial_reason("127.0.5.1", of=opened) == ""
    assert dial_reason("10.0.0.1", of=opened) == "private_address"
    assert reason("http://169.254.169.254/", guard(allow_private=["169.254.0.0/16"])) == "metadata"


def test_names_of_an_allowed_private_network_are_decided_by_their_addresses():
    opened = guard(allow_private=["10.0.0.0/8"])
    assert reason("http://wiki.internal/", opened) == ""
    assert reason("http://localhost/", opened) == "host_list"
    assert reason("http://metadata/", opened) == "metadata"


@each_case("url", ["http://127.0.0.1:8000/", "http://127.1/", "http://[::ffff:7f00:1]/", "http://0/"])
def test_a_blocked_host_is_refused_even_in_an_allowed_network(url):
    assert reason(url, guard(allow_private=["127.0.0.0/8", "0.0.0.0/8"])) == "host_list"


def test_a_name_that_resolves_to_a_blocked_address_is_refused():
    assert dial_reason("127.0.0.1", of=guard(allow_private=["127.0.0.0/8"])) == "host_list"


def test_listed_hosts_cover_their_subdomains_only():
    some = guard(allowed=["example.com", "bücher.example"], blocked=["*.bad.example.com", "9.9.9.0/24"])
    assert reason("https://example.com/", some) == ""
    assert reason("https://www.EXAMPLE.com./", some) == ""
    assert reason("https://xn--bcher-kva.example/", some) == ""
    assert reason("https://notexample.com/", some) == "host_list"
    assert reason("https://bad.example.com/", some) == "host_list"
    assert reason("https://very.bad.example.com/", some) == "host_list"
    assert reason("https://8.8.8.8/", some) == "host_list"
    assert reason("https://9.9.9.9/", guard(blocked=["9.9.9.0/24"])) == "host_list"
    assert reason("https://9.9.9.9/", guard(allowed=["9.9.9.9"])) == ""


def test_an_operators_endpoint_may_be_private_but_not_metadata():
    strict = guard(allowed=["example.com"])
    assert reason("http://127.0.0.1:8080/search", strict, service=True) == ""
    assert reason("http://searxng:8080/search", strict, service=True) == ""
    assert dial_reason("10.1.2.3", of=strict, service=True) == ""
    assert reason("http://169.254.169.254/", strict, service=True) == "metadata"
    assert dial_reason("169.254.169.254", of=strict, service=True) == "metadata"
    assert reason("file:///etc/passwd", strict, service=True) == "scheme"
    assert reason("http://127.0.0.1:8080/search", strict) == "private_address"


@pytest.mark.parametrize("lists", [{"allow_private": ["10.0.0.0/99"]}, {"blocked": ["..."]}])
def test_a_malformed_list_is_a_config_error(lists):
    with pytest.raises(ConfigError):
        guard(**lists)


def spellings(address):
    """Spellings of an IPv4 address that some URL parser or libc accepts, without octal ambiguity."""
    number, parts = int(address), address.packed
    low16, low24 = number & 0xFFFF, number & 0xFFFFFF
    dotted = str(address)
    return [
        dotted,
        dotted + ".",
        str(number),
        hex(number),
        hex(number).upper(),
        ".".join(hex(part) for part in parts),
        f"{parts[0]}.{low24}",
        f"{parts[0]}.{parts[1]}.{low16}",
        f"0x{parts[0]:08x}.{low24:#x}",
        dotted.translate({ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789"}),
        dotted.replace(".", "。"),
        "".join(f"%{ord(mark):02x}" for mark in dotted),
        f"[::ffff:{dotted}]",
        f"[64:ff9b::{dotted}]",
    ]


private_ipv4 = st.one_of(
    st.integers(int(IPv4Address("10.0.0.0")), int(IPv4Address("10.255.255.255"))),
    st.integers(int(IPv4Address("127.0.0.0")), int(IPv4Address("127.255.255.255"))),
    st.integers(int(IPv4Address("169.254.0.0")), int(IPv4Address("169.254.255.255"))),
    st.integers(int(IPv4Address("172.16.0.0")), int(IPv4Address("172.31.255.255"))),
    st.integers(int(IPv4Address("192.168.0.0")), int(IPv4Address("192.168.255.255"))),
    st.integers(int(IPv4Address("224.0.0.0")), int(IPv4Address("255.255.255.255"))),
).map(IPv4Address)


def octal_spellings(address):
    return [
        f"0{int(address):o}",
        ".".join(f"0{part:o}" for part in address.packed),
        ".".join(f"{part:04o}" for part in address.packed),
    ]


@given(private_ipv4)
def test_every_spelling_of_a_private_address_is_refused(address):
    hosts = spellings(address) + octal_spellings(address)
    assert [host for host in hosts if not reason(f"http://{host}/")] == []


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_every_spelling_of_a_public_address_is_allowed(address):
    if dial_reason(str(address)):
        return
    assert {host: reason(f"http://{host}/") for host in spellings(address) if reason(f"http://{host}/")} == {}


@given(st.integers(0, 2**128 - 1).map(IPv6Address))
def test_an_ipv6_literal_is_treated_like_its_address(address):
    assert bool(reason(f"http://[{address}]/")) == bool(dial_reason(str(address)))


@given(st.text(max_size=40))
def test_any_text_is_either_refused_or_names_a_checked_host(text):
    assert reason(f"http://{text}") in {
        "", "port", "host_list", "private_address", "metadata", "userinfo", "malformed"
    }  # fmt: skip
