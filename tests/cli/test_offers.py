"""The command `research run` for a purchase on the local web: advice, then vendors, then a recommendation."""

import json
from decimal import Decimal

import pytest

from research_crawler.demo.shops.shop_data import planted_offers, read_purchases, read_shops

PURCHASE = read_purchases()[0]
PHASE2_KEYS = {
    "success", "products", "recommendation", "price_assessment", "vendors_visited", "vendors_failed", "elapsed_seconds",
}  # fmt: skip


def shopping(research, web):
    """The command with the local web's shops as its catalogue of vendors."""
    file = research.folder / "shops.toml"
    file.write_text(web.vendors_toml())
    return research.having(RESEARCH_VENDORS=str(file))


@pytest.fixture(scope="module")
def bought(new_research, web, tmp_path_factory):
    """A finished run for the purchase that the local web knows about."""
    folder = tmp_path_factory.mktemp("buy")
    research = shopping(new_research(folder), web)
    return research, research("run", PURCHASE.goal, "--json", "--out", folder / "documents")


def test_after_the_advice_three_vendors_are_asked(bought):
    _, answer = bought
    assert answer.code == 0, answer.err
    report = answer.json
    assert report["strategy"] == "phase1_and_phase2"
    assert set(report["phase2"]) >= PHASE2_KEYS
    assert report["phase2"]["success"] is True
    assert len(report["phase2"]["vendors_visited"]) == 3
    assert report["metrics"]["searches"] <= 2
    assert report["phase2"]["elapsed_seconds"] > 0


def test_phase_1_searches_visits_and_ends_when_two_sources_agree(bought, web):
    research, _ = bought
    plan = (research.folder / "documents" / "research_plan.md").read_text()
    decisions = [line.split("**")[1] for line in plan.splitlines() if line[:1].isdigit() and "**" in line]
    assert decisions[:2] == ["search", "visit"]
    assert decisions[-1] == "done"
    assert "both recommend Orlo Lynx 15" in plan
    assert "phase1_and_phase2: the goal asks for an offer, and nothing is known from before" in plan
    assert "region US, currency USD" in plan


def test_the_recommended_product_is_the_one_that_people_name_with_the_reasons_cited(bought):
    report = bought[1].json
    chosen = report["phase2"]["recommended"]
    assert chosen["name"].startswith(read_shops()[0][PURCHASE.recommended[0]].name)
    assert chosen == report["products"][0]
    section = report["report_markdown"].split("## Recommendation")[1].split("## Price Assessment")[0]
    assert "It is recommended by name" in section
    cited = {source["n"] for source in report["sources"]}
    assert any(f"[{n}]" in section for n in cited)
    assert "| RTX | verified |" in section


def test_a_product_that_pages_warn_of_is_not_recommended(bought):
    report = bought[1].json
    warned = read_shops()[0][PURCHASE.warned[0]].name
    assert not report["phase2"]["recommended"]["name"].startswith(warned)
    for other in report["phase2"]["alternatives"]:
        if other["name"].startswith(warned):
            assert "pages warn of it" in other["why"]


def test_every_price_is_that_of_its_page(bought, web):
    planted = {offer.url: offer for offer in planted_offers(web.hosts)}
    products = bought[1].json["phase2"]["products"]
    assert len(products) >= 6
    for product in products:
        offer = planted[product["url"]]
        assert (Decimal(str(product["price_numeric"])), product["currency"]) == (offer.price, offer.currency)
        if product["availability"] != "unknown":
            assert product["availability"] == offer.availability


def test_prices_are_assessed_by_the_range_that_pages_name(bought):
    report = bought[1].json
    low, high = (float(bound) for bound in PURCHASE.price_range)
    learned = report["phase1"]["price_range"]
    assert learned["currency"] == PURCHASE.currency
    assert learned["min"] <= low
    assert learned["max"] >= high * 0.95
    assert report["price_assessment"].startswith("Pages name ")
    assert "The recommended offer costs $" in report["price_assessment"]


def test_the_folder_of_the_job_has_the_products_too(bought):
    research, answer = bought
    kept = json.loads((research.folder / "documents" / "products.json").read_text())
    assert kept == answer.json["phase2"]


@pytest.mark.long
def test_phase_2_can_start_from_a_finished_job_without_a_new_phase_1(bought, web):
    research, answer = bought
    job = answer.json["job"]
    again = research("run", "--from", job, "--vendors", "1", "--json")
    assert again.code == 0, again.err
    report = again.json
    assert (report["strategy"], report["goal"]) == ("phase2_only", PURCHASE.goal)
    assert report["metrics"]["searches"] == report["metrics"]["pages_visited"] == 0
    assert len(report["phase2"]["vendors_visited"]) == 1
    assert report["phase1"]["findings"] == answer.json["phase1"]["findings"]
    assert "It is recommended by name" in report["recommendation"]


@pytest.mark.long
def test_a_second_job_on_the_same_thing_needs_no_phase_1(bought):
    research, _ = bought
    again = research("run", "buy a cheap gaming laptop with an RTX card", "--vendors", "1", "--json")
    report = again.json
    assert (report["strategy"], report["metrics"]["searches"]) == ("phase2_only", 0)
    forced = research("run", PURCHASE.goal, "--phase1-only", "--json").json
    assert (forced["strategy"], forced["phase2"]) == ("phase1_only", None)
    assert "Offers were not compared" in forced["warnings"][0]


@pytest.mark.long
def test_a_buyer_in_germany_gets_german_shops_and_prices_in_euros(research, web):
    goal = "günstiger Gaming-Laptop mit RTX 4060 unter 1100 €"
    answer = shopping(research, web)("run", goal, "--strategy", "phase2_only", "--json")
    assert answer.code == 0, answer.err
    phase2 = answer.json["phase2"]
    assert (phase2["region"], phase2["currency"]) == ("DE", "EUR")
    german = {shop.ip for shop in read_shops()[1].values() if shop.country == "DE"}
    assert phase2["products"]
    assert {product["vendor"] for product in phase2["products"]} <= german
    assert {product["currency"] for product in phase2["products"]} == {"EUR"}


@pytest.mark.long
def test_a_question_for_the_cheapest_thing_says_in_one_line_how_shops_are_asked(research, web):
    answer = shopping(research, web)(
        "run", "What is the cheapest gaming laptop with an RTX card?", "--depth", "quick"
    )
    [line] = [line for line in answer.err.splitlines() if "no shop was asked" in line]
    assert "--intent commerce" in line


def test_progress_shows_vendors_and_offers(research, web):
    answer = shopping(research, web)("run", "Orlo Lynx 15", "--strategy", "phase2_only", "--vendors", "1")
    assert answer.code == 0, answer.err
    assert "→ asking 127.0.21." in answer.err
    assert "offers of 1 vendors – enough vendors have answered" in answer.err
    assert "## Recommendation" in answer.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--strategy", "phase3"], "'phase3' is not a strategy; choose one of phase1_only"),
        (["--from", "nosuchjob"], "nosuchjob"),
    ],
)
def test_an_unknown_strategy_or_job_is_reported_in_one_line(research, options, message):
    answer = research("run", "buy a laptop", *options)
    assert answer.code in (1, 2)
    assert message in answer.err
    assert sum(line.startswith("research: ") for line in answer.err.splitlines()) == 1


@pytest.mark.long
def test_submitted_jobs_take_the_same_options(research, web):
    answer = shopping(research, web)("submit", "buy a laptop", "--vendors", "2", "--region", "de", "--json")
    assert answer.code == 0, answer.err
    assert answer.json["topic"] == "buy a laptop"
    assert research("submit", "buy a laptop", "--region", "Atlantis").code == 2
