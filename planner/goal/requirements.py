"""Read from a goal what it requires of a product, and check each requirement against a product's page."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from planner.money.rates import Rates
from research_crawler.core.models.offers.phase2 import Check, CheckState, Requirement
from research_crawler.core.models.offers.products import Product
from research_crawler.extraction.products.price.prose import AT_LEAST, AT_MOST, NamedPrice, named_prices
from research_crawler.text.offers.purchase import colours_in, condition_in, says, words_saying
from research_crawler.text.writing.messages import ENGLISH_MESSAGES

MAX_REQUIREMENTS = 10
"""Most requirements that are read from a goal."""
_BOUND = re.compile(rf"\b(?:(?P<most>{AT_MOST})|(?P<least>{AT_LEAST}))\s$", re.I)
"""Words before an amount that make it a limit."""
_BETWEEN = re.compile(r"\bbetween\s*$", re.I)
_LEAST_BARE = 10
"""Least number without a currency that can be a price."""

_MEASURE = re.compile(
    r"\b(?P<amount>\d+(?:[.,]\d+)?)\s?-?(?P<unit>GB|TB|MB|Hz|GHz|mAh|Wh|W|kW|kg|litres?|liters?|inch(?:es)?|Zoll|[\"”]"
    r"|cm|mm|MP|megapixels?|cores?)(?!\w)(?:\s(?P<of>RAM|memory|VRAM|SSD|HDD|storage|battery|display|screen|Speicher"
    r"|Arbeitsspeicher))?",
    re.I,
)
_UNITS = {"inches": "inch", "zoll": "inch", '"': "inch", "”": "inch", "litre": "l", "litres": "l", "liter": "l",
          "liters": "l", "megapixel": "mp", "megapixels": "mp", "cores": "core"}  # fmt: skip
_PARTS = {"ram": ("ram", "memory", "arbeitsspeicher"), "memory": ("ram", "memory"), "arbeitsspeicher": ("ram",
          "memory", "arbeitsspeicher"), "ssd": ("ssd", "storage", "drive"), "storage": ("ssd", "storage", "drive",
          "hdd"), "vram": ("vram", "graphics"), "hdd": ("hdd", "storage")}  # fmt: skip
"""Names that pages give to the part of a measure."""
_ACRONYM = re.compile(
    r"\b(?P<name>[A-Z]{2}[A-Z0-9]*+(?!\w)|[A-Z]++\d++\w*+)(?:[- ](?P<mark>\d{2,5}(?:\s?(?:Ti|Super|XT))?))?\b"
)
_NO_SPEC = frozenset(
    "USD EUR GBP CHF CAD AUD PLN US UK EU USA OK FAQ DIY PC TV RAM GB TB MB HZ KG OS AI ASAP".split()  # noqa: SIM905
)
"""Acronyms that are not specs: they name a currency, a place, a kind of product or a unit."""
_VARIANT = r"|\s?(?:ti|super|xt)\b"
"""Endings of another card with the same number. Such a card neither meets nor clearly violates the requirement."""


def requirements_of(
    goal: str, *, region: str = "", currency: str = "", brands: Sequence[str] = ()
) -> list[Requirement]:
    """What a goal requires of a product, at most MAX_REQUIREMENTS.

    Args:
        region: the buyer's country, by which amounts are read.
        currency: the currency of amounts without a sign.
        brands: makers whose names to look for in the goal: those of the products found.
    """
    requirements = _price_requirements(goal, region, currency)
    price_texts = [requirement.text for requirement in requirements]
    plain = goal
    for text in price_texts:
        plain = plain.replace(text, " ")
    requirements += _condition_requirements(plain) + _brand_requirements(plain, brands)
    requirements += _measure_requirements(plain) + _name_requirements(plain, requirements)
    requirements += [Requirement(kind="colour", text=name) for name in colours_in(plain)]
    if stock := words_saying("in_stock", plain):
        requirements.append(Requirement(kind="availability", text=stock))
    return list(
        {
            (requirement.kind, requirement.text.casefold()): requirement for requirement in requirements
        }.values()
    )[:MAX_REQUIREMENTS]


def check_all(requirements: Sequence[Requirement], product: Product, rates: Rates) -> list[Check]:
    """The check of each requirement against a product."""
    return [check(requirement, product, rates) for requirement in requirements]


def check(requirement: Requirement, product: Product, rates: Rates) -> Check:
    """Whether a product meets a requirement, with the words of its page that show it."""
    if requirement.kind == "price":
        state, evidence = _check_price(requirement, product, rates)
    else:
        state, evidence = _CHECKS[requirement.kind](requirement.text, product)
    return Check(requirement=requirement.text, kind=requirement.kind, state=state, evidence=evidence)


_OWN_FIELDS: Final = ("name", "variant", "brand")
"""Fields that are ours: what they hold is quoted without their name, which no page says."""


def stated_texts(product: Product) -> list[tuple[str, str]]:
    """(field, text) of all that a vendor's page states about a product in words."""
    named = zip(_OWN_FIELDS, (product.name, product.variant, product.brand), strict=True)
    return [(field, text) for field, text in [*named, *product.specs.items()] if text]


def _price_requirements(goal: str, region: str, currency: str) -> list[Requirement]:
    prices = list(named_prices(goal, region))
    for named in prices:
        if named.high and (named.has_mark or _BETWEEN.search(goal[: named.start])):
            low, high = sorted(float(price.amount) for price in named.prices)
            text = goal[named.start : named.end].strip()
            own = _currency(named, currency)
            return [Requirement(kind="price", text=text, least=low, most=high, currency=own)]
    return [requirement for named in prices if (requirement := _price_limit(goal, named, currency))]


def _price_limit(goal: str, named: NamedPrice, currency: str) -> Requirement | None:
    """The limit in `under $900`, and in `under 900` if the number counts nothing else."""
    bound, amount = _BOUND.search(goal[: named.start]), float(named.low.amount)
    is_money = named.has_mark or (amount >= _LEAST_BARE and not named.is_count_in(goal))
    if named.high or not (bound and is_money):
        return None
    text = goal[bound.start() : named.end].strip()
    limits = {"most": amount} if bound["most"] else {"least": amount}
    return Requirement(kind="price", text=text, currency=_currency(named, currency), **limits)


def _currency(named: NamedPrice, default: str) -> str:
    return named.low.currency or default


def _condition_requirements(goal: str) -> list[Requirement]:
    found = condition_in(goal)
    return [Requirement(kind="condition", text=found)] if found else []


def _brand_requirements(goal: str, brands: Sequence[str]) -> list[Requirement]:
    named = [brand for brand in dict.fromkeys(brands) if brand and _has_word(goal, brand)]
    return [Requirement(kind="brand", text=brand) for brand in named]


def _measure_requirements(goal: str) -> list[Requirement]:
    return [
        Requirement(kind="spec", text=" ".join(match.group().split())) for match in _MEASURE.finditer(goal)
    ]


def _name_requirements(goal: str, others: Sequence[Requirement]) -> list[Requirement]:
    taken = {requirement.text.casefold() for requirement in others}
    without_measures = _MEASURE.sub(" ", goal)
    names = (match for match in _ACRONYM.finditer(without_measures) if match["name"] not in _NO_SPEC)
    return [
        Requirement(kind="spec", text=match.group())
        for match in names
        if match.group().casefold() not in taken
    ]


def _check_price(requirement: Requirement, product: Product, rates: Rates) -> tuple[CheckState, str]:
    if product.price_numeric is None:
        return "unknown", ENGLISH_MESSAGES("says_no_price")
    if requirement.most is None and requirement.least is None:
        return "unknown", ENGLISH_MESSAGES("nothing_to_compare")
    amount = float(product.price_numeric)
    evidence = product.price or f"{amount:g} {product.currency}"
    if requirement.currency and product.currency and requirement.currency != product.currency:
        converted = rates.convert(amount, product.currency, requirement.currency)
        if converted is None:
            return (
                "unknown",
                f"{evidence}; no rate from {product.currency} to {requirement.currency} is known",
            )
        amount, evidence = converted, f"{evidence} (≈ {converted:.2f} {requirement.currency}, {rates.mark})"
    too_much = requirement.most is not None and amount > requirement.most
    too_little = requirement.least is not None and amount < requirement.least
    return ("violated" if too_much or too_little else "verified"), evidence


def _check_brand(requirement: str, product: Product) -> tuple[CheckState, str]:
    if _has_word(f"{product.brand} {product.name}", requirement):
        return "verified", product.brand or product.name
    return ("violated", f"brand: {product.brand}") if product.brand else ("unknown", "")


def _check_spec(requirement: str, product: Product) -> tuple[CheckState, str]:
    measure = _MEASURE.fullmatch(requirement)
    return _check_measure(measure, product) if measure else _check_name(requirement, product)


def _check_measure(requirement: re.Match[str], product: Product) -> tuple[CheckState, str]:
    """Compare a measure with those on the page.

    A measure that names its part (`16 GB RAM`) is compared with the fields of that part, and another amount there
    violates it. One without a part (`16 GB`) can only be verified, except inches.
    """
    amount, unit, part = _measured(requirement)
    contradiction = ""
    for field, text in stated_texts(product):
        for found in _MEASURE.finditer(text):
            found_amount, found_unit, found_part = _measured(found)
            is_same_part = not part or _is_part(part, found_part) or _is_part(part, field.casefold())
            if found_unit != unit or not is_same_part:
                continue
            if found_amount == amount:
                return "verified", _evidence(field, text)
            is_field = part and (_is_part(part, found_part) or _is_part(part, field.casefold()))
            contradiction = contradiction or (_evidence(field, text) if is_field or unit == "inch" else "")
    return ("violated", contradiction) if contradiction else ("unknown", "")


def _measured(match: re.Match[str]) -> tuple[float, str, str]:
    """Amount, unit and part of a measure."""
    unit = match["unit"].casefold()
    return float(match["amount"].replace(",", ".")), _UNITS.get(unit, unit), (match["of"] or "").casefold()


def _is_part(wanted: str, named: str) -> bool:
    """Whether a part or field of this name is the wanted part: `memory` is `RAM`."""
    return any(word in named for word in _PARTS.get(wanted, (wanted,))) if named else False


def _check_name(requirement: str, product: Product) -> tuple[CheckState, str]:
    """Look for a name such as `RTX 4060`; the same letters with another number violate it."""
    name = _joined(requirement)
    end = rf"(?!\d{_VARIANT})" if name[-1].isdigit() else r"(?![a-z])"
    same = re.compile(rf"(?<![a-z0-9]){re.escape(name)}{end}")
    letters, number = re.match(r"[a-z]+", name), re.search(r"\d+", name)
    contradiction = ""
    for field, text in stated_texts(product):
        joined = _joined(text)
        if same.search(joined):
            return "verified", _evidence(field, text)
        if letters and number:
            numbers = re.findall(rf"(?<![a-z0-9]){letters.group()}(\d{{2,}})", joined)
            differs = bool(numbers) and number.group() not in numbers
            contradiction = contradiction or (_evidence(field, text) if differs else "")
    return ("violated", contradiction) if contradiction else ("unknown", "")


def _joined(text: str) -> str:
    """Lower case, with letters and the number after them joined: `RTX 4060` and `RTX™-4060` become equal."""
    return re.sub(r"(?<=[a-z])[\s™®-]+(?=\d)", "", text.casefold().replace("™", "").replace("®", ""))


def _check_colour(requirement: str, product: Product) -> tuple[CheckState, str]:
    for field, text in stated_texts(product):
        if requirement in colours_in(text):
            return "verified", _evidence(field, text)
    named = [
        (field, text)
        for field, text in stated_texts(product)
        if says("field_of_colour", field) and colours_in(text)
    ]
    return ("violated", _evidence(*named[0])) if named else ("unknown", "")


def _check_condition(requirement: str, product: Product) -> tuple[CheckState, str]:
    if product.condition == "unknown":
        return "unknown", ENGLISH_MESSAGES("says_no_condition")
    return ("verified" if product.condition == requirement else "violated"), product.condition.replace(
        "_", " "
    )


def _check_availability(_: str, product: Product) -> tuple[CheckState, str]:
    if product.in_stock is None:
        return "unknown", ENGLISH_MESSAGES("says_no_availability")
    return ("verified" if product.in_stock else "violated"), product.availability.replace("_", " ")


def _evidence(field: str, text: str) -> str:
    quote = f"“{' '.join(text.split())[:120]}”"
    return quote if field in _OWN_FIELDS else f"{field}: {quote}"


def _has_word(text: str, word: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.I))


_CHECKS: dict[str, Callable[[str, Product], tuple[CheckState, str]]] = {
    "brand": _check_brand,
    "spec": _check_spec,
    "colour": _check_colour,
    "condition": _check_condition,
    "availability": _check_availability,
}
