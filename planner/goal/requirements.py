"""What a goal asks of a product, and whether a product's page bears it out: asked for, verified, violated, unknown."""

import re
from collections.abc import Callable, Sequence

from planner.money.rates import Rates
from research_crawler.core.models.phase2 import Check, CheckState, Requirement
from research_crawler.core.models.products import Condition, Product
from research_crawler.extraction.products.price.prose import AT_LEAST, AT_MOST, NamedPrice, named_prices

MAX_REQUIREMENTS = 10
_BOUND = re.compile(rf"\b(?:(?P<most>{AT_MOST})|(?P<least>{AT_LEAST}))\s$", re.I)
"""What stands before a bound."""
_BETWEEN = re.compile(r"\bbetween\s*$", re.I)
_LEAST_BARE = 10
"""A number without a currency that may be a price."""

_MEASURE = re.compile(
    r"\b(?P<amount>\d+(?:[.,]\d+)?)\s?-?(?P<unit>GB|TB|MB|Hz|GHz|mAh|Wh|W|kW|kg|litres?|liters?|inch(?:es)?|Zoll|[\"”]"
    r"|cm|mm|MP|megapixels?|cores?)(?!\w)(?:\s(?P<of>RAM|memory|VRAM|SSD|HDD|storage|battery|display|screen|Speicher"
    r"|Arbeitsspeicher))?",
    re.I,
)
_UNITS = {"inches": "inch", "zoll": "inch", '"': "inch", "”": "inch", "litre": "l", "litres": "l", "liter": "l",
          "liters": "l", "megapixel": "mp", "megapixels": "mp", "cores": "core"}  # fmt: skip
_OF = {"ram": ("ram", "memory", "arbeitsspeicher"), "memory": ("ram", "memory"), "arbeitsspeicher": ("ram", "memory",
       "arbeitsspeicher"), "ssd": ("ssd", "storage", "drive"), "storage": ("ssd", "storage", "drive", "hdd"),
       "vram": ("vram", "graphics"), "hdd": ("hdd", "storage")}  # fmt: skip
_ACRONYM = re.compile(
    r"\b(?P<name>[A-Z]{2,}[A-Z0-9]*|[A-Z]+\d+\w*)(?:[- ](?P<mark>\d{2,5}(?:\s?(?:Ti|Super|XT))?))?\b"
)
_NO_SPEC = frozenset(
    "USD EUR GBP CHF CAD AUD PLN US UK EU USA OK FAQ DIY PC TV RAM GB TB MB HZ KG OS AI ASAP".split()  # noqa: SIM905
)
"""Acronyms that name a currency, a place, the thing itself or a unit."""
_VARIANT = r"|\s?(?:ti|super|xt)\b"
"""What makes another card of the same number: neither the one asked for nor plainly a wrong one."""
COLOURS = {
    "black": "black|schwarz|noir|negro|nero", "white": "white|weiß|weiss|blanc|blanche|blanco|bianco",
    "grey": "grey|gray|grau|gris|grigio", "silver": "silver|silber|argent|plata", "red": "red|rot|rouge|rojo|rosso",
    "blue": "blue|blau|bleu|azul|blu", "green": "green|grün|vert|verde", "yellow": "yellow|gelb|jaune|amarillo",
    "pink": "pink|rosa", "brown": "brown|braun|marron|brun", "beige": "beige", "gold": "gold|golden",
    "purple": "purple|violet|lila|violett", "orange": "orange",
}  # fmt: skip
_COLOURS = {name: re.compile(rf"\b(?:{words})(?:e[nrsm]?|s)?\b", re.I) for name, words in COLOURS.items()}
CONDITIONS: tuple[tuple[Condition, re.Pattern[str]], ...] = (
    ("refurbished", re.compile(r"\b(?:refurb(?:ish)?(?:ed)?|renewed|generalüberholt\w*|reconditionné\w*)\b", re.I)),
    ("used", re.compile(
        r"\b(?:(?<!get )(?<!be )(?<!is )used(?! (?:for|to|by|in|as))|second[- ]?hand|pre-?owned|gebraucht\w*|d'occasion"
        r"|segunda mano|tweedehands)\b", re.I)),
    ("open_box", re.compile(r"\bopen[- ]box\b", re.I)),
    ("new", re.compile(
        r"\b(?:brand[- ]new|(?:must be|only) new(?! (?:york|zealand))|factory sealed|(?:fabrik|nagel)neu\w*)\b"
        r"|,\s*(?:new|neu)\s*(?:$|[,.!])", re.I)),
)  # fmt: skip
_STOCK = re.compile(
    r"\b(?:in stock|available (?:now|today)|lieferbar|sofort verfügbar|auf lager|en stock)\b", re.I
)
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_START = re.compile(r"(?:^|[.!?:]\s+)$")


def requirements_of(
    goal: str, *, region: str = "", currency: str = "", brands: Sequence[str] = ()
) -> list[Requirement]:
    """The wishes in a goal's words, at most MAX_WISHES.

    Args:
        currency: of amounts that carry no sign.
        brands: names of makers that the goal may mean: those of the products found.
    """
    requirements = _price_wishes(goal, region, currency)
    priced = [requirement.text for requirement in requirements]
    plain = goal
    for text in priced:
        plain = plain.replace(text, " ")
    requirements += _condition_wishes(plain) + _brand_wishes(plain, brands)
    requirements += _measure_wishes(plain) + _name_wishes(plain, requirements)
    requirements += [
        Requirement(kind="colour", text=name) for name, pattern in _COLOURS.items() if pattern.search(plain)
    ]
    if stock := _STOCK.search(plain):
        requirements.append(Requirement(kind="availability", text=stock.group()))
    return list(
        {
            (requirement.kind, requirement.text.casefold()): requirement for requirement in requirements
        }.values()
    )[:MAX_REQUIREMENTS]


def check_all(requirements: Sequence[Requirement], product: Product, rates: Rates) -> list[Check]:
    """Every wish held against a product."""
    return [check(requirement, product, rates) for requirement in requirements]


def check(requirement: Requirement, product: Product, rates: Rates) -> Check:
    """Whether a product bears a wish out, with what its page says."""
    if requirement.kind == "price":
        state, evidence = _check_price(requirement, product, rates)
    else:
        state, evidence = _CHECKS[requirement.kind](requirement.text, product)
    return Check(requirement=requirement.text, kind=requirement.kind, state=state, evidence=evidence)


def told_in(product: Product) -> list[tuple[str, str]]:
    """(where, text) of all that a vendor's page says of a product in words."""
    named = [("name", product.name), ("variant", product.variant), ("brand", product.brand)]
    return [(where, text) for where, text in [*named, *product.specs.items()] if text]


def _price_wishes(goal: str, region: str, currency: str) -> list[Requirement]:
    named = list(named_prices(goal, region))
    for one in named:
        if one.high and (one.has_mark or _BETWEEN.search(goal[: one.start])):
            low, high = sorted(float(price.amount) for price in one.prices)
            text = goal[one.start : one.end].strip()
            return [
                Requirement(kind="price", text=text, least=low, most=high, currency=_currency(one, currency))
            ]
    return [requirement for one in named if (requirement := _bound_wish(goal, one, currency))]


def _bound_wish(goal: str, named: NamedPrice, currency: str) -> Requirement | None:
    """`under $900`, and `under 900` where nothing else is counted."""
    bound, amount = _BOUND.search(goal[: named.start]), float(named.low.amount)
    is_money = named.has_mark or (amount >= _LEAST_BARE and not named.is_count_in(goal))
    if named.high or not (bound and is_money):
        return None
    text = goal[bound.start() : named.end].strip()
    limits = {"most": amount} if bound["most"] else {"least": amount}
    return Requirement(kind="price", text=text, currency=_currency(named, currency), **limits)


def _currency(named: NamedPrice, otherwise: str) -> str:
    return named.low.currency or otherwise


def _condition_wishes(goal: str) -> list[Requirement]:
    return [Requirement(kind="condition", text=name) for name, pattern in CONDITIONS if pattern.search(goal)][
        :1
    ]


def _brand_wishes(goal: str, brands: Sequence[str]) -> list[Requirement]:
    named = [brand for brand in dict.fromkeys(brands) if brand and _has_word(goal, brand)]
    return [Requirement(kind="brand", text=brand) for brand in named]


def _measure_wishes(goal: str) -> list[Requirement]:
    return [
        Requirement(kind="spec", text=" ".join(match.group().split())) for match in _MEASURE.finditer(goal)
    ]


def _name_wishes(goal: str, others: Sequence[Requirement]) -> list[Requirement]:
    taken = {requirement.text.casefold() for requirement in others}
    without = _MEASURE.sub(" ", goal)
    names = (match for match in _ACRONYM.finditer(without) if match["name"] not in _NO_SPEC)
    return [
        Requirement(kind="spec", text=match.group())
        for match in names
        if match.group().casefold() not in taken
    ]


def _check_price(requirement: Requirement, product: Product, rates: Rates) -> tuple[CheckState, str]:
    if product.price_numeric is None:
        return "unknown", "the page states no price"
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
    """A measure with what it is of is compared with the field of that name; without, it only can be found."""
    amount, unit, of = _measured(requirement)
    other = ""
    for where, text in told_in(product):
        for found in _MEASURE.finditer(text):
            got, got_unit, got_of = _measured(found)
            same_thing = not of or _is_of(of, got_of) or _is_of(of, where.casefold())
            if got_unit != unit or not same_thing:
                continue
            if got == amount:
                return "verified", _evidence(where, text)
            is_field = of and (_is_of(of, got_of) or _is_of(of, where.casefold()))
            other = other or (_evidence(where, text) if is_field or unit == "inch" else "")
    return ("violated", other) if other else ("unknown", "")


def _measured(match: re.Match[str]) -> tuple[float, str, str]:
    unit = match["unit"].casefold()
    return float(match["amount"].replace(",", ".")), _UNITS.get(unit, unit), (match["of"] or "").casefold()


def _is_of(wanted: str, named: str) -> bool:
    return any(word in named for word in _OF.get(wanted, (wanted,))) if named else False


def _check_name(requirement: str, product: Product) -> tuple[CheckState, str]:
    """`RTX 4060` is in the text, or another number stands behind the same letters."""
    squeezed = _squeezed(requirement)
    end = rf"(?!\d{_VARIANT})" if squeezed[-1].isdigit() else r"(?![a-z])"
    same = re.compile(rf"(?<![a-z0-9]){re.escape(squeezed)}{end}")
    letters, number = re.match(r"[a-z]+", squeezed), re.search(r"\d+", squeezed)
    other = ""
    for where, text in told_in(product):
        spaced = _spaced(text)
        if same.search(spaced):
            return "verified", _evidence(where, text)
        if letters and number:
            marks = re.findall(rf"(?<![a-z0-9]){letters.group()}(\d{{2,}})", spaced)
            other = other or (_evidence(where, text) if marks and number.group() not in marks else "")
    return ("violated", other) if other else ("unknown", "")


def _spaced(text: str) -> str:
    """Lower case, without what separates letters from a number behind them: `RTX 4060` and `RTX™-4060` are one."""
    return re.sub(r"(?<=[a-z])[\s™®-]+(?=\d)", "", text.casefold().replace("™", "").replace("®", ""))


def _squeezed(requirement: str) -> str:
    return _spaced(requirement)


def _check_colour(requirement: str, product: Product) -> tuple[CheckState, str]:
    for where, text in told_in(product):
        if _COLOURS[requirement].search(text):
            return "verified", _evidence(where, text)
    named = [
        (where, text)
        for where, text in told_in(product)
        if re.search(r"colou?r|farbe|couleur", where, re.I)
        and any(pattern.search(text) for pattern in _COLOURS.values())
    ]
    return ("violated", _evidence(*named[0])) if named else ("unknown", "")


def _check_condition(requirement: str, product: Product) -> tuple[CheckState, str]:
    if product.condition == "unknown":
        return "unknown", "the page does not state the condition"
    return ("verified" if product.condition == requirement else "violated"), product.condition.replace(
        "_", " "
    )


def _check_availability(_: str, product: Product) -> tuple[CheckState, str]:
    if product.in_stock is None:
        return "unknown", "the page does not state it"
    return ("verified" if product.in_stock else "violated"), product.availability.replace("_", " ")


def _evidence(where: str, text: str) -> str:
    return f"{where}: “{' '.join(text.split())[:120]}”"


def _has_word(text: str, word: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.I))


_CHECKS: dict[str, Callable[[str, Product], tuple[CheckState, str]]] = {
    "brand": _check_brand,
    "spec": _check_spec,
    "colour": _check_colour,
    "condition": _check_condition,
    "availability": _check_availability,
}
