import string
from urllib.parse import unquote_to_bytes, urlsplit

from hypothesis import example, given
from hypothesis import strategies as st

from research_crawler.core.web.urls import (
    MAX_URL,
    ascii_host,
    canonical_url,
    dedupe_key,
    frontier_target,
    host_of,
    is_mobile,
    origin_of,
    page_key,
    site_of,
    slot_of,
)
from tests.cases import each_case

LABELS = st.text(string.ascii_letters + string.digits + "-_äßç日本", min_size=1, max_size=8)
HOSTS = st.one_of(
    st.lists(LABELS, min_size=1, max_size=4).map(".".join),
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map(lambda address: f"[{address}]"),
    st.sampled_from(
        ["www.example.com", "m.example.co.uk", "EXAMPLE.com.", "en.m.wikipedia.org", "localhost", "www.com"]
    ),
)
AWKWARD = [
    "/", "//", ".", "..", "/../", "?", "#", "&", "=", "+", ";", ":", "@", "[", "]", "|", "\\", " ", "\t", "é",
    "日", "%", "%2F", "%2f", "%25", "%41", "%2541", "%zz", "%E9", "%00", "a=1", "b", "gclid", "utm_source=a",
    "%75tm_source=a",
]  # fmt: skip
PIECES = st.one_of(st.sampled_from(AWKWARD), st.characters())
TAILS = st.lists(PIECES, max_size=12).map("".join)
URLS = st.builds(
    lambda scheme, user, host, port, tail: f"{scheme}://{user}{host}{port}{tail}",
    st.sampled_from(["http", "https", "HTTP", "Https", "ftp", "javascript", "file"]),
    st.sampled_from(["", "", "", "user@", "user:pw@", "@"]),
    HOSTS,
    st.one_of(
        st.just(""),
        st.integers(-1, 70_000).map(lambda port: f":{port}"),
        st.sampled_from([":", ":x", ":80", ":443"]),
    ),
    TAILS,
)
ANYTHING = st.one_of(URLS, st.text(max_size=60), TAILS)


@given(ANYTHING, st.one_of(st.just(""), URLS))
@example("http://a/%75tm_source=a?%75tm_source=a", "")
@example("http://[::1", "")
@example("//b/../c?x", "http://a/")
@example("http://a/" + "é" * 700, "")
def test_a_canonical_url_stays_as_it_is(url, base):
    once = canonical_url(url, base)
    assert canonical_url(once) == once
    assert len(once) <= MAX_URL and once.isascii()


@given(ANYTHING)
def test_malformed_urls_never_raise(url):
    for function in (
        canonical_url,
        slot_of,
        host_of,
        origin_of,
        page_key,
        dedupe_key,
        site_of,
        is_mobile,
        frontier_target,
    ):
        function(url)


@given(URLS)
def test_the_canonical_form_is_http_with_the_same_host_and_port(url):
    canonical = canonical_url(url)
    if not canonical:
        return
    before, after = urlsplit(url.strip()), urlsplit(canonical)
    assert after.scheme in ("http", "https") and after.scheme == before.scheme
    assert after.hostname == ascii_host(before.hostname)
    defaults = {"http": 80, "https": 443}
    assert (after.port or defaults[after.scheme]) == (before.port or defaults[before.scheme])
    assert not after.username and not after.fragment and "@" not in after.netloc


@given(st.text(string.ascii_letters + string.digits + "-._~%/+;:@&=é ", max_size=40))
def test_canonical_paths_mean_the_same_bytes(path):
    before = "/" + path.replace("%", "%25").lstrip("/")
    after = urlsplit(canonical_url("http://example.com" + before)).path
    if "/." in before or before.rstrip().endswith(";"):
        return  # dot segments are resolved, and w3lib drops an empty parameter at the end
    assert unquote_to_bytes(after) == unquote_to_bytes(before.rstrip())


@each_case(
    ("given_url", "expected"),
    [
        ("HTTP://Example.COM:80/a#part", "http://example.com/a"),
        ("https://example.com:443", "https://example.com/"),
        ("https://example.com:8443/", "https://example.com:8443/"),
        ("http://example.com./", "http://example.com/"),
        ("http://user:secret@example.com/", "http://example.com/"),
        ("http://example.com/?b=2&a=1&utm_source=x&gclid=1", "http://example.com/?a=1&b=2"),
        ("http://example.com/?utm_source=x", "http://example.com/"),
        ("http://example.com/?UTM_Campaign=x&id=3", "http://example.com/?id=3"),
        ("http://example.com/a/../b/./c", "http://example.com/b/c"),
        ("http://example.com/%7efoo", "http://example.com/~foo"),
        ("http://example.com/a%2fb", "http://example.com/a%2Fb"),
        ("http://example.com/é", "http://example.com/%C3%A9"),
        ("http://münchen.de/", "http://xn--mnchen-3ya.de/"),
        ("http://straße.de/", "http://xn--strae-oqa.de/"),
        ("http://日本。jp/", "http://xn--wgv71a.jp/"),
        ("http://[2001:DB8:0::1]:8080/", "http://[2001:db8::1]:8080/"),
        ("http://[fe80::1%25eth0]/", "http://[fe80::1]/"),
        ("  http://example.com/ \n", "http://example.com/"),
        ("ftp://example.com/", ""),
        ("javascript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("http:///path", ""),
        ("http://exa mple.com/", ""),
        ("http://a..b/", ""),
        ("http://ex%61mple.com/", ""),
        ("http://example.com:99999/", ""),
        ("http://example.com:0/", ""),
        ("http://" + "a" * 64 + ".com/", ""),
        ("http://example.com/" + "x" * MAX_URL, ""),
        ("", ""),
    ],
)
def test_canonical_forms(given_url, expected):
    assert canonical_url(given_url) == expected


def test_a_relative_link_is_joined_to_its_page():
    assert canonical_url("../b?x=1#top", "https://example.com/a/c") == "https://example.com/b?x=1"
    assert canonical_url("//other.org/x", "https://example.com/") == "https://other.org/x"
    assert canonical_url("mailto:me@example.com", "https://example.com/") == ""


@each_case(
    ("url", "slot"),
    [
        ("https://www.Example.com/a", "example.com"),
        ("http://example.com:8080/", "example.com"),
        ("http://www.com/", "www.com"),
        ("http://[::1]/", "::1"),
        ("http://127.0.0.7:90/", "127.0.0.7"),
        ("no url", "_"),
        ("http://[", "_"),
    ],
)
def test_a_slot_is_the_host_without_www(url, slot):
    assert slot_of(url) == slot


@each_case(
    ("url", "origin"),
    [
        ("https://Example.com/a?b", "https://example.com:443"),
        ("http://example.com:8080/", "http://example.com:8080"),
        ("http://[::1]/", "http://[::1]:80"),
        ("http://example.com:x/", ""),
        ("ftp://example.com/", ""),
        ("nothing", ""),
    ],
)
def test_an_origin_is_scheme_host_and_port(url, origin):
    assert origin_of(url) == origin


@given(URLS)
def test_variants_of_an_address_have_one_key(url):
    canonical = canonical_url(url)
    if not canonical or urlsplit(canonical).port:
        return
    other = canonical.replace("http:", "https:", 1) if canonical.startswith("http:") else canonical
    assert dedupe_key(other) == dedupe_key(canonical)


@each_case(
    "variant",
    [
        "http://example.com/a",
        "https://example.com/a/",
        "https://www.example.com/a",
        "https://m.example.com/a",
        "https://mobile.example.com/a#x",
        "https://www.m.example.com/a?utm_source=y",
    ],
)
def test_spellings_of_one_page_are_duplicates(variant):
    assert dedupe_key(variant) == dedupe_key("https://example.com/a")


@each_case(
    ("one", "other"),
    [
        ("https://example.com/a", "https://example.com/b"),
        ("https://example.com/?a=1", "https://example.com/?a=2"),
        ("https://example.com/", "https://example.com:8443/"),
        ("https://de.wikipedia.org/wiki/X", "https://en.wikipedia.org/wiki/X"),
        ("https://m.co.uk/", "https://co.uk/"),
        ("https://m.com/", "https://com/"),
        ("http://127.0.0.1:1/", "http://127.0.0.1:2/"),
    ],
)
def test_different_pages_are_not_duplicates(one, other):
    assert dedupe_key(one) != dedupe_key(other)


def test_the_mobile_url_is_a_duplicate_of_the_desktop_url():
    mobile = "https://en.m.wikipedia.org/wiki/Bee"
    assert is_mobile(mobile) and not is_mobile("https://en.wikipedia.org/wiki/Bee")
    assert not is_mobile("https://m.co.uk/")
    assert dedupe_key(mobile) == dedupe_key("https://en.wikipedia.org/wiki/Bee")


@each_case(
    ("url", "site"),
    [
        ("https://a.b.example.co.uk/", "example.co.uk"),
        ("https://www.example.com:8443/", "example.com"),
        ("https://someone.github.io/x", "someone.github.io"),
        ("http://127.0.0.3:8000/", "127.0.0.3:8000"),
        ("http://[::1]/", "[::1]:80"),
        ("http://localhost:3000/", "localhost:3000"),
        ("nothing", ""),
    ],
)
def test_a_site_is_the_registrable_host(url, site):
    assert site_of(url) == site


def test_a_page_key_depends_on_url_and_render_mode():
    url = "https://example.com/"
    assert page_key(url) == page_key(url) != page_key(url, render=True)
    assert len(page_key(url)) == 20
    target = frontier_target(url, render=True)
    assert (target.url, target.slot, target.page_key) == (url, "example.com", page_key(url, render=True))
