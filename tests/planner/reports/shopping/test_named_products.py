"""The recommended offer leads the answer, shops have names, and products that pages recommend are listed."""

from planner.reports.report import RenderContext, assemble
from research_crawler.core.vendors import Catalogue, Vendor
from tests.planner.offers.test_recommendation import CASE, FINDINGS, LOQ, RATES, THIN
from tests.planner.reports.shopping.test_offers import DRAFT, bought, section
from tests.planner.scripted import a_finding, a_job

SHOPS = Catalogue(
    vendors=(Vendor(name="Alpha & Sons", host="alpha.example", search="https://alpha.example/s?q={query}"),)
)
ON_LAPTOPS = [finding.model_copy(update={"title": "Gaming laptops"}) for finding in FINDINGS]


def reported(*products, findings=ON_LAPTOPS, job=None):
    context = RenderContext(
        generated_at="2026-01-02T03:04:05+00:00", seconds=9.0, rates=RATES, catalogue=SHOPS
    )
    return assemble(job or bought(*products), findings, DRAFT, context)


def test_the_recommended_offer_leads_the_answer_with_the_shops_name():
    answer = section(reported(LOQ, THIN), "Answer")
    first, then = answer.split("\n\n")[:2]
    offer, shops = first.split(" (")
    assert offer == "**Lenovo LOQ 15 RTX 4060 16GB** – $849.00 at Alpha & Sons, in stock, new"
    assert shops == "among the offers of 1 of 3 known shops)."
    assert then.startswith("Take the LOQ.")


def test_an_answer_without_a_recommended_offer_stays_as_it_is():
    assert section(reported(CASE), "Answer").startswith("Take the LOQ.")
    assert "No vendor gave an offer" in section(reported(CASE), "Recommendation")


def test_shops_have_names_in_all_parts_for_readers_and_hosts_for_programs():
    report = reported(LOQ, THIN)
    text = section(report, "Recommendation")
    assert "$849.00 at Alpha & Sons, in stock" in text
    assert "| Lenovo LOQ 15 RTX 4060 16GB | $849.00 | Alpha & Sons |" in text
    assert "- Alpha & Sons (alpha.example): 1 offer\n" in text
    assert "Alpha & Sons" in report.recommendation
    assert report.products[0].vendor == "alpha.example"


def test_products_that_pages_recommend_are_listed_with_their_sources_and_offers():
    raven = a_finding(
        "j:4",
        "The Halden Raven 16 is a great laptop too.",
        kind="recommended_product",
        url="https://raven.example/1",
    )
    report = reported(LOQ, findings=[*ON_LAPTOPS, raven])
    lines = section(report, "Products Named by Pages").splitlines()
    assert lines[0].startswith("- Lenovo LOQ 15 – $849.00 at Alpha & Sons [")
    assert lines[1].startswith("- Halden Raven 16 [")
    assert "raven.example" in {source.host for source in report.sources}


def test_products_of_another_kind_parts_and_dates_are_not_listed():
    named = [
        a_finding("j:4", quote, kind="recommended_product", title=title, url=f"https://x{n}.example/1")
        for n, (quote, title) in enumerate(
            [
                ("I recommend the Galaxy S24.", "Phones"),
                ("Go for an RTX 4060 at least.", "Gaming laptops"),
                ("I bought it in March 2024 and love it.", "Gaming laptops"),
                ("Get the Laptop Cooler X200", "Gaming laptops"),
            ]
        )
    ]
    assert "Products Named" not in reported(LOQ, findings=named).report_markdown


def test_they_are_listed_for_a_purchase_whose_vendors_are_not_asked_and_for_no_question():
    job = a_job("find me a gaming laptop", intent="commerce").changed(state="completed")
    assert "- Lenovo LOQ 15 [" in section(reported(job=job), "Products Named by Pages")
    question = job.changed(inputs=job.inputs.changed(intent="informational"))
    assert "Products Named" not in reported(job=question).report_markdown
