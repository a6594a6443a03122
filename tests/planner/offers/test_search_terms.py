import pytest

from planner.offers.search_terms import best_fit, fit, generic_term, is_component, vendor_terms
from tests.planner.scripted import a_finding, a_job, a_product


def buying(goal: str = "Find me a cheap gaming laptop with an RTX card under $1000"):
    return a_job(goal, intent="commerce", region="US", currency="USD")


def named(quote: str, host: str = "forum.example"):
    return a_finding("j:1", quote, kind="recommended_product", url=f"https://{host}/1")


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


def test_vendors_are_searched_for_the_goals_own_words_if_nothing_is_recommended():
    assert vendor_terms(buying(), []) == ["gaming laptop RTX"]
    assert generic_term(buying("buy")) == "buy"


def test_products_that_the_callers_context_recommends_are_searched_for_too():
    assert vendor_terms(buying(), [], ["Halden Raven 16"])[0] == "Halden Raven 16"


@pytest.mark.parametrize(
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
