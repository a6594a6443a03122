"""An offer far below all others is fetched again, shown as doubtful, and not recommended until it stands."""

from datetime import UTC, datetime

import pytest

from planner.money.rates import packaged_rates
from planner.offers.recommendation import ranked_recommendation, recommendation_view
from planner.offers.vendor_commands import STORED_SHOP_PAGE_MAX_AGE_S, VendorCommandBuilder
from planner.reports.shopping.offers import recommendation_section, recommended
from planner.reports.sources.citations import Citations
from research_crawler.core.models.offers.products import FieldGap
from research_crawler.core.models.reports.drafts import AlternativePick, RecommendationDraft
from tests.planner.offers.test_vendor_rounds import drive_for, named, through_vendors
from tests.planner.scripted import NOW, a_catalogue, a_job, a_product, ended, found, offered

RANGE = named("Expect to pay $730 to $1,100 for a gaming laptop.", "price_expectation")
SHOPS = {"alpha.example": "99.00", "beta.example": "899.00", "gamma.example": "949.00"}


def laptop(host, amount):
    return a_product(f"Gaming laptop RTX 4060 of {host}", amount, url=f"https://{host}/p/1", vendor=host)


def shopping(second_fetch):
    """Phase 2 at three shops, one of which shows $99; what it shows when it is asked again."""

    def answer(command):
        if command.kind == "search":
            return found(command)
        if command.vendor.page == "search":
            return offered(command, laptop(command.vendor.host, SHOPS[command.vendor.host]))
        return second_fetch(command)

    drive = drive_for(catalogue=a_catalogue(*SHOPS), findings=[RANGE])
    job = through_vendors(drive, answer)
    return drive, recommendation_view(job, [RANGE], packaged_rates()), job


def test_a_price_far_below_all_others_is_fetched_again_and_the_new_one_counts():
    drive, view, _ = shopping(lambda command: offered(command, laptop("alpha.example", "919.00")))
    again = drive.commands[-1]
    assert (again.url, again.max_age_s) == ("https://alpha.example/p/1", 0)
    prices = {offer.product.vendor: float(offer.product.price_numeric) for offer in view.offers}
    assert prices == {"alpha.example": 919.0, "beta.example": 899.0, "gamma.example": 949.0}
    assert not any(offer.doubtful for offer in view.offers)


@pytest.mark.parametrize("choice", ["the brain without a model", "a model that wants the cheapest"])
def test_one_that_cannot_be_fetched_again_is_shown_as_doubtful_and_not_recommended(choice):
    _, view, job = shopping(lambda command: ended(command, "failed", "timeout"))
    doubtful = [place for place, offer in enumerate(view.offers) if offer.doubtful]
    assert [view.offers[place].product.vendor for place in doubtful] == ["alpha.example"]
    draft = ranked_recommendation(view, "")
    if choice != "the brain without a model":
        draft = RecommendationDraft(by="m", product=doubtful[0])
    told = recommended(view, draft, Citations([RANGE], []), packaged_rates())
    assert told.chosen.product.vendor != "alpha.example"
    assert "99.00 (doubtful" in recommendation_section(job.phase2, told)


def test_one_that_a_second_fetch_shows_again_stands():
    drive, view, job = shopping(lambda command: offered(command, laptop("alpha.example", "99.00")))
    assert not any(offer.doubtful for offer in view.offers)
    assert sum(command.kind == "vendor" and command.max_age_s == 0 for command in drive.commands) == 1
    assert list(job.phase2.rechecks.values()) == [True]


def test_a_page_that_contradicts_itself_about_its_price_confirms_none():
    lie = laptop("alpha.example", "99.00").changed(gaps=[FieldGap(field="price", reason="contradictory")])
    _, view, job = shopping(lambda command: offered(command, lie))
    assert [offer.product.vendor for offer in view.offers if offer.doubtful] == ["alpha.example"]
    told = recommended(view, ranked_recommendation(view, ""), Citations([RANGE], []), packaged_rates())
    assert told.chosen.product.vendor != "alpha.example"
    assert list(job.phase2.rechecks.values()) == [False]


def test_no_price_comes_from_a_page_that_was_stored_before_the_job_began():
    begun = datetime.fromtimestamp(NOW / 1000 - 40, UTC).isoformat(timespec="seconds")
    job = a_job("gaming laptop", intent="commerce").model_copy(update={"created_at": begun})
    commands = VendorCommandBuilder(job, NOW, a_catalogue(*SHOPS))
    assert commands.product("alpha.example", "https://alpha.example/p/1", "laptop").max_age_s in (40, 41)
    later = VendorCommandBuilder(job, NOW + 86_400_000, a_catalogue(*SHOPS))
    assert (
        later.product("alpha.example", "https://alpha.example/p/1", "laptop").max_age_s
        == STORED_SHOP_PAGE_MAX_AGE_S
    )


def test_a_doubtful_offer_is_no_alternative_either():
    _, view, _ = shopping(lambda command: ended(command, "failed", "timeout"))
    [doubtful] = [place for place, offer in enumerate(view.offers) if offer.doubtful]
    draft = RecommendationDraft(by="m", product=0, alternatives=[AlternativePick(product=doubtful)])
    assert recommended(view, draft, Citations([RANGE], []), packaged_rates()).alternatives == []


def test_one_that_the_second_fetch_shows_in_another_currency_does_not_stand():
    other = laptop("alpha.example", "99.00").changed(currency="EUR")
    _, _, job = shopping(lambda command: offered(command, other))
    assert list(job.phase2.rechecks.values()) == [False]
