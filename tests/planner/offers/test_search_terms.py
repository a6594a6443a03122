import pytest

from planner.offers.search_terms import (
    Wanted,
    best_fit,
    fit,
    generic_term,
    is_component,
    vendor_terms,
    wanted_kind,
)
from tests.cases import each_case
from tests.planner.scripted import a_finding, a_job, a_product


def buying(goal: str = "Find me a cheap gaming laptop with an RTX card under $1000"):
    return a_job(goal, intent="commerce", region="US", currency="USD")


def named(quote: str, host: str = "forum.example", title: str = "Which gaming laptop or hand grinder?"):
    return a_finding("j:1", quote, kind="recommended_product", url=f"https://{host}/1", title=title)


def test_the_model_that_most_hosts_recommend_comes_first_by_its_full_name():
    findings = [
        named("The MSI Thin 15 is a good one."),
        named("Seconded, the Lynx 15 is the one to get."),
        named("Our pick is the Orlo Lynx 15.", "review.example"),
    ]
    assert vendor_terms(buying(), findings) == ["Orlo Lynx 15", "MSI Thin 15", "gaming laptop RTX"]


def test_a_name_without_a_number_is_recognised_by_its_article():
    findings = [named("The Velmar Pocket is the best hand grinder that we have used.")]
    assert vendor_terms(buying("find me a hand grinder"), findings)[0] == "Velmar Pocket"


def test_a_part_is_searched_for_together_with_the_kind_of_product():
    assert vendor_terms(buying(), [named("I recommend an RTX 4060 at least.")])[0] == "RTX 4060 gaming laptop"
    assert is_component("RTX 4060")
    assert not is_component("Orlo Lynx 15")


def test_a_product_of_a_page_about_something_else_is_not_searched_for():
    news = [
        named("Samsung's Galaxy S24 is our favourite of the fair.", "news.example", title="Best of the fair"),
        named("The Orlo Lynx 15 is a good laptop.", "news.example", title="Best of the fair"),
    ]
    assert vendor_terms(buying(), news) == ["Orlo Lynx 15", "gaming laptop RTX"]
    assert vendor_terms(buying(), news[:1]) == ["gaming laptop RTX"]


@pytest.mark.parametrize(
    "where",
    [
        {"title": "Laptops under 1000"},
        {"heading": "Gaming > Notebooks"},
        {"url": "https://a.example/best-laptops/1"},
    ],
)
def test_heading_title_and_address_say_what_a_finding_is_about(where):
    finding = a_finding("j:1", "Get the Orlo Lynx 15.", kind="recommended_product").model_copy(update=where)
    assert vendor_terms(buying(), [finding])[0] == "Orlo Lynx 15"


def test_an_accessory_that_pages_recommend_is_not_searched_for():
    findings = [named("Get the Laptop Cooler X200"), named("The Orlo Lynx 15 is the one to get.")]
    assert vendor_terms(buying(), findings) == ["Orlo Lynx 15", "gaming laptop RTX"]


@each_case(
    ("name", "fits"),
    [
        ("Tamsin Forge 15 Gaming Laptop RTX 4050", True),
        ("GeForce RTX 4060 Gaming Graphics Card", False),
        ("Gaming Desktop RTX 4060", False),
        ("Laptop Sleeve for Gaming, RTX Edition", False),
    ],
)
def test_an_offer_is_of_the_goals_kind_of_product(name, fits):
    wanted = Wanted(["RTX 4060 gaming laptop", "gaming laptop RTX"], wanted_kind(buying()))
    assert bool(wanted.fit(a_product(name, specs={}))) is fits


def test_vendors_are_searched_for_the_goals_own_words_if_nothing_is_recommended():
    assert vendor_terms(buying(), []) == ["gaming laptop RTX"]
    assert generic_term(buying("buy")) == "buy"


def test_products_that_the_callers_context_recommends_are_searched_for_too():
    assert vendor_terms(buying(), [], ["Halden Raven 16"])[0] == "Halden Raven 16"


@each_case(
    ("name", "query", "fits"),
    [
        ("Orlo Lynx 15 Gaming Laptop RTX 4060", "Orlo Lynx 15", True),
        ("Tamsin Forge 15 Gaming Laptop", "gaming laptop RTX", True),
        ("Cooling Pad for Orlo Lynx 15 Gaming Laptop", "Orlo Lynx 15", False),
        ("Garden hose", "gaming laptop RTX", False),
    ],
)
def test_an_accessory_does_not_fit_a_query_for_the_product_it_is_for(name, query, fits):
    assert bool(best_fit(a_product(name, specs={}), [query])) is fits


def test_the_number_of_a_model_counts_more_than_its_words():
    right, wrong = a_product("Lynx 15", specs={}), a_product("Lynx 13", specs={})
    assert fit(right, "Orlo Lynx 15") > fit(wrong, "Orlo Lynx 15")
    assert fit(right, "") == 0
