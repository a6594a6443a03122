import string
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from rapidfuzz.distance import OSA

from research_crawler.adapters.vendor_catalogue import packaged_vendors
from research_crawler.core.vendors import FUZZY_FROM, MAX_QUERY, Catalogue, Vendor
from research_crawler.core.web.urls import canonical_url, slot_of
from tests.cases import each_case

PACKAGED = Catalogue(vendors=tuple(packaged_vendors()))
OF_THE_SOURCE = {
    "amazon.com": "amazon.com/s?k={query}",
    "bestbuy.com": "bestbuy.com/site/searchpage.jsp?st={query}",
    "newegg.com": "newegg.com/p/pl?d={query}",
    "walmart.com": "walmart.com/search?q={query}",
    "target.com": "target.com/s?searchTerm={query}",
    "bhphotovideo.com": "bhphotovideo.com/c/search?q={query}",
    "microcenter.com": "microcenter.com/search/search_results.aspx?Ntt={query}",
}
QUERIES = st.text(min_size=1, max_size=200).filter(lambda text: bool(text.split()))
VENDORS = st.sampled_from(PACKAGED.vendors)


def shop(**given_):
    return Vendor(
        **{"name": "Shop", "host": "shop.example", "search": "https://shop.example/s?q={query}"} | given_
    )


def test_the_seven_basic_vendors_come_first_with_their_patterns():
    seven = PACKAGED.for_region("US")[:7]
    assert {one.host: one.search.removeprefix("https://www.") for one in seven} == OF_THE_SOURCE
    assert [one.host for one in seven] == list(OF_THE_SOURCE)


@each_case(
    ("hint", "host"),
    [
        ("bestbuy", "bestbuy.com"),
        ("Best Buy", "bestbuy.com"),
        ("bestbuy.com", "bestbuy.com"),
        ("www.BestBuy.com", "bestbuy.com"),
        ("https://www.bestbuy.com/site/x?y=1", "bestbuy.com"),
        ("Best Buy's website", "bestbuy.com"),
        ("BestBuy (open box)", "bestbuy.com"),
        ("the Walmart online store", "walmart.com"),
        ("Wallmart", "walmart.com"),
        ("B&H", "bhphotovideo.com"),
        ("B & H Photo", "bhphotovideo.com"),
        ("Micro Center", "microcenter.com"),
        ("smile.amazon.com", "amazon.com"),
        ("El Corte Ingles", "elcorteingles.es"),
        ("ヨドバシカメラ", "yodobashi.com"),
        ("JD.com", "jd.com"),
    ],
)
def test_a_hint_may_be_a_name_an_alias_or_a_host_in_any_spelling(hint, host):
    found = PACKAGED.match(hint)
    assert found is not None
    assert found.host == host


@each_case(
    "hint",
    ["", "  ", "the store", "amazon.xyz", "notamazon.com", "Tinkerhaus", "Lotto", "a.b c", "://", "..", "💰"],
)
def test_what_is_not_in_the_catalogue_is_not_matched(hint):
    assert PACKAGED.match(hint) is None


@given(VENDORS, st.data())
def test_a_name_with_one_wrong_letter_is_recognised(vendor, data):
    name = vendor.name.lower()
    letters = [n for n, char in enumerate(name) if char in string.ascii_lowercase]
    if len(letters) < FUZZY_FROM or len(letters) < len(name):
        return
    place = data.draw(st.sampled_from(letters[1:]))
    before, letter, after = name[:place], name[place], name[place + 1 :]
    slips = [
        before + after,
        before + letter + letter + after,
        f"{before}q{after}",
        before + after[:1] + letter + after[1:],
    ]
    misspelt = data.draw(st.sampled_from(slips))
    found = PACKAGED.match(misspelt, vendor.country)
    assert found is not None
    assert found.name == vendor.name


def test_no_misspelling_fits_the_names_of_two_vendors():
    names = {
        (name.lower(), one.name)
        for one in PACKAGED.vendors
        for name in one.names()
        if len(name) >= FUZZY_FROM
    }
    near = [
        (left, right)
        for left, vendor in names
        for right, other in names
        if vendor < other and left[0] == right[0] and OSA.distance(left, right) <= 2 and left != right
    ]
    assert {pair for pair in near if not pair[0].startswith("mercado")} == set()  # one firm in two languages


@given(VENDORS)
def test_every_vendor_is_found_by_each_of_its_names_in_its_own_country_and_by_its_host_anywhere(vendor):
    assert PACKAGED.match(vendor.host) == vendor
    for name in (vendor.name, *vendor.aliases):
        found = PACKAGED.match(name, vendor.country)
        assert found is not None
        assert found.country == vendor.country


@given(st.text(max_size=40))
def test_matching_never_fails(hint):
    found = PACKAGED.match(hint)
    assert found is None or found in PACKAGED.vendors


def test_a_name_means_the_vendor_of_the_buyers_country():
    assert PACKAGED.match("Amazon", "DE").host == "amazon.de"
    assert PACKAGED.match("amazon", "AT").host == "amazon.de"
    assert PACKAGED.match("Amazon").host == "amazon.com"
    assert PACKAGED.match("Best Buy", "DE") is None
    assert PACKAGED.match("amazon.com", "DE").host == "amazon.com"


@each_case(
    ("region", "currency"),
    [
        ("DE", "EUR"),
        ("GB", "GBP"),
        ("FR", "EUR"),
        ("IN", "INR"),
        ("JP", "JPY"),
        ("CH", "CHF"),
        ("SE", "SEK"),
        ("", "USD"),
    ],
)
def test_a_country_has_at_least_three_vendors_with_its_own_currency(region, currency):
    vendors = PACKAGED.for_region(region)
    assert len(vendors) >= 3
    assert {vendor.currency for vendor in vendors} == {currency}


@each_case(
    ("text", "name"),
    [
        ("I got mine from Best Buy, and it was fine.", "Best Buy"),
        ("bestbuy.com had it.", "bestbuy.com"),
        ("The best buy of the year.", ""),
        ("me@bestbuy.com", ""),
    ],
)
def test_a_sentence_names_a_vendor_by_one_of_its_names_as_they_are_written(text, name):
    vendor = Vendor(name="Best Buy", host="bestbuy.com", search="bestbuy.com/?q={query}")
    assert vendor.named_in(text) == name


def test_a_country_without_vendors_gets_no_other_countrys():
    assert PACKAGED.for_region("IS") == []
    anywhere = shop(country="")
    assert Catalogue(vendors=(*PACKAGED.vendors, anywhere)).for_region("is") == [anywhere]


def test_vendors_that_ship_to_a_country_come_after_its_own():
    hosts = [vendor.host for vendor in PACKAGED.for_region("AT")]
    assert hosts.index("mediamarkt.at") < hosts.index("amazon.de")


@given(VENDORS, QUERIES)
def test_a_search_url_is_canonical_on_the_vendors_host_and_holds_the_query(vendor, query):
    url = vendor.search_url(query)
    words = " ".join(query.split())
    assert canonical_url(url) == url != ""
    assert slot_of(url) == vendor.host or slot_of(url).endswith(f".{vendor.host}")
    if len(words) <= MAX_QUERY and words.isascii() and words.isprintable():
        parts = urlsplit(url)
        told = [value for _, value in parse_qsl(parts.query, keep_blank_values=True)]
        assert words in told or words in unquote(parts.path)


@given(st.text(max_size=2_000))
def test_a_long_query_is_cut_between_words_where_it_has_any(query):
    url = shop().search_url(query)
    told = dict(parse_qsl(urlsplit(url).query)).get("q", "")
    assert len(told) <= MAX_QUERY


def test_words_of_a_query_are_encoded_for_path_and_arguments():
    assert shop().search_url("  RTX 4060\nlaptop ") == "https://shop.example/s?q=RTX+4060+laptop"
    assert shop().search_url("a&b=c#d") == "https://shop.example/s?q=a%26b%3Dc%23d"
    in_path = shop(search="shop.example/suche/{query}/")
    assert in_path.search_url("a/b ../c") == "https://shop.example/suche/a%2Fb%20..%2Fc/"


@each_case(
    ("given_", "said"),
    [
        ({"search": "https://shop.example/s?q="}, "must hold {query}"),
        ({"search": "ftp://shop.example/{query}"}, "http"),
        ({"search": "https://{query}.shop.example/"}, "http"),
        ({"search": "https://other.example/{query}"}, "not shop.example"),
        ({"search": "https://shop.example.evil.example/{query}"}, "not shop.example"),
        ({"host": "not a host"}, "not a host name"),
        ({"host": ""}, "not a host name"),
        ({"country": "Germany"}, "not a code"),
        ({"currency": "€"}, "not a code"),
        ({"name": ""}, "at least 1"),
        ({"colour": "red"}, "Extra inputs"),
    ],
)
def test_a_malformed_vendor_is_refused_with_the_reason(given_, said):
    with pytest.raises(ValidationError, match=said):
        shop(**given_)


def test_a_vendor_may_be_an_address_with_a_port():
    local = shop(host="127.0.20.9", search="http://127.0.20.9:8080/find?q={query}")
    assert local.search_url("kettle") == "http://127.0.20.9:8080/find?q=kettle"
    assert Catalogue(vendors=(local,)).match("http://127.0.20.9:8080/p/1") == local
    assert Catalogue(vendors=(local,)).match("127") is None
