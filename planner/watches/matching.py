"""The same product from one look to the next: shops change names, addresses and numbers one at a time. Pure."""

import re
from collections.abc import Collection, Sequence

from research_crawler.core.models.base import with_values_of
from research_crawler.core.models.watches import Identity, Tracked, short_id
from research_crawler.core.urls import dedupe_key

STRENGTHS = ("gtin", "sku", "mpn", "url", "name")
"""What two looks are matched by, the surest first."""
_LEAST_SHARE = 0.6
"""Of the query's words that a result's name must have; those with a digit ("4060", "M3") it must have all."""

_WORD = re.compile(r"\w+")


def match(known: Sequence[Tracked], seen: Identity, *, taken: Collection[str] = ()) -> Tracked | None:
    """The product that was seen again, if it is one of these.

    Args:
        taken: keys of products that the same page has shown already: no product is there twice.
    """
    free = [one for one in known if one.key not in taken and _may_be(one.identity, seen)]
    for strength in STRENGTHS:
        same = [one for one in free if _is_same(one.identity, seen, strength)]
        if len(same) == 1 or (same and strength != "name"):
            return same[0]
    return None


def key_of(watch: str, seen: Identity) -> str:
    """The key of a product that was not known before: the same in whichever process it is made."""
    if seen.asked:
        what = f"asked {dedupe_key(seen.asked) or seen.asked} {seen.gtin}"
    else:
        what = next(
            f"{name} {value}"
            for name, value in (
                ("gtin", seen.gtin),
                ("sku", seen.sku),
                ("url", dedupe_key(seen.url)),
                ("name", _plain(seen.name)),
                ("nothing", "-"),
            )
            if value
        )
    return short_id(f"{watch}:{seen.vendor}:{what}:{_plain(seen.variant)}:{seen.condition}")


def merged_identity(old: Identity, seen: Identity) -> Identity:
    """What is known of a product after another look: new values, and old ones where this look has none."""
    return with_values_of(old, seen, [name for name, value in seen if value not in ("", "unknown")])


def is_about(query: str, name: str) -> bool:
    """Whether a search result is what was asked for, and not a cable or a case that goes with it."""
    words = list(dict.fromkeys(_WORD.findall(query.casefold())))
    compact, there = _plain(name).replace(" ", ""), set(_WORD.findall(name.casefold()))
    found = [word for word in words if word in there or (len(word) > 2 and word in compact)]
    numbers = [word for word in words if any(letter.isdigit() for letter in word)]
    return all(word in found for word in numbers) and len(found) >= _LEAST_SHARE * len(words)


def _may_be(one: Identity, other: Identity) -> bool:
    """Whether nothing speaks against it: another seller, condition or variant is another offer."""
    if one.vendor != other.vendor or one.asked != other.asked or _differ(one.gtin, other.gtin):
        return False
    if "unknown" not in (one.condition, other.condition) and one.condition != other.condition:
        return False
    if _differ(_plain(one.variant), _plain(other.variant)):
        return False
    # The page that the user named is the product, whatever number is read off it today. And a result of a search
    # page is not compared with a product's own page: shops show other prices there.
    return bool(one.asked) or not _differ(one.sku, other.sku)


def _is_same(one: Identity, other: Identity, strength: str) -> bool:
    if strength == "url":
        if one.asked:
            return True
        return bool(one.url) and dedupe_key(one.url) == dedupe_key(other.url)
    if strength == "mpn":
        return bool(one.mpn) and one.mpn == other.mpn and not _differ(_plain(one.brand), _plain(other.brand))
    if strength == "name":
        return bool(_plain(one.name)) and _plain(one.name) == _plain(other.name)
    value = getattr(one, strength)
    return bool(value) and value == getattr(other, strength)


def _differ(one: str, other: str) -> bool:
    return bool(one and other and one != other)


def _plain(text: str) -> str:
    return " ".join(sorted(_WORD.findall(text.casefold())))
