"""Choose what to search vendors for: the models that most pages recommend, then the goal's own words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from planner.goal.goal_subject import asked_of
from planner.goal.intent import priorities
from planner.goal.product_kind import ProductKind, product_kind_of
from planner.goal.requirements import requirements_of
from planner.offers.mentions import search_terms
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.offers.products import Product
from research_crawler.core.web.urls import slot_of
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import content_words, terms
from research_crawler.text.offers.purchase import before_use

MAX_TERMS = 4
"""Most terms for which vendors are searched."""
MAX_TERM, MAX_GENERIC_WORDS = 80, 6
"""Longest term in characters, and most words of the general one."""
_FITS = 0.5
"""Least share of a query's words that a product must have to fit it. A shop that lacks a model shows similar products,
which share the words for its kind, and then others that share nothing."""
_COMPONENT = re.compile(
    r"^(?:[A-Z]{2,4}|Core|Ryzen|Radeon|GeForce|Intel|AMD)[ -]?(?:[A-Z]+ )?[^\W\d]*+\d\w*+$"
)
"""A part of a product, such as `RTX 4060`. A search for it alone would find the part."""
_NOISE = frozenset(["card", "price", "budget", "deal", "offer", "model", "one", "good", "new"])


@dataclass(frozen=True)
class Wanted:
    """What vendors are asked for: the queries, and the kind of product that an offer must be of."""

    queries: Sequence[str]
    kind: ProductKind

    def fit(self, product: Product) -> float:
        """How well a product fits the query that it fits best; 0 if it fits none or is of another kind."""
        return 0.0 if self.is_other(product) else best_fit(product, self.queries)

    def is_other(self, product: Product) -> bool:
        """Whether a product is of another kind than the goal asks for."""
        return self.kind.is_other(product.name, product.brand)


def wanted_kind(job: Job) -> ProductKind:
    """The kind of product that a job's goal asks for."""
    return product_kind_of(asked_of(job.inputs), job.inputs.language)


def wanted_by(job: Job) -> Wanted:
    """What a job asks vendors for."""
    return Wanted(job.phase2.terms if job.phase2 else [], wanted_kind(job))


def vendor_terms(job: Job, findings: Sequence[Finding], more: Sequence[str] = ()) -> list[str]:
    """Queries for vendors' search pages, the best first; at least one.

    A page about something else names products too, such as the first one of a news article. Only names from findings
    about the goal's kind of product are searched for.

    Args:
        more: products that the caller's context recommends.
    """
    generic, kind = generic_term(job), wanted_kind(job)
    findings = [finding for finding in findings if is_about_kind(finding, kind)]
    named = [
        name for name in [*search_terms(job, findings), *more] if terms(name) and not kind.is_other(name)
    ]
    searched = {search.query.casefold() for search in job.searches}
    named = [name for name in dict.fromkeys(named) if name.casefold() not in searched]
    short = {name: [longer for longer in named if is_short_for(longer, name)] for name in named}
    support = {
        name: [f for form in [name, *short[name]] for f in supporting(form, findings)] for name in named
    }
    named = [name for name in named if not any(is_short_for(name, longer) for longer in named)]
    named.sort(key=lambda name: (is_component(name), *_weight(support[name])))
    queries = [_with_thing(name, generic) if is_component(name) else name for name in named]
    distinct = {
        frozenset(terms(term)): " ".join(term.split())[:MAX_TERM] for term in reversed([*queries, generic])
    }
    ordered = list(distinct.values())[::-1]
    return [*[term for term in ordered if term != generic][: MAX_TERMS - 1], generic]


def is_about_kind(finding: Finding, kind: ProductKind) -> bool:
    """Whether a finding is about a kind of product: its words, the headings above it, or its page's title say so."""
    own = f"{finding.quote} {finding.claim}"
    return kind.is_named_in(own) or kind.is_named_in(
        f"{finding.heading} {finding.title} {_slug(finding.url)}"
    )


def _slug(url: str) -> str:
    return " ".join(re.split(r"[/_-]+", urlsplit(url).path))


def is_component(name: str) -> bool:
    """Whether a name is that of a part, such as a graphics card, and not of a product that has the part."""
    return bool(_COMPONENT.match(name))


def generic_term(job: Job) -> str:
    """The goal's words for the kind of product, without words that rank, prices and words of asking."""
    goal = asked_of(job.inputs)
    for requirement in requirements_of(goal, region=job.inputs.region, currency=job.inputs.currency):
        if requirement.kind in ("price", "availability"):
            goal = goal.replace(requirement.text, " ")
    ranking = set(" ".join(priorities(goal)).split())
    words = [
        w for w in content_words(goal, detect(goal)) if w.lower() not in ranking and w.lower() not in _NOISE
    ]
    return " ".join(words[:MAX_GENERIC_WORDS]) or " ".join(asked_of(job.inputs).split())[:MAX_TERM]


def is_short_for(name: str, longer: str) -> bool:
    """Whether a name is a short form of another: `Lynx 15` of `Orlo Lynx 15`, which shops find as well."""
    return set(terms(name)) < set(terms(longer))


def _with_thing(component: str, generic: str) -> str:
    """The name of a part with the kind of product that has it: `RTX 4060 gaming laptop`."""
    own = {word.casefold() for word in component.split()}
    return " ".join([component, *(word for word in generic.split() if word.casefold() not in own)])[:MAX_TERM]


def supporting(name: str, findings: Sequence[Finding]) -> list[Finding]:
    """The findings that recommend a product by this name."""
    return [finding for finding in findings if supports(finding, name)]


def supports(finding: Finding, name: str) -> bool:
    """Whether a finding recommends a product by this name."""
    is_recommending = finding.kind in ("recommended_product", "recommendation")
    return is_recommending and set(terms(name)) <= set(terms(finding.quote))


def _weight(findings: Sequence[Finding]) -> tuple[int, int]:
    """The sort key of a recommended name: more hosts first, then more findings."""
    return -len({slot_of(f.url) for f in findings}), -len({f.id for f in findings})


def fit(product: Product, term: str) -> float:
    """Share of a query's words in a product's name, variant, brand and specs; words with a digit count double."""
    words = list(dict.fromkeys(terms(term)))
    if not words:
        return 0.0
    name = thing_named(product.name)
    product_words = set(terms(" ".join([name, product.variant, product.brand])))
    if name == product.name:  # the specs of an accessory describe the product that it is for
        product_words |= set(terms(" ".join(product.specs.values())))
    weights = {word: 2.0 if any(c.isdigit() for c in word) else 1.0 for word in words}
    return sum(weights[word] for word in words if word in product_words) / sum(weights.values())


def thing_named(name: str) -> str:
    """A product's name without the product that it is for: "cooling pad" of "cooling pad for a laptop"."""
    before = before_use(name, equipment=False)
    return before if len(terms(before)) else name


def best_fit(product: Product, queries: Sequence[str]) -> float:
    """How well a product fits the query that it fits best; 0 if that is below _FITS."""
    best = max((fit(product, query) for query in queries), default=0.0)
    return best if best >= _FITS else 0.0
