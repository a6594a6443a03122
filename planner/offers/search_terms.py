"""What vendors are searched for: models that pages recommend, the best supported first, else the goal's own words."""

import re
from collections.abc import Sequence

from planner.goal.intent import priorities
from planner.goal.requirements import requirements_of
from planner.offers.mentions import search_terms
from planner.text.words import content_words, terms
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.products import Product
from research_crawler.core.urls import slot_of

MAX_TERMS = 4
MAX_TERM, MAX_GENERIC_WORDS = 80, 6
_FITS = 0.5
"""Share of a term's words from which a product is one of those searched for: a shop that lacks a model shows its
neighbours, which share the kind of thing, and then things that share nothing."""
_COMPONENT = re.compile(r"^(?:[A-Z]{2,4}|Core|Ryzen|Radeon|GeForce|Intel|AMD)[ -]?(?:[A-Z]+ )?\w*\d\w*$")
"""A part of a thing, which alone would find that part: `RTX 4060`."""
_FOR = re.compile(r"\s(?:for|compatible with|fits|für|passend (?:für|zu)|pour|para|per|voor)\s", re.I)
_NOISE = frozenset(["card", "price", "budget", "deal", "offer", "model", "one", "good", "new"])


def vendor_terms(job: Job, findings: Sequence[Finding], more: Sequence[str] = ()) -> list[str]:
    """Queries for vendors' search pages, the best first, never empty.

    Args:
        more: products that the caller's own notes recommend.
    """
    generic = generic_term(job)
    named = [name for name in [*search_terms(job, findings), *more] if terms(name)]
    asked = {search.query.casefold() for search in job.searches}
    named = [name for name in dict.fromkeys(named) if name.casefold() not in asked]
    short = {name: [other for other in named if _is_short_for(other, name)] for name in named}
    told = {name: [f for one in [name, *short[name]] for f in supporting(one, findings)] for name in named}
    named = [name for name in named if not any(_is_short_for(name, other) for other in named)]
    named.sort(key=lambda name: (is_component(name), *_weight(told[name])))
    queries = [_with_thing(name, generic) if is_component(name) else name for name in named]
    kept = {
        frozenset(terms(term)): " ".join(term.split())[:MAX_TERM] for term in reversed([*queries, generic])
    }
    ordered = list(kept.values())[::-1]
    return [*[term for term in ordered if term != generic][: MAX_TERMS - 1], generic]


def is_component(name: str) -> bool:
    """Whether a name is that of a part, such as a graphics card, rather than of the thing that has it."""
    return bool(_COMPONENT.match(name))


def generic_term(job: Job) -> str:
    """The goal's words for the thing itself: without what only ranks, prices or asks."""
    goal = job.inputs.goal
    for requirement in requirements_of(goal, region=job.inputs.region, currency=job.inputs.currency):
        if requirement.kind in ("price", "availability"):
            goal = goal.replace(requirement.text, " ")
    ranking = set(" ".join(priorities(goal)).split())
    words = [w for w in content_words(goal) if w.lower() not in ranking and w.lower() not in _NOISE]
    return " ".join(words[:MAX_GENERIC_WORDS]) or " ".join(job.inputs.goal.split())[:MAX_TERM]


def _is_short_for(name: str, other: str) -> bool:
    """`Lynx 15` is short for `Orlo Lynx 15`, which shops find as well."""
    return set(terms(name)) < set(terms(other))


def _with_thing(component: str, generic: str) -> str:
    """A part's name with the thing that is to have it: `RTX 4060 gaming laptop`."""
    own = {word.casefold() for word in component.split()}
    return " ".join([component, *(word for word in generic.split() if word.casefold() not in own)])[:MAX_TERM]


def supporting(name: str, findings: Sequence[Finding]) -> list[Finding]:
    """Findings that recommend a product by this name."""
    wanted = set(terms(name))
    told = (f for f in findings if f.kind in ("recommended_product", "recommendation"))
    return [f for f in told if wanted <= set(terms(f.quote))]


def _weight(told: Sequence[Finding]) -> tuple[int, int]:
    """What sorts names: hosts that recommend one first, then how often they do."""
    return -len({slot_of(f.url) for f in told}), -len({f.id for f in told})


def fit(product: Product, term: str) -> float:
    """Share of a term's words that a product's name, variant and specs have; a number in it counts double."""
    wanted = list(dict.fromkeys(terms(term)))
    if not wanted:
        return 0.0
    name = thing_named(product.name)
    has = set(terms(" ".join([name, product.variant, product.brand])))
    if name == product.name:  # an accessory's specs speak of what it is for
        has |= set(terms(" ".join(product.specs.values())))
    weights = {word: 2.0 if any(c.isdigit() for c in word) else 1.0 for word in wanted}
    return sum(weights[word] for word in wanted if word in has) / sum(weights.values())


def thing_named(name: str) -> str:
    """A product's name without what it is for: a cooling pad for a laptop is no laptop."""
    before = _FOR.split(name, maxsplit=1)[0]
    return before if len(terms(before)) else name


def best_fit(product: Product, queries: Sequence[str]) -> float:
    """How well a product fits the query that it fits best; 0 below _FITS."""
    best = max((fit(product, query) for query in queries), default=0.0)
    return best if best >= _FITS else 0.0
