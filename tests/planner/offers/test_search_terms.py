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


def test_a_name_without_a_number_is_known_by_its_article():
    findings = [named("The Velmar Pocket is the best hand grinder that we have used.")]
    assert vendor_terms(buying("find me a hand grinder"), findings)[0] == "Velmar Pocket"


def test_a_part_is_searched_for_with_the_thing_that_is_to_have_it():
    assert vendor_terms(buying(), [named("I recommend an RTX 4060 at least.")])[0] == "RTX 4060 gaming laptop"
    assert is_component("RTX 4060")
    assert not is_component("Orlo Lynx 15")


def test_without_recommendations_the_goals_own_words_are_searched_for():
    assert vendor_terms(buying(), []) == ["gaming laptop RTX"]
    assert generic_term(buying("buy")) == "buy"


def test_what_the_callers_notes_recommend_is_searched_for_too():
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
def test_a_product_fits_a_query_by_what_it_is_not_by_what_it_is_for(name, query, fits):
    assert bool(best_fit(a_product(name, specs={}), [query])) is fits


def test_numbers_of_a_model_weigh_more_than_words():
    right, wrong = a_product("Lynx 15", specs={}), a_product("Lynx 13", specs={})
    assert fit(right, "Orlo Lynx 15") > fit(wrong, "Orlo Lynx 15")
    assert fit(right, "") == 0
