"""The section of the products that pages recommend by name, each with its sources and its cheapest offer."""

from collections.abc import Sequence

from planner.offers.naming import Names
from planner.offers.recommendation import price_text
from planner.offers.recommended_products import named_products
from planner.offers.search_terms import wanted_kind
from planner.reports.shopping.offers import Recommended
from planner.reports.sources.citations import Citations, Cited
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.text.writing.messages import Messages


def named_lines(
    job: Job,
    findings: Sequence[Finding],
    citations: Citations,
    offers: Recommended | None,
    translate: Messages,
) -> list[Cited]:
    """One line for each product that pages recommend; none for a job that looks for no product."""
    if job.inputs.intent != "commerce":
        return []
    lines = [
        Sentence(text=f"{one.name}{_offered(one.name, offers, translate)}", evidence=one.indexes)
        for one in named_products(wanted_kind(job), findings)
    ]
    return citations.cite(lines)


def named_section(named: Sequence[Cited], translate: Messages) -> str:
    """The section for report.md; "" if pages recommend nothing by name."""
    lines = "\n".join(f"- {one.with_marks()}" for one in named)
    return f"## {translate('named_products')}\n\n{lines}" if lines else ""


def _offered(name: str, offers: Recommended | None, translate: Messages) -> str:
    """The best offer of the product with its price and shop, if a vendor has one."""
    if offers is None:
        return ""
    views = offers.view.offers
    names = Names([one.product for one in views], offers.view.generic)
    best = next((one.product for one in views if names.named_in(one.product, name)), None)
    if best is None:
        return ""
    return f" – {translate('at_vendor', price=price_text(best), vendor=offers.shop(best.vendor))}"
