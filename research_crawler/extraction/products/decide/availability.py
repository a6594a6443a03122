"""Chooses the availability of a page's product among data, visible texts and buy buttons."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from research_crawler.core.models.products import Availability
from research_crawler.extraction.products.decide.choices import NO_CHOICE, Chosen
from research_crawler.extraction.products.structured.mentions import STRUCTURED, Mention
from research_crawler.extraction.products.visible.dom_facts import DomFacts, is_statement
from research_crawler.extraction.products.visible.layout import ProductLayout, Spot
from research_crawler.extraction.products.vocabulary.marks import ElementMark

_BEST_FIRST: Final[tuple[Availability, ...]] = (
    "in_stock",
    "limited",
    "preorder",
    "backorder",
    "out_of_stock",
)
_ALONE, _REACH = 2, 900
"""The most buy buttons of a page that are all its product's (one goes along when the page is scrolled), and the most
elements from the heading down to them."""
_BEFORE, _AFTER, _BESIDE_PRICE = 20, 250, 120
"""The most elements from a sign to the heading, before and after it, or to the price, for it to be the product's."""


class _Stated(NamedTuple):
    """An availability that data gives, and the offer that has it."""

    offer: Mention
    availability: Availability


def choose_availability(
    main: list[Mention],
    facts: DomFacts,
    layout: ProductLayout,
    *,
    priced: bool,
    price_order: int | None = None,
    takes_orders: bool = False,
) -> tuple[Availability, Chosen]:
    """Choose the availability: structured data first, then visible texts, then the buy button.

    Texts overrule structured data, which may be the same on all pages of a shop, only where they stand for
    the buy button. A page with a price and no contrary sign counts as in stock. A disabled button whose label still
    says to buy is none: it waits for a choice of size, or for the page's scripts.

    Args:
        main: what data says of the page's product.
        facts: what visible texts say of it.
        layout: where its texts and buttons are.
        priced: whether the page has a price.
        price_order: where that price is, if it is visible.
        takes_orders: whether the form that puts this product into the cart can be sent. Shop systems leave it out, or
            disable it, when the product is sold out: all 20 saved pages with such a form are in stock, and none of 11
            that are sold out has one.
    """
    signs = _Signs(main, facts, layout, price_order, takes_orders=takes_orders)
    return signs.availability(priced=priced)


class _Signs:
    """The signs of a page that say whether its product can be bought."""

    def __init__(
        self,
        main: list[Mention],
        facts: DomFacts,
        layout: ProductLayout,
        price_order: int | None,
        *,
        takes_orders: bool,
    ) -> None:
        self._takes_orders = takes_orders
        self._main, self._facts, self._layout, self._price = main, facts, layout, price_order
        self._bad = [spot for said, spot in facts.stock if said == "out_of_stock"]
        self._good = next(((said, spot) for said, spot in facts.stock if said != "out_of_stock"), None)

    def availability(self, *, priced: bool) -> tuple[Availability, Chosen]:
        """The availability, with its source."""
        layout, bad, good = self._layout, self._bad, self._good
        if stated := self._stated():
            return self._overruled(stated.availability) or self._with_doubts(*stated)
        if (marked := self._facts.marked) != "unknown" and not (marked == "in_stock" and bad):
            if marked == "in_stock" and good is not None:
                marked = good[0]
            return marked, Chosen(marked, "dom", "class", 0.75)
        if bad and not (layout.buy_buttons and priced):
            return "out_of_stock", Chosen("out_of_stock", "dom", _path_of(bad[0].element), 0.75)
        if good is not None:
            return good[0], Chosen(good[0], "dom", _path_of(good[1].element), 0.8)
        if layout.buy_buttons or self._takes_orders:
            return "in_stock", Chosen("in_stock", "dom", "button", 0.75)
        if self._is_replaced():
            return "out_of_stock", Chosen("out_of_stock", "dom", "button", 0.6, ("in_stock",))
        if not priced:
            return "unknown", NO_CHOICE
        rivals = ("out_of_stock",) if layout.disabled_buy_buttons else ()
        return "in_stock", Chosen("in_stock", "inferred", "price", 0.5, rivals)

    def _stated(self) -> _Stated | None:
        """The availability that structured data, meta elements or state give. One offer to be bought is enough.

        What data says is sold out may be one of several variants, the one that was chosen when the page was made. The
        state of its scripts has them all; it wins if no text near the heading denies it.
        """
        found = [best for rungs in (STRUCTURED, {"open_graph"}, {"state"}) if (best := self._best(rungs))]
        if not found:
            return None
        others = (
            one for one in found[1:] if one.offer.rung == "state" and one.availability != "out_of_stock"
        )
        if found[0].availability == "out_of_stock" and not self._bad and not self._is_replaced():
            return next(others, found[0])
        return found[0]

    def _best(self, rungs: frozenset[str] | set[str]) -> _Stated | None:
        stated = (
            _Stated(offer, offer.availability)
            for mention in self._main
            if mention.rung in rungs
            for offer in _offers_of(mention)
            if offer.availability != "unknown"
        )
        return min(stated, key=lambda one: _BEST_FIRST.index(one.availability), default=None)

    def _overruled(self, stated: Availability) -> tuple[Availability, Chosen] | None:
        """The availability that the page shows so clearly that its data must be wrong; None if there is none.

        "In stock" is overruled if nothing can be bought and a text for availability near the heading, or an offer
        to tell when the product is back in the place of a buy button, says so. A disabled button alone only waits
        for a choice of size, or for the page's scripts. "Out of stock" is overruled by a buy button, or by a text in
        an element named for stock, if nothing else near the heading says so.
        """
        if stated == "in_stock" and not self._layout.buy_buttons and self._good is None:
            if (bad := next(filter(self._is_of_stock, self._bad), None)) is not None:
                path = _path_of(bad.element)
                return "out_of_stock", Chosen("out_of_stock", "dom", path, 0.7, (stated,))
            if self._is_replaced():
                return "out_of_stock", Chosen("out_of_stock", "dom", "button", 0.7, (stated,))
        if stated == "out_of_stock" and not self._is_denied() and not self._waits():
            if self._can_be_bought():
                return "in_stock", Chosen("in_stock", "dom", "button", 0.7, (stated,))
            if (
                self._good is not None
                and self._good[0] in ("in_stock", "limited")
                and self._is_of_stock(self._good[1])
            ):
                said, spot = self._good
                return said, Chosen(said, "dom", _path_of(spot.element), 0.6, (stated,))
        return None

    def _with_doubts(self, offer: Mention, stated: Availability) -> tuple[Availability, Chosen]:
        """The stated availability, refined by texts near the heading, less sure if the page disagrees."""
        layout, bad, good = self._layout, self._bad, self._good
        is_doubted = (stated == "out_of_stock" and (bool(layout.buy_buttons) or good is not None)) or (
            stated == "in_stock"
            and (bool(bad) or (bool(layout.disabled_buy_buttons) and not layout.buy_buttons))
        )
        if (
            stated == "in_stock"
            and good
            and good[0] in ("limited", "preorder", "backorder")
            and self._is_close(good[1].order)
        ):
            stated = good[0]
        rivals = ("out_of_stock" if stated == "in_stock" else "in_stock",) if is_doubted else ()
        confidence = 0.7 if is_doubted else 0.95
        return stated, Chosen(stated, offer.rung, f"{offer.path}.availability", confidence, rivals)

    def _can_be_bought(self) -> bool:
        """Whether the form for the cart can be sent, or a buy button is enabled near the heading and none there is not.

        A button alone may stand further below. A disabled button that does is that of another product.

        Beside a text that says in stock, a disabled button is another's too.
        """
        if self._takes_orders:
            return True
        layout = self._layout
        is_alone = len(layout.buy_buttons) <= _ALONE and layout.heading >= 0
        if not any(
            self._is_close(order) or (is_alone and 0 <= layout.to_heading(order) <= _REACH)
            for order in layout.buy_buttons
        ):
            return False
        is_said = self._good is not None and self._is_close(self._good[1].order)
        return is_said or not any(map(self._is_close, layout.disabled_buy_buttons))

    def _is_denied(self) -> bool:
        """Whether a text near heading, price or buy button, or a sentence about the product, says there is none."""
        return any(
            self._is_close(spot.order)
            or is_statement(spot)
            or self._layout.to_buy(spot.order) <= _BESIDE_PRICE
            for spot in self._bad
        )

    def _waits(self) -> bool:
        """Whether the page offers near the heading to tell when the product is back."""
        return any(map(self._is_close, self._layout.notices))

    def _is_replaced(self) -> bool:
        """Whether an offer to tell when the product is back stands where a buy button would."""
        return not self._layout.buy_buttons and self._waits()

    def _is_of_stock(self, spot: Spot) -> bool:
        """Whether a text says it of the product: beside the heading in an element named for it, or in a sentence."""
        return is_statement(spot) or (bool(spot.marks & ElementMark.STOCK) and self._is_close(spot.order))

    def _is_close(self, order: int) -> bool:
        if self._price is not None and abs(order - self._price) <= _BESIDE_PRICE:
            return True
        return self._layout.heading >= 0 and -_BEFORE <= self._layout.to_heading(order) <= _AFTER


def _offers_of(mention: Mention) -> Iterator[Mention]:
    """A mention, its offers, and those of its variants."""
    yield from mention.every_offer()
    for variant in mention.variants:
        yield from variant.every_offer()


def _path_of(element: object) -> str:
    tree = element.getroottree()  # type: ignore[attr-defined]
    return str(tree.getpath(element))
