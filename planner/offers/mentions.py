"""Find the products and vendors that findings name."""

import re
from calendar import month_name
from collections.abc import Iterable, Sequence

from planner.job.findings import claims_of
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job
from research_crawler.core.vendors import Vendor
from research_crawler.core.web.urls import host_of

MAX_NAME_WORDS = 6
"""A claim with at most so many words is a name; a longer one is a sentence that contains names."""
MAX_HINTS = 20

_DOMAIN = re.compile(
    r"\b(?:[a-z0-9-]{1,63}\.){1,6}(?:com|net|org|de|co\.uk|fr|es|it|nl|eu|shop|store)\b", re.I
)
_WORDED_NAME = re.compile(r"\b(?:[Tt]he|[Aa]n?|[Mm]y|[Oo]ur)\s(?P<name>[A-Z][a-z][\w-]*\s[A-Z][a-z][\w-]*)\b")
"""A name without a number after an article: "the Velmar Pocket"."""
_BEFORE_NAME = re.compile(
    r"^(?:(?:The|An?|Our|My|Its|Their|This|That|If|And|But|Get|Buy|Take|With|For|the|an?|our|my)\s)+"
)
"""Words at the start of a sentence that do not belong to the name after them."""
_BOUGHT_AT = re.compile(
    r"\b(?:bought|ordered|paid|got|sold|available|deal|price)\b[^.!?]{0,60}?\b(?:at|from|on|by)\s"
    r"(?P<shop>[A-Z][\w&'’-]+(?:\s(?:& )?[A-Z][\w&'’-]+){0,2})"
)
_MODEL_NAME = re.compile(
    r"\b(?:[A-Z][\w&-]{0,40}\s){0,3}(?:[A-Z][\w-]{0,40}\d[\w-]*|[A-Z]{2,}\s\d{2,5}\w*|[A-Z][a-z]\w+\s\d{1,5}\w*)"
)


_MONTH = re.compile(rf"(?:{'|'.join(filter(None, month_name))})\s\d")
"""A month with a day or year looks like a model: "March 2024"."""


def vendor_hints(claims: Iterable[str], vendors: Sequence[Vendor]) -> list[str]:
    """Names of vendors: a short claim as it is, and the domains and known vendors that a sentence contains."""
    names: dict[str, str] = {}
    for claim in claims:
        known = filter(None, (vendor.named_in(claim) for vendor in vendors))
        for name in [claim] if _is_name(claim) else [*_DOMAIN.findall(claim), *known]:
            names.setdefault(name.strip(" .").casefold(), name.strip(" ."))
    return list(names.values())[:MAX_HINTS]


def hinted_names(findings: Sequence[Finding], vendors: Sequence[Vendor]) -> list[str]:
    """Vendors that findings name: those mentioned as vendors, and those where people bought a product."""
    claims = claims_of(findings, ["vendor_mentioned", "recommended_product", "price_expectation"])
    bought = [match["shop"] for claim in claims for match in _BOUGHT_AT.finditer(claim)]
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


def product_names(claim: str) -> list[str]:
    """Names of products in a claim: the claim itself if it is a name, else the models that it names."""
    if _is_name(claim):
        return [_BEFORE_NAME.sub("", claim)]
    numbered = [_BEFORE_NAME.sub("", match.group()).strip() for match in _MODEL_NAME.finditer(claim)]
    numbered = [name for name in numbered if not _MONTH.match(name)]
    return numbered or [match["name"] for match in _WORDED_NAME.finditer(claim)]


def _is_name(claim: str) -> bool:
    return len(claim.split()) <= MAX_NAME_WORDS and not claim.rstrip().endswith((".", "!", "?"))
