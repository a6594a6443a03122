from decimal import Decimal

import pytest

from planner.rates import Rates
from planner.recommend import learned_range, offers_of, plain_recommendation, recommendation_view
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.phase2 import Phase2
from tests.planner.scripted import a_finding, a_job, a_product

RATES = Rates(date="2026-01-02", source="ECB", euro={"USD": 1.25})
NAMED = a_finding(
    "j:2",
    "I recommend the Lenovo LOQ 15 to everybody.",
    kind="recommended_product",
    url="https://forum.example/1",
)
TWICE = a_finding(
    "j:3",
    "The Lenovo LOQ 15 is our recommended pick.",
    kind="recommended_product",
    url="https://review.example/1",
)
RANGE = a_finding(
    "j:2", "Expect to pay $700 to $1000.", kind="price_expectation", url="https://forum.example/1"
)
SPEC = a_finding(
    "j:3", "Make sure that it has an RTX 4060.", kind="spec_to_look_for", url="https://review.example/1"
)
FAULT = a_finding("j:3", "The MSI Thin 15 is noisy.", kind="warning", url="https://review.example/1")
FINDINGS = [NAMED, TWICE, RANGE, SPEC, FAULT]
LOQ = a_product(
    "Lenovo LOQ 15 RTX 4060 16GB", "849.00", vendor="alpha.example", url="https://alpha.example/loq"
)
THIN = a_product(
    "MSI Thin 15 RTX 4050",
    "749.00",
    vendor="beta.example",
    url="https://beta.example/thin",
    specs={"GPU": "RTX 4050"},
)
CASE = a_product(
    "Sleeve for Lenovo LOQ 15 RTX 4060", "19.00", vendor="alpha.example", url="https://alpha.example/sleeve"
)


def buying(goal: str, *products, currency: str = "USD", region: str = "US") -> Job:
    job = a_job(goal, intent="commerce", region=region, currency=currency)
    return job.model_copy(
        update={"phase2": Phase2(products=list(products), terms=["Lenovo LOQ 15", "gaming laptop"])}
    )


def ranked(goal: str, *products, findings=FINDINGS, **more) -> list[str]:
    return [offer.product.name for offer in offers_of(buying(goal, *products, **more), findings, RATES)]


def test_what_users_recommend_ranks_before_what_is_only_cheaper():
    assert ranked("gaming laptop", THIN, LOQ)[0] == LOQ.name


def test_an_offer_that_violates_a_wish_ranks_behind_one_that_meets_it():
    assert ranked("gaming laptop with an RTX 4050", LOQ, THIN)[0] == THIN.name
    assert ranked("gaming laptop under $800", LOQ, THIN)[0] == THIN.name


def test_a_price_far_below_what_pages_name_is_mistrusted():
    assert ranked("cheap gaming laptop", CASE, LOQ)[0] == LOQ.name


def test_what_is_sold_out_ranks_behind_what_can_be_bought():
    gone = LOQ.model_copy(
        update={"in_stock": False, "availability": "out_of_stock", "price_numeric": Decimal(799)}
    )
    assert ranked("gaming laptop", gone, LOQ.model_copy(update={"vendor": "gamma.example"})) == [LOQ.name] * 2
    best = offers_of(buying("gaming laptop", gone, LOQ), FINDINGS, RATES)[0]
    assert best.product.in_stock


def test_a_product_without_a_price_is_no_offer():
    assert ranked("gaming laptop", LOQ.model_copy(update={"price_numeric": None})) == []


def test_every_reason_rests_on_a_finding():
    view = recommendation_view(buying("gaming laptop", LOQ, THIN), FINDINGS, RATES)
    draft = plain_recommendation(view, "extractive")
    assert view.offers[draft.product].product.name == LOQ.name
    told = {sentence.text.split(":")[0]: sentence.evidence for sentence in draft.reasons}
    assert told == {
        "It is recommended by name": [0, 1],
        "It has what is advised (RTX 4060)": [3],
        "Its price of $849.00 lies within what pages name": [2],
    }
    assert draft.cautions == []


def test_warnings_about_the_product_itself_are_said():
    view = recommendation_view(buying("gaming laptop", THIN), FINDINGS, RATES)
    assert [(c.text, c.evidence) for c in plain_recommendation(view, "x").cautions] == [
        ("Mind: “The MSI Thin 15 is noisy.”", [4])
    ]


def test_what_pages_warn_of_ranks_behind_what_they_do_not():
    other = a_product("Halden Raven 16 RTX 4050", "749.00", vendor="beta.example", specs={"GPU": "RTX 4050"})
    assert ranked("gaming laptop", THIN, other)[0] == other.name
    view = recommendation_view(buying("gaming laptop", THIN, LOQ), FINDINGS, RATES)
    assert "pages warn of it" in plain_recommendation(view, "x").alternatives[0].why


def test_alternatives_are_other_things_and_say_what_for():
    twin = LOQ.model_copy(update={"vendor": "gamma.example", "url": "https://gamma.example/loq"})
    view = recommendation_view(buying("gaming laptop", LOQ, twin, THIN), FINDINGS, RATES)
    draft = plain_recommendation(view, "x")
    assert [view.offers[pick.product].product.name for pick in draft.alternatives] == [THIN.name]
    assert draft.alternatives[0].why.startswith("12% cheaper")


def test_without_evidence_there_is_an_offer_and_no_reason():
    view = recommendation_view(buying("gaming laptop", LOQ), [], RATES)
    draft = plain_recommendation(view, "x")
    assert (draft.product, draft.reasons) == (0, [])


def test_without_offers_nothing_is_recommended():
    draft = plain_recommendation(recommendation_view(buying("gaming laptop"), FINDINGS, RATES), "x")
    assert draft.product is None


def test_offers_in_another_currency_are_converted_only_to_be_compared():
    dear = a_product("Lenovo LOQ 15", "900.00", currency="EUR", price="900 €", vendor="laden.example")
    offers = offers_of(buying("cheap laptop", dear, LOQ), FINDINGS, RATES)
    euro = next(offer for offer in offers if offer.converted)
    assert euro.comparable == pytest.approx(1125)
    assert float(euro.product.price_numeric) == 900
    assert offers[0].product.name == LOQ.name


def test_the_learned_range_is_that_of_phase_1():
    learned = learned_range(FINDINGS)
    assert (learned.min, learned.max, learned.currency) == (700, 1000, "USD")
