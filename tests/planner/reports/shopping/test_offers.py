"""Recommendation and Price Assessment, for readers and for programs."""

import json
from decimal import Decimal

from planner.money.rates import Rates, packaged_rates
from planner.offers.recommendation import recommendation_view
from planner.reports.phase1_result import phase1_of
from planner.reports.report import RenderContext, assemble
from planner.reports.shopping.price_report import price_assessment
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.offers.phase2 import Phase2, VendorTry
from research_crawler.core.models.offers.products import PriceReading
from research_crawler.core.models.reports.drafts import (
    AlternativePick,
    RecommendationDraft,
    ReportDraft,
    Sentence,
)
from research_crawler.core.models.reports.report import Report
from research_crawler.core.vendors import Catalogue, Vendor
from research_crawler.text.writing.messages import REPORT_LANGUAGES
from tests.cases import each_case
from tests.planner.offers.test_recommendation import CASE, FINDINGS, LOQ, RATES, THIN
from tests.planner.reports.headings import expected_headings, headings_of
from tests.planner.reports.hostile import OURS, made_of
from tests.planner.scripted import NOW, a_finding, a_job, a_product

DRAFT = ReportDraft(by="scripted", answer=[Sentence(text="Take the LOQ.", evidence=[0])])
VENDORS = [
    VendorTry(host="alpha.example", origin="hint", stage="answered", found=1),
    VendorTry(host="shut.example", origin="known", stage="failed", reason="robots"),
    VendorTry(host="spare.example", origin="known"),
]


def bought(*products, goal: str = "gaming laptop with an RTX 4060 under $900", currency: str = "USD") -> Job:
    phase2 = Phase2(
        started_ms=NOW,
        finished_ms=NOW + 4_200,
        terms=["Lenovo LOQ 15"],
        vendors=VENDORS,
        products=list(products),
        ended="enough",
    )
    job = a_job(goal, intent="commerce", region="US", currency=currency)
    return job.model_copy(update={"phase2": phase2, "strategy": "phase1_and_phase2", "state": "completed"})


def reported(*products, findings=FINDINGS, choice=None, draft=DRAFT, rates: Rates = RATES, **more) -> Report:
    context = RenderContext(generated_at="2026-01-02T03:04:05+00:00", seconds=9.0, rates=rates)
    return assemble(bought(*products, **more), findings, draft, context, choice)


def section(report: Report, title: str) -> str:
    return report.report_markdown.split(f"## {title}\n\n")[1].split("\n\n## ")[0]


def test_the_sections_of_phase_2_come_between_the_answer_and_the_journey():
    markdown = reported(LOQ, THIN).report_markdown
    assert headings_of(markdown) == expected_headings(markdown, "recommendation", "price_assessment")


def test_without_a_model_the_offer_and_its_reasons_come_first_and_what_they_say_is_not_said_again():
    findings = [a_finding("j:1", f"Fact {n} about laptops is that they weigh {n} kg.") for n in range(9)]
    excerpts = [Sentence(text=one.quote, evidence=[place]) for place, one in enumerate(findings)]
    draft = ReportDraft(by="extractive", answer=excerpts, lists={"key_findings": excerpts[:2]})
    choice = RecommendationDraft(by="extractive", product=0, reasons=excerpts[:1])
    report = reported(LOQ, THIN, findings=findings, choice=choice, draft=draft)
    titles = headings_of(report.report_markdown)
    assert titles[:4] == ["Answer", "Recommendation", "Price Assessment", "In Detail"]
    assert report.report_markdown.count("Fact 0 about") == 1
    assert "Fact 0 about" in section(report, "Recommendation")
    assert section(report, "In Detail").count("Fact ") == 4


def test_the_recommendation_has_price_vendor_and_reasons_with_citations():
    report = reported(LOQ, THIN)
    text = section(report, "Recommendation")
    assert (
        "**Lenovo LOQ 15 RTX 4060 16GB** – $849.00 at alpha.example, in stock, new\nhttps://alpha.example/loq"
        in text
    )
    assert "- It is recommended by name: “I recommend the Lenovo LOQ 15 to everybody.” [1][2]" in text
    assert {source.host for source in report.sources} == {"forum.example", "review.example"}


def test_requirements_are_a_table_with_verdicts():
    text = section(reported(LOQ, goal="red gaming laptop with an RTX 4060 under $900"), "Recommendation")
    assert "| under $900 | verified | $849.00 |" in text
    assert "| RTX 4060 | verified | “Lenovo LOQ 15 RTX 4060 16GB” |" in text
    assert "| red | unknown | – |" in text


def test_that_a_thing_is_cheap_is_told_as_a_comparison_of_prices():
    for product, told in ((0, "costs no more than"), (1, "costs more than")):
        choice = RecommendationDraft(by="scripted", product=product)
        report = reported(LOQ, THIN, goal="cheap gaming laptop", findings=[], choice=choice)
        (row,) = [
            line for line in section(report, "Recommendation").splitlines() if line.startswith("| cheap |")
        ]
        assert told in row and "verified" not in row and "violated" not in row


def test_the_recommendation_says_that_it_does_not_meet_every_requirement():
    report = reported(LOQ, goal="gaming laptop under $500")
    assert "| under $500 | violated | $849.00 |" in section(report, "Recommendation")
    assert "does not meet every requirement" in report.recommendation


def test_alternatives_offers_and_vendors_are_listed():
    text = section(reported(LOQ, THIN), "Recommendation")
    assert "- MSI Thin 15 RTX 4050 – $749.00 at beta.example" not in text  # it violates the RTX 4060
    text = section(reported(LOQ, THIN, goal="gaming laptop"), "Recommendation")
    assert (
        "- MSI Thin 15 RTX 4050 – $749.00 at beta.example (12% cheaper, pages warn of it): https://beta.example/thin"
        in text
    )
    assert "| MSI Thin 15 RTX 4050 | $749.00 | beta.example | in stock | new |" in text
    assert "- shut.example: failed (robots)" in text
    assert "- spare.example" not in text


def test_prices_are_compared_with_the_range_that_pages_name():
    text = section(reported(LOQ, THIN, CASE), "Price Assessment")
    assert text.startswith(
        "Pages name 700 to 1,000 USD. [2] The recommended offer costs $849.00: in line with that."
    )
    assert "Of 2 offers, 2 are within that range, 0 below it and 0 above it." in text, "a sleeve is no offer"
    dear = LOQ.model_copy(update={"price": "$1,500.00", "price_numeric": 1500})
    assert "50% above that" in section(reported(dear), "Price Assessment")


def test_a_single_price_that_pages_name_is_not_shown_as_a_range():
    known = [a_finding("j:2", "It costs about $800.", kind="price_expectation")]
    text = reported(LOQ, THIN, findings=known).price_assessment
    assert text.startswith(
        "Pages name about 800 USD. [1] The recommended offer costs $849.00: 6% above that."
    )
    assert "Of 2 offers, 1 cost less and 1 more." in text


def test_the_assessment_says_that_no_price_range_was_found():
    report = reported(LOQ, THIN, findings=FINDINGS[:2])
    assert report.price_assessment.startswith("The research found no price range")
    assert "Offers cost 749.00 to 849.00 USD" in report.price_assessment


def test_converted_prices_are_marked_and_missing_rates_are_named():
    euro = a_product(
        "Lenovo LOQ 15",
        "700.00",
        price="700,00 €",
        currency="EUR",
        vendor="laden.example",
        url="https://laden.example/1",
    )
    yen = a_product(
        "Lenovo LOQ 15",
        "99000",
        price="¥99,000",
        currency="JPY",
        vendor="mise.example",
        url="https://mise.example/1",
    )
    report = reported(LOQ, euro, yen)
    assert "| Lenovo LOQ 15 | 700,00 € (≈ 875.00, converted) | laden.example" in section(
        report, "Recommendation"
    )
    assert "converted at the ECB rate of 2026-01-02 for this comparison only" in report.price_assessment
    assert "1 offer in JPY could not be compared: no rate is known." in report.price_assessment


def test_prices_converted_with_the_packaged_rates_are_called_approximate():
    goal = "gaming laptop under 900 EUR"
    report = reported(LOQ, goal=goal, currency="EUR", rates=packaged_rates())
    text = section(report, "Recommendation")
    assert "| $849.00 (≈ 816.35, approximate rate) | alpha.example" in text
    row = next(line for line in text.splitlines() if line.startswith("| under 900 EUR"))
    assert "converted at an approximate rate (unverified, about 2024-12)" in row
    assert "Prices in USD were converted at an approximate rate (unverified" in report.price_assessment
    assert "Set RESEARCH_EXCHANGE_RATES to use rates of your own." in report.price_assessment
    assert "ECB" not in report.report_markdown


def test_a_learned_range_in_another_currency_is_marked_as_converted():
    euro = a_product("Lenovo LOQ 15", "700.00", price="700,00 €", currency="EUR", vendor="laden.example")
    text = reported(euro, currency="EUR").price_assessment
    assert "Pages name 700 to 1,000 USD (≈ 560 to 800 EUR)." in text
    assert "Prices in USD were converted at the ECB rate of 2026-01-02" in text


@each_case("language", [code for code in REPORT_LANGUAGES if code != "en"])
@each_case("rates", [RATES, packaged_rates(), Rates(date="2026-01-02", euro={"USD": 1.25})])
@each_case("currency", ["EUR", "XTS"])
def test_all_that_is_said_of_rates_is_in_the_language_of_the_report(currency, rates, language):
    unknown = a_product("Lenovo LOQ 15", "9", price="XXX 9", currency="XXX", vendor="mise.example")
    job = bought(LOQ, unknown, currency=currency)
    view = recommendation_view(job, FINDINGS, rates)
    english, translated = (
        [sentence.text for sentence in price_assessment(view.changed(language=code), view.offers[0], rates)]
        for code in ("en", language)
    )
    assert len(english) == len(translated) > 1
    assert not {part for text in english for part in text.split("; ")} & {
        part for text in translated for part in text.split("; ")
    }
    assert not [
        text for text in translated if "could not" in text or "were " in text or "rate" in text.split()
    ]


def test_shipping_stands_beside_the_price():
    shipping = PriceReading(text="$9.90", amount=Decimal("9.90"), currency="USD")
    free = shipping.model_copy(update={"text": "free", "amount": Decimal(0)})
    text = section(reported(LOQ.model_copy(update={"shipping": shipping})), "Recommendation")
    assert "| $849.00 + $9.90 shipping |" in text
    text = section(reported(LOQ.model_copy(update={"member_price": shipping})), "Recommendation")
    assert "| $849.00; for members $9.90 |" in text
    text = section(reported(LOQ.model_copy(update={"shipping": free})), "Recommendation")
    assert "| $849.00, free shipping |" in text


def test_programs_get_every_field_of_the_result():
    report = reported(LOQ, THIN)
    text = json.loads(report.model_dump_json())
    phase2 = text["phase2"]
    assert {
        "success",
        "products",
        "recommendation",
        "price_assessment",
        "vendors_visited",
        "vendors_failed",
        "elapsed_seconds",
    } <= set(phase2)
    assert phase2["vendors_visited"] == ["alpha.example"]
    assert phase2["vendors_failed"] == ["shut.example: robots"]
    assert phase2["elapsed_seconds"] == 4.2
    product = phase2["products"][0]
    assert (product["name"], product["price"], product["price_numeric"]) == (LOQ.name, "$849.00", 849.0)
    assert {"vendor", "url", "in_stock", "specs", "confidence", "availability", "currency"} <= set(product)
    assert text["products"] == phase2["products"]
    assert text["recommendation"] == phase2["recommendation"]
    assert "[1]" in text["recommendation"]
    assert Report.model_validate(text).phase2 == report.phase2


def test_a_models_choice_is_rendered_without_its_urls_and_marks():
    view = recommendation_view(bought(LOQ, THIN), FINDINGS, RATES)
    place = next(n for n, offer in enumerate(view.offers) if offer.product.name == THIN.name)
    choice = RecommendationDraft(
        by="model",
        product=place,
        reasons=[
            Sentence(text="It is cheap, see https://evil.example [9].", evidence=[2]),
            Sentence(text="Unproven."),
        ],
        alternatives=[AlternativePick(product=99), AlternativePick(product=1 - place, why="better card")],
    )
    report = reported(LOQ, THIN, choice=choice)
    assert "**MSI Thin 15 RTX 4050** – $749.00 at beta.example" in report.report_markdown
    assert "evil.example" not in report.report_markdown
    assert "Unproven" not in report.report_markdown
    assert [(o.name, o.why) for o in report.phase2.alternatives] == [(LOQ.name, "better card")]
    assert any("1 sentence of the draft" in warning for warning in report.warnings)


def test_the_offers_are_shown_though_a_brain_recommends_none():
    report = reported(LOQ, choice=RecommendationDraft(by="model"))
    assert report.recommendation.startswith("None of the offers fits the goal")
    assert report.phase2.recommended is None
    assert "| Lenovo LOQ 15 RTX 4060 16GB | $849.00 |" in report.report_markdown


def test_without_findings_the_offer_is_the_answer_and_no_reason_is_invented():
    report = reported(LOQ, findings=[], draft=ReportDraft(by=""))
    assert "Lenovo LOQ 15 RTX 4060 16GB – $849.00 at alpha.example" in section(report, "Answer")
    assert "No finding of the research recommends this offer" in report.recommendation
    assert report.exit_code == 0


def test_without_any_offer_the_report_says_so():
    report = reported()
    assert report.phase2.success is False
    assert "No vendor gave an offer" in section(report, "Recommendation")
    assert section(report, "Price Assessment") == "There is no price to assess."
    assert report.exit_code == 0


def test_names_from_vendors_cannot_break_the_document():
    nasty = LOQ.model_copy(update={"name": "LOQ | <b>x</b> [a](https://evil.example) # RTX 4060"})
    report = reported(nasty)
    assert made_of(report.report_markdown) <= OURS
    assert nasty.name in report.recommendation


def test_an_informational_report_has_neither_section():
    job = a_job().model_copy(update={"state": "completed"})
    report = assemble(job, FINDINGS, DRAFT, RenderContext(generated_at="x", seconds=1.0))
    assert "## Recommendation" not in report.report_markdown
    assert (report.phase2, report.products, report.recommendation, report.price_assessment) == (
        None,
        [],
        None,
        None,
    )
    assert phase1_of(job, FINDINGS).goal == job.inputs.goal


def test_the_recommendation_speaks_the_language_of_the_goal():
    report = reported(LOQ, THIN, goal="günstiger Laptop mit RTX 4060 unter 900 $ für Spiele")
    text = section(report, "Empfehlung")
    assert "$849.00 bei alpha.example, auf Lager, neu" in text
    assert "| Produkt | Preis | Händler | Verfügbarkeit | Zustand |" in text
    assert "Die Suche endete, weil genug Händler geantwortet haben." in text
    assert "auf Lager" in report.recommendation
    prices = section(report, "Preiseinschätzung")
    assert "Seiten nennen" in prices
    assert "Angebote kosten 749,00 bis 849,00 USD" in prices
    assert "Es wird namentlich empfohlen: „I recommend the Lenovo LOQ 15 to everybody.“" in text


def test_the_shops_that_were_known_and_not_asked_are_named():
    spare, foreign, last = (
        Vendor(name=name, host=f"{name.lower()}.example", search=f"https://{name.lower()}.example/?q={{query}}",
               country=country)
        for name, country in (("Spare", "US"), ("Fern", "DE"), ("Last", "US"))
    )  # fmt: skip
    catalogue = Catalogue(vendors=(spare, foreign, last))
    context = RenderContext(
        generated_at="2026-01-02T03:04:05+00:00", seconds=9.0, rates=RATES, catalogue=catalogue
    )
    report = assemble(bought(LOQ, THIN), FINDINGS, DRAFT, context)
    assert "Known shops that were not asked: Spare, Last." in section(report, "Recommendation")
    asked = [
        vendor.stage for vendor in bought(LOQ, THIN).phase2.vendors if vendor.stage in ("answered", "failed")
    ]
    counts = f"of {asked.count('answered')} of {len(asked) + 2} known shops"
    assert counts in report.report_markdown.split("## Recommendation")[0], (
        "the answer says it at its beginning"
    )
    assert "shut.example" in section(report, "Recommendation").split("Known shops")[0]
