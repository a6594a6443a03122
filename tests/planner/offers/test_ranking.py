from decimal import Decimal

import pytest

from planner.offers.ranking import learned_range, offers_of
from tests.planner.offers.test_recommendation import CASE, FINDINGS, LOQ, RATES, THIN, buying
from tests.planner.scripted import a_product


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
    learned = learned_range(FINDINGS)
    assert (learned.min, learned.max, learned.currency) == (700, 1000, "USD")
