"""Offers ranked by what was asked for and what phase 1 learned, and a recommendation without a model (row 2.4)."""

import re
from collections.abc import Sequence
from statistics import median

from planner.brains.words import terms
from planner.intent import priorities
from planner.markdown import prose
from planner.naming import Names, places_naming, places_warning
from planner.offers import priced
from planner.prices import price_range
from planner.rates import Rates
from planner.recall import notes_for
from planner.vendor_terms import best_fit, generic_term
from planner.wishes import check, check_all, wishes_of
from research_crawler.core.models.decisions import (
    AlternativePick,
    RecommendationDraft,
    RecommendationView,
    Sentence,
)
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.phase2 import Check, OfferView
from research_crawler.core.models.products import Product
from research_crawler.core.models.reports import PriceRange
from research_crawler.core.urls import slot_of

MAX_OFFERS, MAX_REASONS, MAX_CAUTIONS, MAX_ALTERNATIVES, MAX_QUOTED = 30, 4, 2, 3, 220
PLACES_A_REASON = 3
SECOND_HAND_CONDITIONS = ("used", "refurbished", "open_box")
CHEAP = re.compile(r"cheap|affordable|budget|inexpensive|günstig|billig|preiswert", re.I)
ADVISES = re.compile(
    r"\b(?:look for|make sure|at least|minimum|should|important|need|enough|sweet spot|recommend\w*|mindestens)\b",
    re.I,
)
SUSPICIOUS = 0.5
"""Below this part of the least price that pages name, a "laptop" mostly is its case or its charger."""
# What counts how much. Wishes come first, then what people recommend, then stock and price: an offer that
# violates a wish must not win by being cheap, and one that nobody names may win where all else is equal.
VERIFIED, VIOLATED, PRICE_VIOLATED = 2.0, -3.0, -4.0
NAMED_FIRST, NAMED_MORE, NAMED_MOST = 1.5, 0.5, 3
WARNED, WARNED_MOST = -1.0, 2
IN_STOCK, OUT_OF_STOCK = 0.5, -3.0
CHEAPER, MUCH_CHEAPER = 0.7, 2.0
IN_RANGE, TOO_CHEAP = 0.7, -2.0
SECOND_HAND, ADVERTISED, SURE, FITS = -1.0, -0.3, 0.1, 1.5


def recommendation_view(job: Job, findings: Sequence[Finding], rates: Rates) -> RecommendationView:
    """What is to be chosen from. `findings` in the order that evidence ids count."""
    learned, notes = learned_range(findings), notes_for(job).prices
    return RecommendationView(
        goal=job.inputs.goal,
        task=job.inputs.task,
        language=job.inputs.language,
        priorities=priorities(job.inputs.goal),
        offers=offers_of(job, findings, rates),
        findings=list(findings),
        price_range=learned if learned.min is not None else notes,
        range_named_by="Pages name" if learned.min is not None else "The context names",
        currency=job.inputs.currency,
        generic=generic_term(job),
    )


def learned_range(findings: Sequence[Finding]) -> PriceRange:
    """What pages say that such a thing costs."""
    return price_range(f.quote for f in findings if f.kind == "price_expectation")


def offers_of(job: Job, findings: Sequence[Finding], rates: Rates) -> list[OfferView]:
    """The offers of phase 2, best first."""
    products = priced(job.phase2.products if job.phase2 else [])
    inputs, queries = job.inputs, job.phase2.terms if job.phase2 else []
    brands = [product.brand for product in products]
    wishes = wishes_of(
        f"{inputs.goal}. {inputs.task}", region=inputs.region, currency=inputs.currency, brands=brands
    )
    learned = learned_range(findings)
    names = Names(products, generic_term(job))
    views = [
        OfferView(
            product=product,
            checks=check_all(wishes, product, rates),
            warned=places_warning(product, findings, names),
            named=distinct_hosts_first(places_naming(product, findings, names), findings),
            comparable=_comparable(product, inputs.currency, rates),
            converted=bool(product.currency) and product.currency != inputs.currency,
        )
        for product in products
    ]
    amounts = [view.comparable for view in views if view.comparable is not None]
    least = rates.convert(learned.min, learned.currency, inputs.currency) if learned.min else None
    most = rates.convert(learned.max, learned.currency, inputs.currency) if learned.max else None
    wants_cheap = bool(CHEAP.search(inputs.goal))
    scored = [
        view.model_copy(
            update={
                "score": round(
                    _score_of_wishes(view.checks)
                    + _score_of_names(view, findings)
                    + _score_of_price(view, amounts, (least, most), wants_cheap=wants_cheap)
                    + _score_of_offer(view.product, wishes=[check_.kind for check_ in view.checks])
                    + FITS * best_fit(view.product, queries),
                    3,
                )
            }
        )
        for view in views
    ]
    return _cheapest_of_each(scored)[:MAX_OFFERS]


def _cheapest_of_each(offers: Sequence[OfferView]) -> list[OfferView]:
    """Best first; of one thing at several vendors the cheapest that can be bought stands before the others."""
    best: dict[tuple[frozenset[str], bool], float] = {}
    for offer in offers:
        best[_thing(offer.product)] = max(offer.score, best.get(_thing(offer.product), offer.score))

    def order(offer: OfferView) -> tuple[float, bool, int, float]:
        violated = sum(one.state == "violated" for one in offer.checks)
        price = offer.comparable if offer.comparable is not None else float("inf")
        return -best[_thing(offer.product)], offer.product.in_stock is False, violated, price

    return sorted(offers, key=order)


def distinct_hosts_first(places: Sequence[int], findings: Sequence[Finding]) -> list[int]:
    """Places so that the first ones are of different hosts: agreement counts more than repetition."""
    seen: set[str] = set()
    first: list[int] = []
    rest: list[int] = []
    for place in places:
        host = slot_of(findings[place].url)
        (rest if host in seen else first).append(place)
        seen.add(host)
    return [*first, *rest]


def plain_recommendation(view: RecommendationView, by: str) -> RecommendationDraft:
    """The best offer of the ranking, with reasons in the findings' own words."""
    if not view.offers:
        return RecommendationDraft(by=by)
    best = view.offers[0]
    return RecommendationDraft(
        by=by,
        product=0,
        reasons=reasons_for(best, view),
        cautions=_cautions(best, view),
        alternatives=_alternatives(view),
    )


def reasons_for(offer: OfferView, view: RecommendationView) -> list[Sentence]:
    """Why an offer is a good one, each reason with evidence of phase 1."""
    findings = view.findings
    reasons = []
    if offer.named:
        first = findings[offer.named[0]]
        told = f"It is recommended by name: “{_quoted(first)}”"
        reasons.append(Sentence(text=told, evidence=offer.named[:PLACES_A_REASON]))
    names = Names([one.product for one in view.offers], view.generic)
    others = [one.product for one in view.offers if _thing(one.product) != _thing(offer.product)]
    for place, finding in enumerate(findings):
        if len(reasons) >= MAX_REASONS - 1:
            break
        if place in offer.named or any(names.named_in(other, finding.quote) for other in others):
            continue
        if fact := _advised_and_there(finding, offer.product):
            told = f"It has what is advised ({fact}): “{_quoted(finding)}”"
            reasons.append(Sentence(text=told, evidence=[place]))
    places = range_places(findings, view.price_range)
    if places and _is_within(offer, view):
        told = f"Its price of {price_text(offer.product)} lies within what pages name: {range_text(view.price_range)}."
        reasons.append(Sentence(text=told, evidence=places))
    return reasons


def range_places(findings: Sequence[Finding], learned: PriceRange) -> list[int]:
    """Places of the findings that name the ends of a price range."""
    if learned.min is None:
        return []
    places = []
    for place, finding in enumerate(findings):
        if finding.kind != "price_expectation":
            continue
        own = price_range([finding.quote])
        if own.currency == learned.currency and (own.min == learned.min or own.max == learned.max):
            places.append(place)
    return places[:PLACES_A_REASON]


def range_text(learned: PriceRange) -> str:
    """A price range in words."""
    low, high = learned.min or 0.0, learned.max or 0.0
    if low == high:
        return f"about {low:,.0f} {learned.currency}"
    return f"{low:,.0f} to {high:,.0f} {learned.currency}"


def price_text(product: Product) -> str:
    """A product's price as its page writes it, with the currency where the text has none."""
    amount = float(product.price_numeric or 0)
    text = product.price or f"{amount:,.2f}"
    bare = not re.search(r"[^\d\s.,'’]", text)
    return f"{text} {product.currency}".strip() if bare else text


def _advised_and_there(finding: Finding, product: Product) -> str:
    """What a finding advises to look for and the product has: `RTX 4060`, `16 GB`; empty where nothing."""
    if finding.kind not in ("spec_to_look_for", "recommendation"):
        return ""
    sentences = (text for text in _SENTENCE.split(finding.quote) if ADVISES.search(text))
    told = [wish for text in sentences for wish in wishes_of(text) if wish.kind == "spec"]
    advised = [wish for wish in told if any(char.isdigit() for char in wish.text)]
    there = [wish.text for wish in advised if check(wish, product, _NO_RATES).state == "verified"]
    return ", ".join(there) if there and len(there) * 2 >= len(advised) else ""


_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_NO_RATES = Rates(date="-")


def _cautions(offer: OfferView, view: RecommendationView) -> list[Sentence]:
    told = ((place, view.findings[place]) for place in offer.warned[:MAX_CAUTIONS])
    return [Sentence(text=f"Mind: “{_quoted(finding)}”", evidence=[place]) for place, finding in told]


def _alternatives(view: RecommendationView) -> list[AlternativePick]:
    """Other products than the best one, each name once, with what speaks for them."""
    best, taken = view.offers[0], {_thing(view.offers[0].product)}
    picks: list[AlternativePick] = []
    for place, offer in enumerate(view.offers[1:], 1):
        if len(picks) == MAX_ALTERNATIVES:
            break
        if _thing(offer.product) in taken or any(one.state == "violated" for one in offer.checks):
            continue
        taken.add(_thing(offer.product))
        picks.append(AlternativePick(product=place, why=_compared(offer, best)))
    return picks


def _compared(offer: OfferView, best: OfferView) -> str:
    told = []
    if offer.comparable is not None and best.comparable:
        gap = offer.comparable - best.comparable
        if abs(gap) >= 0.005 * best.comparable:
            told.append(f"{abs(gap) / best.comparable:.0%} {'cheaper' if gap < 0 else 'dearer'}")
        else:
            told.append("costs the same")
    if (
        offer.product.condition != best.product.condition
        and offer.product.condition in SECOND_HAND_CONDITIONS
    ):
        told.append(offer.product.condition.replace("_", " "))
    if offer.named:
        told.append("recommended by name as well")
    if offer.warned:
        told.append("pages warn of it")
    if offer.product.availability != best.product.availability:
        told.append(offer.product.availability.replace("_", " "))
    return ", ".join(told)


def _thing(product: Product) -> tuple[frozenset[str], bool]:
    """What is sold, whoever sells it; a used one is another thing than a new one."""
    return frozenset(terms(product.name)), product.condition in SECOND_HAND_CONDITIONS


def _quoted(finding: Finding) -> str:
    text = prose(finding.quote)
    return text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED].rsplit(" ", 1)[0] + " …"


def _is_within(offer: OfferView, view: RecommendationView) -> bool:
    learned = view.price_range
    if offer.product.currency != learned.currency or learned.min is None or learned.max is None:
        return False
    return learned.min <= float(offer.product.price_numeric or 0) <= learned.max


def _comparable(product: Product, currency: str, rates: Rates) -> float | None:
    if product.price_numeric is None:
        return None
    amount = float(product.price_numeric)
    if not product.currency or not currency:
        return amount
    return rates.convert(amount, product.currency, currency)


def _score_of_wishes(checks: Sequence[Check]) -> float:
    if not checks:
        return 0.0
    verified = sum(one.state == "verified" for one in checks) / len(checks)
    violated = sum(
        PRICE_VIOLATED if one.kind == "price" else VIOLATED for one in checks if one.state == "violated"
    )
    return VERIFIED * verified + violated


def _score_of_names(view: OfferView, findings: Sequence[Finding]) -> float:
    hosts = len({slot_of(findings[place].url) for place in view.named})
    score = NAMED_FIRST + NAMED_MORE * min(hosts - 1, NAMED_MOST) if hosts else 0.0
    return score + WARNED * min(len(view.warned), WARNED_MOST)


def _score_of_price(
    view: OfferView,
    amounts: Sequence[float],
    learned: tuple[float | None, float | None],
    *,
    wants_cheap: bool,
) -> float:
    if view.comparable is None:
        return 0.0
    least, most = learned
    floor = SUSPICIOUS * (least or median(amounts))
    if view.comparable < floor:
        return TOO_CHEAP
    serious = [amount for amount in amounts if amount >= floor]
    score = min(serious) / view.comparable * (MUCH_CHEAPER if wants_cheap else CHEAPER)
    if least and most and least <= view.comparable <= most:
        score += IN_RANGE
    return score


def _score_of_offer(product: Product, *, wishes: Sequence[str]) -> float:
    score = SURE * product.confidence
    score += IN_STOCK if product.in_stock else OUT_OF_STOCK if product.in_stock is False else 0.0
    if "condition" not in wishes and product.condition in SECOND_HAND_CONDITIONS:
        score += SECOND_HAND
    return score + (ADVERTISED if product.sponsored else 0.0)
