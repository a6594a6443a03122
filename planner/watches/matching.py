"""Recognise a product that was seen before, though shops change its name, URL or number. Pure."""

import re
from collections.abc import Collection, Sequence

from research_crawler.core.models.base import with_values_of
from research_crawler.core.models.watches.watch import Identity, Tracked, short_id
from research_crawler.core.web.urls import dedupe_key
from research_crawler.text.questions.subject import subject_of

STRENGTHS = ("gtin", "sku", "mpn", "url", "name")
"""The fields by which two identities are matched, the most reliable first."""
_LEAST_SHARE = 0.7
"""Least share of the query's words in a result's name, as pages of a row must have it for its columns: with 0.6 a
query of two words for the make and three for the kind takes other makes of the kind."""

_WORD = re.compile(r"\w+")


def match(known: Sequence[Tracked], seen: Identity, *, taken: Collection[str] = ()) -> Tracked | None:
    """The known product that was seen again, or None.

    Args:
        taken: keys of the products that were already found on the same page; a page shows each product once.
    """
    free = [product for product in known if product.key not in taken and _may_be(product.identity, seen)]
    for strength in STRENGTHS:
        same = [product for product in free if _is_same(product.identity, seen, strength)]
        if len(same) == 1 or (same and strength != "name"):
            return same[0]
    return None


def product_key(watch: str, seen: Identity) -> str:
    """The key of a new product; every process makes the same one."""
    if seen.asked:
        own_key = f"asked {dedupe_key(seen.asked) or seen.asked} {seen.gtin}"
    else:
        own_key = next(
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
    return short_id(f"{watch}:{seen.vendor}:{own_key}:{_plain(seen.variant)}:{seen.condition}")


def merged_identity(old: Identity, seen: Identity) -> Identity:
    """What is known of a product after another reading: the new values, and old ones for what it lacks."""
    return with_values_of(old, seen, [name for name, value in seen if value not in ("", "unknown")])


def is_about(query: str, name: str) -> bool:
    """Whether a search result has the words of the query, and is no sibling of the product that it names.

    Words with a digit ("4060", "M3") must all be there; where all up to the last of them are, those behind it only say
    of which kind the product is.
    """
    words = list(dict.fromkeys(_WORD.findall(query.casefold())))
    joined_name, name_words = _plain(name).replace(" ", ""), set(_WORD.findall(name.casefold()))
    found = [word for word in words if word in name_words or (len(word) > 2 and word in joined_name)]
    numbers = [word for word in words if any(letter.isdigit() for letter in word)]
    if len(found) == len(words):
        return True
    if not all(word in found for word in numbers) or subject_of(query).is_neighbour(name):
        return False
    named = words[: words.index(numbers[-1]) + 1] if numbers else words
    return all(word in found for word in named) or len(found) >= _LEAST_SHARE * len(words)


def _may_be(known: Identity, seen: Identity) -> bool:
    """Whether two identities can be the same offer: another vendor, condition or variant is another offer."""
    if known.vendor != seen.vendor or known.asked != seen.asked or _differ(known.gtin, seen.gtin):
        return False
    if "unknown" not in (known.condition, seen.condition) and known.condition != seen.condition:
        return False
    if _differ(_plain(known.variant), _plain(seen.variant)):
        return False
    # The page that the user named is the product, whatever number it shows today. A result on a search page is never
    # the same offer as a product's own page, because shops show other prices there.
    return bool(known.asked) or not _differ(known.sku, seen.sku)


def _is_same(known: Identity, seen: Identity, strength: str) -> bool:
    if strength == "url":
        if known.asked:
            return True
        return bool(known.url) and dedupe_key(known.url) == dedupe_key(seen.url)
    if strength == "mpn":
        return (
            bool(known.mpn) and known.mpn == seen.mpn and not _differ(_plain(known.brand), _plain(seen.brand))
        )
    if strength == "name":
        return bool(_plain(known.name)) and _plain(known.name) == _plain(seen.name)
    value = getattr(known, strength)
    return bool(value) and value == getattr(seen, strength)


def _differ(first: str, second: str) -> bool:
    return bool(first and second and first != second)


def _plain(text: str) -> str:
    return " ".join(sorted(_WORD.findall(text.casefold())))
