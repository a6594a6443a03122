from decimal import Decimal

import pytest

from planner.money.rates import Rates
from planner.offers.recommendation import price_text, ranked_recommendation, recommendation_view
from planner.reports.shopping.offers import recommendation_section, recommended
from planner.reports.sources.citations import Citations
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.offers.phase2 import Phase2
from research_crawler.core.models.offers.products import PriceReading
from research_crawler.core.models.reports.drafts import RecommendationDraft
from research_crawler.text.writing.messages import Messages
from tests.cases import each_case
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


def test_every_reason_rests_on_a_finding():
    view = recommendation_view(buying("gaming laptop", LOQ, THIN), FINDINGS, RATES)
    draft = ranked_recommendation(view, "extractive")
    assert view.offers[draft.product].product.name == LOQ.name
    evidence = {sentence.text.split(":")[0]: sentence.evidence for sentence in draft.reasons}
    assert evidence == {
        "It is recommended by name": [0, 1],
        "It has specs that pages recommend (RTX 4060)": [3],
        "Its price of $849.00 is within the range that pages name": [2],
    }
    assert draft.cautions == []


def test_warnings_about_the_recommended_product_become_cautions():
    view = recommendation_view(buying("gaming laptop", THIN), FINDINGS, RATES)
    assert [(c.text, c.evidence) for c in ranked_recommendation(view, "x").cautions] == [
        ("A page warns: “The MSI Thin 15 is noisy.”", [4])
    ]


def test_an_alternative_that_pages_warn_of_says_so():
    view = recommendation_view(buying("gaming laptop", THIN, LOQ), FINDINGS, RATES)
    assert "pages warn of it" in ranked_recommendation(view, "x").alternatives[0].why


def test_alternatives_are_other_products_and_say_how_they_compare():
    twin = LOQ.model_copy(update={"vendor": "gamma.example", "url": "https://gamma.example/loq"})
    view = recommendation_view(buying("gaming laptop", LOQ, twin, THIN), FINDINGS, RATES)
    draft = ranked_recommendation(view, "x")
    assert [view.offers[pick.product].product.name for pick in draft.alternatives] == [THIN.name]
    assert draft.alternatives[0].why.startswith("12% cheaper")


def test_alternatives_are_compared_with_the_shipping_that_their_pages_state():
    shipping = PriceReading(text="$40.00", amount=Decimal(40), currency=THIN.currency)
    sent = THIN.model_copy(update={"shipping": shipping})
    view = recommendation_view(buying("gaming laptop", LOQ, sent), FINDINGS, RATES)
    assert ranked_recommendation(view, "x").alternatives[0].why.startswith("7% cheaper")


def test_without_evidence_an_offer_is_chosen_without_reasons():
    view = recommendation_view(buying("gaming laptop", LOQ), [], RATES)
    draft = ranked_recommendation(view, "x")
    assert (draft.product, draft.reasons) == (0, [])


def test_without_offers_nothing_is_recommended():
    draft = ranked_recommendation(recommendation_view(buying("gaming laptop"), FINDINGS, RATES), "x")
    assert draft.product is None


PRIOR = """## §2 Prior Research Intelligence
### Recommended Models
- MSI Thin 15
### Price Expectations
- $700 to $760
### What to Look For
- RTX 4050
"""


def with_context(job: Job, context: str) -> Job:
    return job.changed(inputs=job.inputs.changed(context=context))


def test_what_the_callers_context_recommends_is_recommended_and_the_report_says_why():
    job = buying("gaming laptop", LOQ, THIN)
    assert recommendation_view(job, [], RATES).offers[0].named_before == ""
    view = recommendation_view(with_context(job, PRIOR), [], RATES)
    best = view.offers[0]
    assert (best.product.name, best.named_before, best.specs_before) == (
        THIN.name, "MSI Thin 15", ["RTX 4050"],
    )  # fmt: skip
    assert view.range_named_by == "The context names"
    rendered = recommendation_section(
        Phase2(), recommended(view, ranked_recommendation(view, "x"), Citations([], []), RATES)
    )
    assert "The context that you gave recommends it by name (MSI Thin 15)." in rendered
    assert "specs that your context asks for (RTX 4050)" in rendered
    assert Messages("en")("not_named") not in rendered


def test_an_offer_is_judged_by_the_topic_where_the_goal_names_no_product():
    job = buying("find me the cheapest thing", LOQ, THIN)
    job = job.changed(inputs=job.inputs.changed(topic="gaming laptop"))
    view = recommendation_view(job, [], RATES)
    assert view.generic == "gaming laptop"
    assert view.goal == "gaming laptop: find me the cheapest thing"


LOW = a_product("MSI Thin 15 RTX 4050", "649.00", vendor="beta.example", url="https://beta.example/low")
CHEAPEST = [
    "find the cheapest laptop", "finde den günstigsten Laptop", "trouve-moi le laptop le moins cher",
    "el laptop más barato", "il laptop più economico", "de goedkoopste laptop", "najtańszy laptop",
    "o laptop mais barato",
]  # fmt: skip


@each_case("goal", CHEAPEST)
def test_who_asks_for_the_cheapest_thing_gets_the_lowest_price_among_those_that_fit(goal):
    findings = [NAMED, TWICE, RANGE]
    view = recommendation_view(buying(goal, LOQ, LOW), findings, RATES)
    draft = ranked_recommendation(view, "x")
    assert view.offers[draft.product].product.name == LOW.name
    assert [view.offers[pick.product].product.name for pick in draft.alternatives] == [LOQ.name]
    assert {offer.product.name: offer.checks[-1].state for offer in view.offers} == {
        LOW.name: "verified", LOQ.name: "violated",
    }  # fmt: skip


@pytest.mark.parametrize(
    "goal", ["find a cheap laptop", "ein günstiger Laptop", "un portátil más barato que el mío"]
)
def test_who_asks_for_a_cheap_thing_gets_the_one_that_people_recommend(goal):
    view = recommendation_view(buying(goal, LOQ, LOW), [NAMED, TWICE, RANGE], RATES)
    assert view.offers[0].product.name == LOQ.name


@each_case(
    ("changes", "goal", "why"),
    [
        ({"in_stock": False, "availability": "out_of_stock"}, "cheapest laptop", "out of stock"),
        ({"condition": "used"}, "cheapest laptop", "used"),
        ({"price": "99.00", "price_numeric": Decimal(99)}, "cheapest laptop", "doubtful"),
        ({"specs": {}}, "cheapest laptop with an RTX 4060", "RTX 4060: violated"),
        ({"name": "MSI Thin 15", "specs": {}}, "cheapest laptop with an RTX 4060", "RTX 4060: unknown"),
    ],
)
def test_a_lower_price_that_is_not_taken_is_told_with_what_speaks_against_it(changes, goal, why):
    low = LOW.changed(**changes)
    view = recommendation_view(buying(goal, LOQ, low), [NAMED, RANGE], RATES)
    told = recommended(view, ranked_recommendation(view, "x"), Citations([NAMED, RANGE], []), RATES)
    assert told.chosen.product.name == LOQ.name
    section = recommendation_section(Phase2(), told)
    [line] = [line for line in section.splitlines() if line.startswith("- Cheaper, but not chosen:")]
    assert low.name in line and why in line
    assert "has the lowest price of the offers that fit" in section


def test_a_used_thing_is_the_cheapest_where_a_used_one_is_asked_for():
    low, dear = LOW.changed(condition="used"), LOQ.changed(condition="used")
    view = recommendation_view(buying("cheapest used laptop", dear, low), FINDINGS, RATES)
    assert view.offers[0].product.name == LOW.name


def test_a_model_that_chooses_a_dearer_thing_does_not_hide_the_cheapest():
    view = recommendation_view(buying("cheapest laptop", LOQ, LOW), [NAMED], RATES)
    dear = next(place for place, offer in enumerate(view.offers) if offer.product.name == LOQ.name)
    told = recommended(view, RecommendationDraft(by="m", product=dear), Citations([NAMED], []), RATES)
    section = recommendation_section(Phase2(), told)
    assert "an offer that fits costs less" in section
    assert "Cheaper, but not chosen: MSI Thin 15 RTX 4050" in section


@pytest.mark.parametrize("written", ["$ 904.95", "$904.95", "$\u00a0904.95"])
def test_a_report_writes_prices_in_one_form(written):
    assert price_text(LOQ.changed(price=written)) == "$904.95"
