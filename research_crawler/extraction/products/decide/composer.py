"""Composes a product from all readings, field by field, and records what is missing or contradictory."""

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from itertools import islice

from research_crawler.core.models.offers.products import (
    IS_IN_STOCK,
    FieldGap,
    GapField,
    Offer,
    PriceReading,
    Product,
    Provenance,
)
from research_crawler.core.web.urls import site_of
from research_crawler.extraction.products.decide.amount_ranking import RankedAmount, is_rival
from research_crawler.extraction.products.decide.availability import choose_availability
from research_crawler.extraction.products.decide.choices import (
    Chosen,
    Option,
    choose_condition,
    choose_sku,
    choose_text,
)
from research_crawler.extraction.products.price.currencies import currency_of, is_name
from research_crawler.extraction.products.price.reader import Price
from research_crawler.extraction.products.structured.mentions import MAX_PRODUCT_NAME, STRUCTURED, Mention
from research_crawler.extraction.products.structured.open_graph import stated_currency
from research_crawler.extraction.products.visible.dom_facts import DomFacts, Labelled
from research_crawler.extraction.products.visible.dom_prices import PriceCandidate
from research_crawler.extraction.products.visible.dom_specs import read_specs
from research_crawler.extraction.products.visible.layout import ProductLayout
from research_crawler.extraction.products.visible.price_words import FROM_WORDS
from research_crawler.extraction.products.visible.product_page import ProductPage
from research_crawler.extraction.products.visible.side_prices import read_side_prices
from research_crawler.extraction.products.vocabulary.identifiers import codes_in_url, valid_gtin
from research_crawler.extraction.products.vocabulary.name_comparison import text_on_one_line, without_site

_NEEDED = ("name", "price", "availability", "sku", "brand")
"""Fields that are a gap if they are missing."""
_MAX_OFFERS = 30
"""Most offers of a product."""
_MAX_PATH = 300
"""Longest path of a reading."""
_SURE = 0.75
"""With at least this confidence, other values do not count as a contradiction."""
_LIKE = 0.3
"""The least likeness of a stated name to the page's own names for it to be preferred to the heading."""


class Composer:
    """Composes the page's main product. An instance is used once."""

    def __init__(
        self,
        page: ProductPage,
        main: list[Mention],
        layout: ProductLayout,
        choices: list[RankedAmount],
        facts: DomFacts,
        candidates: list[PriceCandidate],
    ) -> None:
        self._page, self._main, self._layout = page, main, layout
        self._choices, self._facts = choices, facts
        self._seen = max(choices[0].candidates, key=lambda one: one.score, default=None) if choices else None
        self._side_prices = read_side_prices(self._seen, candidates)
        self._specs = read_specs(page, layout)
        self._provenance: dict[str, Provenance] = {}
        self._gaps: list[FieldGap] = []

    def product(self, *, shows_prices: bool = False) -> Product | None:
        """The product; None if the page does not name one.

        Args:
            shows_prices: whether the page shows prices of which none could be chosen.
        """
        name = self._record("name", self._name())
        if not name:
            return None
        price = self._price()
        availability, chosen_availability = choose_availability(
            self._main,
            self._facts,
            self._layout,
            priced=price is not None or shows_prices,
            price_order=self._seen.text_element.order if self._seen else None,
        )
        condition, chosen_condition = choose_condition(self._main, name, self._facts)
        self._record("availability", chosen_availability)
        self._record("condition", chosen_condition)
        return Product(
            name=name,
            price=price.text if price else "",
            price_numeric=price.amount if price else None,
            price_from=bool(self._choices) and self._begins_range(self._choices[0], self._seen),
            currency=price.currency if price else "",
            vendor=self._page.host,
            url=self._url(),
            in_stock=IS_IN_STOCK.get(availability),
            availability=availability,
            specs=next((one.specs for one in self._main if one.specs), {}) or self._specs,
            sku=self._record("sku", choose_sku(self._page, self._main, self._facts, self._layout)),
            brand=self._record("brand", choose_text([*self._stated("brand"), *_seen(self._facts.brands)])),
            gtin=self._record(
                "gtin", choose_text([*self._stated("gtin"), *_seen(self._facts.gtins), *self._gtins_in_url()])
            ),
            mpn=self._record("mpn", choose_text([*self._stated("mpn"), *_seen(self._facts.mpns)])),
            condition=condition,
            variant=self._record("variant", choose_text(self._stated("variant"))),
            list_price=self._extra("list_price"),
            unit_price=self._extra("unit_price"),
            member_price=self._extra("member_price"),
            shipping=self._extra("shipping"),
            offers=self._offers(),
            confidence=self._confidence(),
            provenance=self._provenance,
            gaps=self._gaps,
        )

    def _record(self, field: GapField, chosen: Chosen) -> str:
        """Record the source of a value, or that it is missing or contradictory. Returns the value."""
        if chosen.value:
            self._provenance[field] = _provenance(chosen.source, chosen.path, chosen.confidence)
            if chosen.rivals and chosen.confidence < _SURE:
                values = [chosen.value, *chosen.rivals]
                self._gaps.append(FieldGap(field=field, reason="contradictory", candidates=values))
        elif field in _NEEDED:
            self._gaps.append(FieldGap(field=field, reason="missing", candidates=list(chosen.rivals)))
        return chosen.value

    def _url(self) -> str:
        canonical = self._page.canonical
        return canonical if canonical and self._page.is_own_url(canonical) else self._page.url

    def _name(self) -> Chosen:
        element = self._page.heading
        heading = (
            []
            if element is None
            else [Option(text_on_one_line(element)[:MAX_PRODUCT_NAME], "dom", "h1", 0.85)]
        )
        sites = self._page.meta.get("og:site_name", ""), site_of(self._page.url).partition(".")[0]
        stated = [
            one._replace(value=without_site(one.value, *sites))
            for one in self._stated("name")
            if not heading or self._page.resembles(one.value) > _LIKE
        ]
        rest = [
            Option(without_site(self._page.meta.get("og:title", ""), *sites), "open_graph", "meta", 0.6),
            Option(without_site(self._page.title, *sites), "dom", "title", 0.4),
        ]
        return choose_text([*stated, *heading, *rest])

    def _gtins_in_url(self) -> list[Option]:
        codes = [valid_gtin(code) for code in codes_in_url(self._page.url) if len(code) >= 12]
        return [Option(code, "url", self._page.url, 0.6) for code in codes]

    def _stated(self, field: str) -> list[Option]:
        options = []
        for mention in self._main:
            weight = 0.9 if mention.source in STRUCTURED else 0.7
            values = ((str(getattr(offer, field)), offer.path) for offer in mention.every_offer())
            options += [
                Option(value, mention.source, f"{path}.{field}", weight) for value, path in values if value
            ]
        return options

    def _price(self) -> PriceReading | None:
        if not self._choices:
            self._gaps.append(FieldGap(field="price", reason="missing"))
            return None
        choice = self._choices[0]
        seen = self._seen
        first = choice.mentions[0][0] if choice.mentions else None
        source, path = (first.source, f"{first.path}.price") if first else ("dom", _path_of(seen))
        stating = {mention.source for mention, _ in choice.mentions} | ({"dom"} if seen else set())
        self._provenance["price"] = _provenance(source, path, choice.share, also=sorted(stating - {source}))
        if rivals := [rival for rival in self._choices[1:6] if is_rival(rival, choice)]:
            amounts = [f"{rival.amount:f}" for rival in (choice, *rivals)]
            self._gaps.append(FieldGap(field="price", reason="contradictory", candidates=amounts))
        currency = self._currency(choice, seen)
        text = seen.price.text if seen else f"{choice.amount:f} {currency}".strip()
        if self._begins_range(choice, seen):
            text = f"{_from_word(seen)} {text}"
        return PriceReading(text=text, amount=choice.amount, currency=currency)

    def _begins_range(self, choice: RankedAmount, seen: PriceCandidate | None) -> bool:
        """Whether the price is the lowest of several, by a word beside it or by a stated range."""
        if seen is not None:
            return seen.is_from
        stated = (offer for mention, _ in choice.mentions for offer in mention.every_offer())
        return any(
            offer.price.amount == choice.amount < offer.high_price.amount
            for offer in stated
            if offer.price and offer.high_price
        )

    def _currency(self, choice: RankedAmount, seen: PriceCandidate | None) -> str:
        """The currency that data names, else the one the price shows, else that of the page or of its country."""
        for mention, price in choice.mentions:
            if price.currency:
                self._provenance["currency"] = _provenance(mention.source, mention.path, 0.95)
                return price.currency
        if seen and seen.price.currency:
            self._provenance["currency"] = _provenance("dom", _path_of(seen), 0.85)
            return seen.price.currency
        if seen and is_name(seen.price.mark):  # "9 990 Kronen" are of some country, and not of the page's
            return ""
        named, own = stated_currency(self._page.meta), currency_of(self._page.numerals.territory)
        if named or own:
            source = ("open_graph", "meta", 0.9) if named else ("inferred", "country", 0.6)
            self._provenance["currency"] = _provenance(*source)
        return named or own

    def _extra(self, field: str) -> PriceReading | None:
        """A further price, such as the list price: the one that data states, else the visible one."""
        for mention in self._main:
            for offer in mention.every_offer():
                price: Price | None = self._in_major_units(getattr(offer, field), offer)
                if price is not None and price.amount > self._lower_bound(field):
                    self._provenance[field] = _provenance(mention.source, offer.path, 0.9)
                    return _reading(price, offer.unit if field == "unit_price" else "")
        if field in self._side_prices:
            self._provenance[field] = _provenance("dom", "beside the price", 0.7)
        return self._side_prices.get(field)

    def _in_major_units(self, price: Price | None, offer: Mention) -> Price | None:
        """Convert an amount in cents, as in state: the offer's price is then 100 times the chosen one."""
        if price is None or offer.price is None or not self._choices:
            return price
        counts_cents = offer.source == "state" and offer.price.amount == self._choices[0].amount * 100
        return replace(price, amount=price.amount / 100) if counts_cents else price

    def _lower_bound(self, field: str) -> Decimal:
        """The amount that a further price must exceed: a list price must be higher than the price."""
        return self._choices[0].amount if field == "list_price" and self._choices else Decimal(0)

    def _offers(self) -> list[Offer]:
        best = next((one for one in self._main if len(one.offers) > 1 or one.variants), None)
        if best is None:
            return []
        of_variants = (
            (variant, offer) for variant in best.variants for offer in (variant.offers or [variant])
        )
        every = [*((best, offer) for offer in best.offers), *of_variants]
        if best.source == "state" and self._counts_cents(every):
            for _, offer in every:
                offer.price = replace(offer.price, amount=offer.price.amount / 100) if offer.price else None
        offers = (_offer(holder, offer) for holder, offer in every if _says_something(offer))
        return list(islice(offers, _MAX_OFFERS))

    def _counts_cents(self, every: list[tuple[Mention, Mention]]) -> bool:
        """Whether one of the offers has a hundred times the chosen price."""
        cents = self._choices[0].amount * 100 if self._choices else None
        return any(offer.price is not None and offer.price.amount == cents for _, offer in every)

    def _confidence(self) -> float:
        """The confidence of the product: the mean over what a buyer needs (name, price, availability)."""
        confidences = [
            self._provenance[field].confidence for field in _NEEDED[:3] if field in self._provenance
        ]
        return round(sum(confidences) / 3, 2)


def _says_something(offer: Mention) -> bool:
    return bool(offer.price or offer.sku or offer.seller or offer.variant) or offer.availability != "unknown"


def _offer(holder: Mention, offer: Mention) -> Offer:
    return Offer(
        price=_reading(offer.price) if offer.price else None,
        availability=offer.availability,
        condition=offer.condition,
        seller=offer.seller,
        variant=offer.variant or holder.variant,
        sku=offer.sku or (holder.sku if holder is not offer else ""),
        url=offer.url if offer.url.startswith("http") else "",
    )


def _from_word(seen: PriceCandidate | None) -> str:
    """The word of the page for "from"; the English one if it stands elsewhere."""
    before = seen.text_element.text.partition(seen.price.text)[0] if seen else ""
    return " ".join(before.split()) if FROM_WORDS.fullmatch(before) else "from"


def _reading(price: Price, unit: str = "") -> PriceReading:
    return PriceReading(text=price.text, amount=price.amount, currency=price.currency, unit=unit)


def _seen(found: Iterable[Labelled]) -> list[Option]:
    """The labelled values as options, those with the highest weight first."""
    ordered = sorted(found, key=lambda one: -one.weight)
    return [Option(one.value, "dom", f"label {one.label}", 0.8 * one.weight) for one in ordered[:3]]


def _provenance(source: str, path: str, confidence: float, also: Iterable[str] = ()) -> Provenance:
    sure = round(min(max(confidence, 0.0), 0.99), 2)
    return Provenance.model_validate(
        {"source": source, "path": path[:_MAX_PATH], "confidence": sure, "also": list(also)}
    )


def _path_of(candidate: PriceCandidate | None) -> str:
    return str(candidate.element.getroottree().getpath(candidate.element)) if candidate else ""
