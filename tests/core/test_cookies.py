from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.web.cookies import MAX_COOKIES, CookieJar, read_cookie
from tests.cases import each_case

NOW = 1_800_000_000.0
SHOP = "https://shop.example.org/cart/view?x=1"


def sent(line, url, *, set_by=SHOP, later_s=0.0):
    return CookieJar().taking(set_by, [line], NOW).header_for(url, NOW + later_s)


@each_case(
    ("line", "url", "expected"),
    [
        ("a=1", "https://shop.example.org/cart/", "a=1"),
        ("a=1; Path=/", "https://shop.example.org/", "a=1"),
        ("a=1", "https://shop.example.org/other", ""),
        ("a=1; Path=/cart", "https://shop.example.org/cartoon", ""),
        ("a=1; Path=/", "https://www.shop.example.org/", ""),
        ("a=1; Path=/", "https://example.org/", ""),
        ("a=1; Path=/; Domain=example.org", "https://example.org/", "a=1"),
        ("a=1; Path=/; Domain=.Example.ORG", "https://www.example.org/", "a=1"),
        ("a=1; Path=/; Domain=example.org", "https://notexample.org/", ""),
        ("a=1; Path=/; Domain=other.org", "https://other.org/", ""),
        ("a=1; Path=/; Domain=org", "https://other.org/", ""),
        ("a=1; Path=/; Secure", "https://shop.example.org/", "a=1"),
        ("a=1; Path=/; Secure", "http://shop.example.org/", ""),
        ("a=1; Path=/; HttpOnly; SameSite=Strict", "http://shop.example.org/", "a=1"),
        ("a=; Path=/", "https://shop.example.org/", "a="),
        ("=1; Path=/", "https://shop.example.org/", ""),
        ("nothing", "https://shop.example.org/cart", ""),
        ("a=1\x00; Path=/", "https://shop.example.org/", ""),
    ],
)
def test_a_cookie_is_sent_only_to_its_site(line, url, expected):
    assert sent(line, url) == expected


def test_a_cookie_for_a_public_suffix_is_sent_to_its_host_only():
    line = "a=1; Path=/; Domain=github.io"
    assert sent(line, "https://you.github.io/", set_by="https://me.github.io/") == ""
    assert sent(line, "https://me.github.io/", set_by="https://me.github.io/") == ""


def test_an_address_has_no_subdomains():
    assert read_cookie("a=1; Domain=0.0.1", "http://127.0.0.1/", NOW) is None
    assert sent("a=1; Path=/", "http://127.0.0.1/x", set_by="http://127.0.0.1/") == "a=1"


def test_an_insecure_page_sets_no_secure_cookie():
    assert sent("a=1; Path=/; Secure", "https://a.example.org/", set_by="http://a.example.org/") == ""


@each_case(
    ("attribute", "after_10_s", "after_1_h"),
    [
        ("Max-Age=60", "a=1", ""),
        ("Expires=Fri, 15 Jan 2027 08:01:00 GMT", "a=1", ""),
        ("Max-Age=0", "", ""),
        ("Max-Age=-1", "", ""),
        ("Expires=Thu, 01 Jan 1970 00:00:00 GMT", "", ""),
        ("Max-Age=7200; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=1", "a=1"),
        ("Expires=soon", "a=1", "a=1"),
    ],
)
def test_a_cookie_expires(attribute, after_10_s, after_1_h):
    url = "https://shop.example.org/"
    assert sent(f"a=1; Path=/; {attribute}", url, later_s=10) == after_10_s
    assert sent(f"a=1; Path=/; {attribute}", url, later_s=3_600) == after_1_h


def test_a_cookie_is_replaced_and_deleted_by_its_site():
    jar = CookieJar().taking(SHOP, ["a=1; Path=/", "b=2; Path=/cart"], NOW)
    assert jar.header_for(SHOP, NOW) == "b=2; a=1"
    jar = jar.taking(SHOP, ["a=3; Path=/"], NOW)
    assert jar.header_for(SHOP, NOW) == "b=2; a=3"
    assert jar.taking(SHOP, ["a=3; Path=/"], NOW).cookies[-1].value == "3"
    assert jar.taking(SHOP, ["a=; Path=/; Max-Age=0"], NOW).header_for(SHOP, NOW) == "b=2"
    assert jar.taking(SHOP, ["no cookie"], NOW) is jar


def test_the_jar_holds_at_most_fifty_cookies():
    jar = CookieJar().taking(SHOP, [f"n{n}=1" for n in range(80)], NOW)
    assert len(jar.cookies) == MAX_COOKIES
    assert "n79=1" in jar.header_for(SHOP, NOW)


@given(st.text(max_size=200), st.sampled_from([SHOP, "http://[::1]/", "http://localhost/a/b", "nonsense"]))
def test_any_line_is_parsed_or_ignored_and_the_jar_can_be_stored(line, url):
    jar = CookieJar().taking(url, [line, "a=1"], NOW)
    header = jar.header_for(url, NOW)
    assert "\r" not in header
    assert "\n" not in header
    assert CookieJar.from_wire(jar.to_wire()) == jar
