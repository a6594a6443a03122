"""Find the products and vendors that findings name."""

import re
from collections.abc import Iterable, Sequence

from planner.job.findings import claims_of
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.vendors import Vendor
from research_crawler.core.web.urls import host_of
from research_crawler.text.offers.product_names import is_name_alone, product_names
from research_crawler.text.offers.purchase import shops_in

MAX_HINTS = 20
"""Most names of products that findings give to the search for offers."""

_DOMAIN = re.compile(
    r"\b(?:[a-z0-9-]{1,63}\.){1,6}(?:com|net|org|de|co\.uk|fr|es|it|nl|eu|shop|store)\b", re.I
)


def vendor_hints(claims: Iterable[str], vendors: Sequence[Vendor]) -> list[str]:
    """Names of vendors: a short claim as it is, and the domains and known vendors that a sentence contains."""
    names: dict[str, str] = {}
    for claim in claims:
        known = filter(None, (vendor.named_in(claim) for vendor in vendors))
        for name in [claim] if is_name_alone(claim) else [*_DOMAIN.findall(claim), *known]:
            names.setdefault(name.strip(" .").casefold(), name.strip(" ."))
    return list(names.values())[:MAX_HINTS]


def hinted_names(findings: Sequence[Finding], vendors: Sequence[Vendor]) -> list[str]:
    """Vendors that findings name: those mentioned as vendors, and those where people bought a product."""
    claims = claims_of(findings, ["vendor_mentioned", "recommended_product", "price_expectation"])
    bought = [shop for claim in claims for shop in shops_in(claim)]
    mentioned = vendor_hints(claims_of(findings, ["vendor_mentioned"]), vendors)
    names: dict[str, str] = {}
    for name in (*mentioned, *bought):
        names.setdefault(name.casefold(), name)
    return list(names.values())[:MAX_HINTS]


def search_terms(job: Job, findings: Sequence[Finding]) -> list[str]:
    """What to search vendors for: the recommended products, those that most hosts name first.

    If no product is recommended, the job's own queries that gave results.
    """
    terms: dict[str, str] = {}
    for claim in claims_of(findings, ["recommended_product"]):
        for name in product_names(claim):
            terms.setdefault(name.casefold(), name)
    terms = dict(sorted(terms.items(), key=lambda term: -_hosts_naming(term[0], findings)))
    if not terms and findings:
        terms = {s.query.casefold(): s.query for s in job.searches if s.results}
    return list(terms.values())[:MAX_HINTS]


def _hosts_naming(name: str, findings: Sequence[Finding]) -> int:
    """How many hosts recommend a product by this name or a longer one."""
    words = set(name.split())
    recommending = (f for f in findings if f.kind == "recommended_product")
    return len(
        {host_of(f.url) for f in recommending if words <= set(f.quote.casefold().replace(",", " ").split())}
    )
