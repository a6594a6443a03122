"""Rank offers by the goal's requirements, the findings of phase 1, stock and price. Pure, without a model."""

from collections.abc import Sequence
from statistics import median

from planner.goal.goal_subject import asked_of
from planner.goal.named_product import is_called, named_product, without_name
from planner.goal.product_kind import cheap_requirement, described_requirements, wants_cheap, wants_cheapest
from planner.goal.requirements import check, check_all, requirements_of
from planner.job.earlier.recall import prior_intelligence_for
from planner.money.rates import Rates
from planner.offers.collection import priced
from planner.offers.naming import Names, places_naming, places_warning
from planner.offers.price_expectations import learned_range
from planner.offers.price_outliers import PRICE_MIN_SHARE_OF_LOWEST, comparable_price, far_offers, stands
from planner.offers.search_terms import generic_term, wanted_by, wanted_kind
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.offers.phase2 import Check, OfferView
from research_crawler.core.models.offers.products import Product
from research_crawler.core.models.reports.report import PriceRange
from research_crawler.core.web.urls import slot_of
from research_crawler.text.languages.words import terms

_MAX_OFFERS = 30
"""Most offers that are kept and ranked."""
SECOND_HAND_CONDITIONS = ("used", "refurbished", "open_box")
# The weights of a score. Requirements count most, then recommendations, then stock and price: an offer that violates
# a requirement must not win by being cheap, and one that nobody recommends may win if all else is equal.
VERIFIED, VIOLATED, PRICE_VIOLATED, NOT_CHEAP = 2.0, -3.0, -4.0, -1.0
"""Points of an offer for a requirement that its page shows, for one that it violates, for a price above the limit,
and for one that is not low where "cheap" is wanted."""
NAMED_FIRST, NAMED_MORE, NAMED_MOST = 1.5, 0.5, 3
"""Points for an offer that one host recommends, for each further host, and most further hosts that count."""
NAMED_BEFORE, SPECS_BEFORE = 1.5, 0.5
"""For what the caller's context recommends: as much as a first finding, because the caller relies on it."""
WARNED, WARNED_MOST = -1.0, 2
"""Points for each finding that warns of an offer, and most that count."""
_IN_STOCK, _OUT_OF_STOCK = 0.5, -3.0
"""Points for an offer that is in stock, and for one that is not."""
CHEAPER, MUCH_CHEAPER = 0.7, 2.0
"""Points of the cheapest offer by its price, usually and where a low price is wanted; dearer ones have their
share."""
IN_RANGE, TOO_CHEAP = 0.7, -2.0
"""Points for a price that pages say is usual, and for one that is far below it."""
SECOND_HAND, ADVERTISED, SURE, _FITS = -1.0, -0.3, 0.1, 1.5
"""Points for a used thing, for an advertisement, for the confidence with which a page was read, and for the goal's
kind of thing."""


def expected_range(job: Job, findings: Sequence[Finding]) -> tuple[PriceRange, bool]:
    """The price range to compare offers with, and whether it is the caller's because pages name none."""
    learned = learned_range(findings, asked_of(job.inputs), job.inputs.language)
    return (learned, False) if learned.min is not None else (prior_intelligence_for(job).prices, True)


def offers_of(job: Job, findings: Sequence[Finding], rates: Rates) -> list[OfferView]:
    """The offers of phase 2, best first."""
    inputs, wanted = job.inputs, wanted_by(job)
    learned = expected_range(job, findings)[0]
    views = _views(job, findings, rates, learned)
    amounts = [view.comparable for view in views if view.comparable is not None]
    least = rates.convert(learned.min, learned.currency, inputs.currency) if learned.min else None
    most = rates.convert(learned.max, learned.currency, inputs.currency) if learned.max else None
    is_cheap_wanted = wants_cheap(asked_of(inputs))

    def score(view: OfferView) -> float:
        return (
            _requirements_score(view.checks)
            + _mentions_score(view, findings)
            + _before_score(view)
            + _price_score(view, amounts, (least, most), wants_cheap=is_cheap_wanted)
            + _offer_score(view.product, requirements=[check.kind for check in view.checks])
            + _FITS * wanted.fit(view.product)
        )

    scored = [view.changed(score=round(score(view), 3)) for view in views]
    name = _named(job, [view.product for view in views])
    ranked = sorted(
        _cheapest_of_each(scored), key=lambda view: (view.doubtful, not is_called(view.product, name))
    )
    if wants_cheapest(_asked(job)):
        fitting = sorted(
            _fitting(ranked), key=lambda view: (not is_called(view.product, name), _comparable(view))
        )
        ranked = [*fitting, *(view for view in ranked if view not in fitting)]
    return ranked[:_MAX_OFFERS]


def _named(job: Job, products: Sequence[Product]) -> frozenset[str]:
    """Stems of the product's name in the goal, if it names one of these by maker and model."""
    found = [(product.brand, product.name) for product in products]
    return named_product(_asked(job), found, wanted_kind(job).words)


def _asked(job: Job) -> str:
    return f"{asked_of(job.inputs)}. {job.inputs.task}"


def _comparable(view: OfferView) -> float:
    return view.comparable if view.comparable is not None else float("inf")


def is_trusted(view: OfferView) -> bool:
    """Whether an offer may be recommended for its low price: one to believe, of a thing that is to be had and new.

    A used thing is as good as a new one if the goal asks for it.
    """
    is_asked_for = any(check.kind == "condition" and check.state == "verified" for check in view.checks)
    is_used = view.product.condition in SECOND_HAND_CONDITIONS and not is_asked_for
    return not view.doubtful and view.product.in_stock is not False and not is_used


def unmet_checks(view: OfferView) -> list[Check]:
    """The requirements besides the lowest price that an offer violates, or that its page does not bear out."""
    return [
        check
        for check in view.checks
        if (check.state == "violated" and not wants_cheapest(check.requirement))
        or (check.state == "unknown" and check.kind == "spec")
    ]


def _fitting(views: Sequence[OfferView]) -> list[OfferView]:
    """The offers of which the cheapest one is asked for: trusted, and meeting the other requirements best."""
    trusted = [
        view
        for view in views
        if view.comparable is not None
        and is_trusted(view)
        and all(check.state == "unknown" for check in unmet_checks(view))
    ]
    least = min((len(unmet_checks(view)) for view in trusted), default=0)
    return [view for view in trusted if len(unmet_checks(view)) == least]


def _views(job: Job, findings: Sequence[Finding], rates: Rates, learned: PriceRange) -> list[OfferView]:
    """Each offer of the goal's kind: its checks, findings that recommend or warn, its price in the job's currency."""
    wanted = wanted_by(job)
    products = [
        product
        for product in priced(job.phase2.products if job.phase2 else [])
        if not wanted.is_other(product)
    ]
    inputs, names = job.inputs, Names(products, generic_term(job))
    brands = [product.brand for product in products]
    asked = _asked(job)
    requirements = without_name(
        [
            *requirements_of(asked, region=inputs.region, currency=inputs.currency, brands=brands),
            *described_requirements(wanted.kind, brands),
        ],
        _named(job, products),
    )
    before = prior_intelligence_for(job)
    specs = [spec for text in before.specs for spec in requirements_of(text) if spec.kind == "spec"]
    far = far_offers(products, learned, inputs.currency, rates)
    views = [
        OfferView(
            product=product,
            named_before=next((name for name in before.products if names.named_in(product, name)), ""),
            specs_before=[
                spec.text for spec in specs if check_all([spec], product, rates)[0].state == "verified"
            ],
            checks=check_all(requirements, product, rates),
            warned=places_warning(product, findings, names),
            named=_distinct_hosts_first(places_naming(product, findings, names), findings),
            comparable=comparable_price(product, inputs.currency, rates),
            converted=bool(product.currency) and product.currency != inputs.currency,
            doubtful=product in far and not stands(product, job.phase2),
        )
        for product in products
    ]
    if not wants_cheap(asked):
        return views
    if wants_cheapest(asked):
        limit = min(map(_comparable, _fitting(views)), default=None) if len(views) > 1 else None
    else:
        limit = _cheap_limit(products, learned, inputs.currency, rates)
    cheap = cheap_requirement(asked, limit, inputs.currency)
    return [view.changed(checks=[*view.checks, check(cheap, view.product, rates)]) for view in views]


def _cheap_limit(
    products: Sequence[Product], learned: PriceRange, currency: str, rates: Rates
) -> float | None:
    """The highest price that counts as cheap: the middle of what pages name, else of what the offers cost."""
    ends = [rates.convert(end, learned.currency, currency) for end in (learned.min, learned.max) if end]
    known = [end for end in ends if end is not None]
    if len(known) == 2 and known[0] < known[1]:
        return sum(known) / 2
    amounts = [
        amount for product in products if (amount := comparable_price(product, currency, rates)) is not None
    ]
    return median(amounts) if len(amounts) > 1 else None


def _cheapest_of_each(offers: Sequence[OfferView]) -> list[OfferView]:
    """The offers, best first; those with a doubtful price come last.

    If several vendors offer the same product, the cheapest one in stock comes first.
    """
    best: dict[tuple[frozenset[str], bool], float] = {}
    for offer in offers:
        best[thing_of(offer.product)] = max(offer.score, best.get(thing_of(offer.product), offer.score))

    def order(offer: OfferView) -> tuple[bool, float, bool, int, float]:
        violated = sum(check.state == "violated" for check in offer.checks)
        price = offer.comparable if offer.comparable is not None else float("inf")
        return (
            offer.doubtful,
            -best[thing_of(offer.product)],
            offer.product.in_stock is False,
            violated,
            price,
        )

    return sorted(offers, key=order)


def _distinct_hosts_first(indexes: Sequence[int], findings: Sequence[Finding]) -> list[int]:
    """The indexes of findings, first one from each host: agreement of hosts counts more than repetition."""
    seen: set[str] = set()
    first: list[int] = []
    rest: list[int] = []
    for index in indexes:
        host = slot_of(findings[index].url)
        (rest if host in seen else first).append(index)
        seen.add(host)
    return [*first, *rest]


def thing_of(product: Product) -> tuple[frozenset[str], bool]:
    """A key of the product that is the same at all vendors; a used product has another key than a new one."""
    return frozenset(terms(product.name)), product.condition in SECOND_HAND_CONDITIONS


def _requirements_score(checks: Sequence[Check]) -> float:
    if not checks:
        return 0.0
    verified = sum(check.state == "verified" for check in checks) / len(checks)
    return VERIFIED * verified + sum(map(_cost_of, checks))


def _cost_of(check: Check) -> float:
    """What a violated requirement costs; a word such as "cheap" weighs less than an amount."""
    if check.state != "violated":
        return 0.0
    if check.kind != "price":
        return VIOLATED
    return NOT_CHEAP if wants_cheap(check.requirement) else PRICE_VIOLATED


def _mentions_score(view: OfferView, findings: Sequence[Finding]) -> float:
    hosts = len({slot_of(findings[index].url) for index in view.named})
    score = NAMED_FIRST + NAMED_MORE * min(hosts - 1, NAMED_MOST) if hosts else 0.0
    return score + WARNED * min(len(view.warned), WARNED_MOST)


def _before_score(view: OfferView) -> float:
    score = NAMED_BEFORE if view.named_before and not view.named else 0.0
    return score + (SPECS_BEFORE if view.specs_before else 0.0)


def _price_score(
    view: OfferView,
    amounts: Sequence[float],
    learned: tuple[float | None, float | None],
    *,
    wants_cheap: bool,
) -> float:
    if view.comparable is None:
        return 0.0
    least, most = learned
    floor = PRICE_MIN_SHARE_OF_LOWEST * (least or median(amounts))
    if view.comparable < floor:
        return TOO_CHEAP
    plausible = [amount for amount in amounts if amount >= floor]
    score = min(plausible) / view.comparable * (MUCH_CHEAPER if wants_cheap else CHEAPER)
    if least and most and least <= view.comparable <= most:
        score += IN_RANGE
    return score


def _offer_score(product: Product, *, requirements: Sequence[str]) -> float:
    score = SURE * product.confidence
    score += _IN_STOCK if product.in_stock else _OUT_OF_STOCK if product.in_stock is False else 0.0
    if "condition" not in requirements and product.condition in SECOND_HAND_CONDITIONS:
        score += SECOND_HAND
    return score + (ADVERTISED if product.sponsored else 0.0)
