from decimal import Decimal

import pytest

from planner.offers.offer_ranking import offers_of
from planner.offers.price_expectations import learned_range
from tests.cases import each_case
from tests.planner.offers.test_recommendation import CASE, FINDINGS, LOQ, RATES, THIN, buying
from tests.planner.scripted import a_finding, a_product


def ranked(goal: str, *products, findings=FINDINGS, **more) -> list[str]:
    return [offer.product.name for offer in offers_of(buying(goal, *products, **more), findings, RATES)]


def test_a_recommended_product_ranks_before_one_that_is_only_cheaper():
    assert ranked("gaming laptop", THIN, LOQ)[0] == LOQ.name


def test_an_offer_that_violates_a_requirement_ranks_behind_one_that_meets_it():
    assert ranked("gaming laptop with an RTX 4050", LOQ, THIN)[0] == THIN.name
    assert ranked("gaming laptop under $800", LOQ, THIN)[0] == THIN.name


def test_a_price_far_below_the_range_that_pages_name_costs_score():
    assert ranked("cheap gaming laptop", CASE, LOQ)[0] == LOQ.name


def test_an_offer_that_is_out_of_stock_ranks_behind_one_in_stock():
    sold_out = LOQ.model_copy(
        update={"in_stock": False, "availability": "out_of_stock", "price_numeric": Decimal(799)}
    )
    assert (
        ranked("gaming laptop", sold_out, LOQ.model_copy(update={"vendor": "gamma.example"}))
        == [LOQ.name] * 2
    )
    best = offers_of(buying("gaming laptop", sold_out, LOQ), FINDINGS, RATES)[0]
    assert best.product.in_stock


def test_a_product_without_a_price_is_not_an_offer():
    assert ranked("gaming laptop", LOQ.model_copy(update={"price_numeric": None})) == []


def test_a_product_that_pages_warn_about_ranks_behind_one_without_warnings():
    other = a_product("Halden Raven 16 RTX 4050", "749.00", vendor="beta.example", specs={"GPU": "RTX 4050"})
    assert ranked("gaming laptop", THIN, other)[0] == other.name


def test_offers_in_another_currency_are_converted_only_to_be_compared():
    dear = a_product("Lenovo LOQ 15", "900.00", currency="EUR", price="900 €", vendor="laden.example")
    offers = offers_of(buying("cheap laptop", dear, LOQ), FINDINGS, RATES)
    euro = next(offer for offer in offers if offer.converted)
    assert euro.comparable == pytest.approx(1125)
    assert float(euro.product.price_numeric) == 900
    assert offers[0].product.name == LOQ.name


def test_the_learned_range_comes_from_the_findings_of_phase_1():
    learned = learned_range(FINDINGS, "gaming laptop")
    assert (learned.min, learned.max, learned.currency) == (700, 1000, "USD")


def test_an_offer_of_another_kind_of_product_is_no_offer():
    card = a_product("GeForce RTX 4060 Gaming Graphics Card", "299.00")
    assert ranked("gaming laptop with an RTX card", card, CASE) == []


def checks_of(goal, *products, findings=FINDINGS):
    return {
        offer.product.name: {check.requirement: check.state for check in offer.checks}
        for offer in offers_of(buying(goal, *products), findings, RATES)
    }


def test_what_the_goal_says_of_the_product_and_a_low_price_are_requirements():
    gaming = a_product("Tamsin Forge 15 Gaming Laptop", "990.00")
    assert checks_of("Find me a cheap gaming laptop", gaming, LOQ) == {
        gaming.name: {"gaming": "verified", "cheap": "violated"},
        LOQ.name: {"gaming": "unknown", "cheap": "verified"},
    }


def test_cheap_is_compared_with_the_other_offers_if_pages_name_no_range():
    states = checks_of("a cheap laptop", LOQ, THIN, findings=[])
    assert (states[LOQ.name]["cheap"], states[THIN.name]["cheap"]) == ("violated", "verified")
    assert checks_of("a cheap laptop", LOQ, findings=[])[LOQ.name]["cheap"] == "unknown"


def priced(quote, published="", **more):
    return a_finding(
        "j:2", quote, kind="price_expectation", published=published, **{"title": "Gaming laptops"} | more
    )


def test_a_price_range_is_of_the_goals_kind_and_condition_and_of_today():
    learned = learned_range(
        [
            priced("A good gaming laptop costs $800 to $950.", "2026-03-01"),
            priced("Refurbished gaming laptops go for $600.", "2026-02-01"),
            priced("It came out at $1,100 when it launched.", "2023-02-01"),
            priced("The cooling pad for it is $21.", "2026-02-01"),
            priced("Phones cost $1,200.", title="Phones of the year", url="https://a.example/phones"),
            priced("I paid $700. A refurbished one was $500.", "2024-05-06"),
        ],
        "find me a gaming laptop",
    )
    assert (learned.min, learned.max, learned.currency) == (700, 950, "USD")
    assert (learned.oldest, learned.newest) == ("2024-05-06", "2026-03-01")


def test_prices_of_used_products_count_for_a_goal_that_asks_for_one():
    findings = [priced("Refurbished gaming laptops go for $600."), priced("New gaming laptops cost $900.")]
    assert learned_range(findings, "a refurbished gaming laptop").max == 600


LYNX = a_product("Orlo Lynx 15 Gaming Laptop RTX 4060", "899.00", brand="Orlo", vendor="beta.example")
FORGE = a_product("Tamsin Forge 15 Gaming Laptop RTX 4050", "749.00", brand="Tamsin", vendor="beta.example")


@each_case(
    ("goal", "wanted"),
    [
        ("Where can I buy the Orlo Lynx 15 gaming laptop?", {"gaming"}),
        ("buy an orlo lynx 15 under $950", {"under $950"}),
        ("a gaming laptop from Orlo", {"gaming", "Orlo"}),
        ("Orlo Lynx 15 laptop with an RTX 4060", {"RTX 4060"}),
    ],
)
def test_the_words_of_a_products_name_are_no_requirements(goal, wanted):
    for checks in checks_of(goal, LYNX, FORGE).values():
        assert set(checks) == wanted


def test_the_price_range_of_a_model_that_the_goal_names_is_not_that_of_another():
    said = [
        a_finding("c", "Expect to pay $850 to $950 for the Orlo Lynx 15 laptop.", kind="price_expectation"),
        a_finding("c", "The Tamsin Forge 15 laptop costs $1,400 to $1,500.", kind="price_expectation"),
    ]
    learned = learned_range(said, "What does the Orlo Lynx 15 laptop cost?")
    assert (learned.min, learned.max) == (850, 950)


def test_the_product_that_the_goal_names_ranks_before_a_cheaper_one():
    goal = "Where can I buy the Orlo Lynx 15 laptop and what does it cost?"
    assert ranked(goal, FORGE, LYNX, findings=[]) == [LYNX.name, FORGE.name]
