"""What phase 1 learned, in the form that phase 2 starts on (row 1.8)."""

import re
from collections.abc import Iterable, Sequence

from planner.job.limits import elapsed_s
from planner.money.prices import price_range
from planner.reports.state_document import claims_of, state_document
from research_crawler.core.models.commands import Intent
from research_crawler.core.models.findings import Finding, FindingKind
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.reports import Phase1Finding, Phase1Intelligence
from research_crawler.core.urls import host_of

FIELDS: dict[Intent, dict[str, FindingKind]] = {
    "informational": {
        "key_facts": "key_fact",
        "recommendations": "recommendation",
        "sources_cited": "source_cited",
    },
    "commerce": {
        "recommended_products": "recommended_product",
        "price_expectations": "price_expectation",
        "specs_to_look_for": "spec_to_look_for",
        "warnings": "warning",
        "vendors_mentioned": "vendor_mentioned",
    },
}
"""The extractor's field names by intent (row 1.13)."""
MAX_NAME_WORDS = 6
"""A claim this short is a name; a longer one is a sentence that holds names."""
MAX_HINTS = 20

_DOMAIN = re.compile(r"\b(?:[a-z0-9-]+\.)+(?:com|net|org|de|co\.uk|fr|es|it|nl|eu|shop|store)\b", re.I)
_KNOWN_VENDORS = re.compile(
    r"\b(amazon|best ?buy|newegg|walmart|target|b&h(?: photo)?|micro ?center|ebay|costco)\b", re.I
)
_WORDED_NAME = re.compile(r"\b(?:[Tt]he|[Aa]n?|[Mm]y|[Oo]ur)\s(?P<name>[A-Z][a-z][\w-]*\s[A-Z][a-z][\w-]*)\b")
"""A name without a number, behind an article: "the Velmar Pocket"."""
_BEFORE_NAME = re.compile(r"^(?:(?:The|An?|Our|My|Its|Their|This|That|If|And|But|Get|Buy|Take|With|For)\s)+")
"""Words that begin a sentence and are no part of the name behind them."""
_BOUGHT_AT = re.compile(
    r"\b(?:bought|ordered|paid|got|sold|available|deal|price)\b[^.!?]{0,60}?\b(?:at|from|on|by)\s"
    r"(?P<shop>[A-Z][\w&'’-]+(?:\s(?:& )?[A-Z][\w&'’-]+){0,2})"
)
_MODEL_NAME = re.compile(
    r"\b(?:[A-Z][\w&-]*\s){0,3}(?:[A-Z][\w-]*\d[\w-]*|[A-Z]{2,}\s\d{2,5}\w*|[A-Z][a-z]\w+\s\d{1,5}\w*)"
)


def phase1_of(job: Job, findings: Sequence[Finding], *, now_ms: int = 0) -> Phase1Intelligence:
    """Phase 1's intelligence from the job's record."""
    return Phase1Intelligence(
        success=bool(findings),
        goal=job.inputs.goal,
        intelligence=intelligence_of(job.inputs.intent, findings),
        findings=[Phase1Finding(kind=f.kind, claim=f.claim, quote=f.quote, url=f.url) for f in findings],
        vendor_hints=hinted_names(findings),
        search_terms=search_terms(job, findings),
        price_range=price_range(f.quote for f in findings if f.kind == "price_expectation"),
        sources=list(dict.fromkeys(v.final_url or v.url for v in job.visits if v.what == "ok")),
        research_state_md=state_document(job, findings),
        searches_used=job.plan.searches_used,
        pages_visited=pages_read(job),
        elapsed_seconds=round(elapsed_s(job, now_ms), 3),
    )


def intelligence_of(intent: Intent, findings: Sequence[Finding]) -> dict[str, list[str]]:
    """Claims by field name: all fields of the intent, and those of the other one that are not empty."""
    other: Intent = "commerce" if intent == "informational" else "informational"
    fields = {name: claims_of(findings, [kind]) for name, kind in FIELDS[intent].items()}
    more = {name: claims for name, kind in FIELDS[other].items() if (claims := claims_of(findings, [kind]))}
    return fields | more


def pages_read(job: Job) -> int:
    """Pages that the job has read, whether the network was asked or not."""
    return job.plan.pages_read


def vendor_hints(claims: Iterable[str]) -> list[str]:
    """Names of vendors: short claims as they are, of sentences the domains and well-known names in them."""
    names: dict[str, str] = {}
    for claim in claims:
        for name in [claim] if _is_name(claim) else [*_DOMAIN.findall(claim), *_KNOWN_VENDORS.findall(claim)]:
            names.setdefault(name.strip(" .").casefold(), name.strip(" ."))
    return list(names.values())[:MAX_HINTS]


def hinted_names(findings: Sequence[Finding]) -> list[str]:
    """Vendors that findings name: where people say to buy, and where those who recommend something bought it."""
    told = claims_of(findings, ["vendor_mentioned", "recommended_product", "price_expectation"])
    bought = [match["shop"] for claim in told for match in _BOUGHT_AT.finditer(claim)]
    mentioned = vendor_hints(claims_of(findings, ["vendor_mentioned"]))
    return list({name.casefold(): name for name in reversed([*mentioned, *bought])}.values())[::-1][
        :MAX_HINTS
    ]


def search_terms(job: Job, findings: Sequence[Finding]) -> list[str]:
    """What to search vendors for: recommended products, those of most hosts first; else what was searched for."""
    terms: dict[str, str] = {}
    for claim in claims_of(findings, ["recommended_product"]):
        for name in product_names(claim):
            terms.setdefault(name.casefold(), name)
    terms = dict(sorted(terms.items(), key=lambda term: -_hosts_naming(term[0], findings)))
    if not terms and findings:
        terms = {s.query.casefold(): s.query for s in job.searches if s.results}
    return list(terms.values())[:MAX_HINTS]


def _hosts_naming(name: str, findings: Sequence[Finding]) -> int:
    """How many hosts recommend something by a name, or by one that it is part of."""
    words = set(name.split())
    told = (f for f in findings if f.kind == "recommended_product")
    return len({host_of(f.url) for f in told if words <= set(f.quote.casefold().replace(",", " ").split())})


def product_names(claim: str) -> list[str]:
    """Names of products in a claim: the claim itself where it is one, else the models that a sentence names."""
    if _is_name(claim):
        return [claim]
    numbered = [_BEFORE_NAME.sub("", match.group()).strip() for match in _MODEL_NAME.finditer(claim)]
    return numbered or [match["name"] for match in _WORDED_NAME.finditer(claim)]


def _is_name(claim: str) -> bool:
    return len(claim.split()) <= MAX_NAME_WORDS and not claim.rstrip().endswith((".", "!", "?"))
