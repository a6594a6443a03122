"""Known vendors: which ones serve a country, which one a hint means, and where one is asked for a product. No I/O."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Annotated, Self
from urllib.parse import quote, quote_plus, urlsplit

from pydantic import AfterValidator, Field, field_validator, model_validator
from rapidfuzz.distance import OSA

from research_crawler.core.models.base import Frozen, replaced
from research_crawler.core.urls import ascii_host, canonical_url, host_of, slot_of

_PLACE = "{query}"
HOME_COUNTRY = "US"
"""Whose vendors are asked where nobody said where the buyer lives: those of the source's list."""
MAX_QUERY = 120
"""Characters. Shops cut or refuse longer ones; a product's full name with its specs has about 80."""
MIN_NAME = 3
"""Letters of a name that is looked for in sentences."""
FUZZY_FROM = 5
"""Letters. One wrong letter in a shorter name often is another vendor: Otto, Lotto."""
MOST_SLIPS, TWO_SLIPS_FROM = 2, 8
"""Letters of a name that is known with two slips (a letter left out, doubled, wrong, or two swapped); shorter ones with
one. No two vendors of the packaged catalogue have names that near each other."""
_COUNTRY = re.compile(r"[A-Z]{2}")
_CURRENCY = re.compile(r"[A-Z]{3}")
_SHOP_WORDS = frozenset([
    "the", "www", "com", "official", "online", "web", "website", "site", "store", "stores", "shop", "shops", "shopping",
    "marketplace", "retailer", "inc", "llc", "ltd", "gmbh", "deals", "sale", "open", "box", "renewed", "warehouse",
    "outlet", "app", "on", "at", "from",
])  # fmt: skip
"""Words that a text puts around a vendor's name without meaning another vendor."""


def _bare_host(host: str) -> str:
    bare = ascii_host(host.strip()).removeprefix("www.")
    if "." not in bare and ":" not in bare:
        raise ValueError(f"{host!r} is no host name such as shop.example")
    return bare


def _coded(pattern: re.Pattern[str], example: str) -> AfterValidator:
    def check(code: str) -> str:
        if code and not pattern.fullmatch(code.upper()):
            raise ValueError(f"{code!r} is no code such as {example}")
        return code.upper()

    return AfterValidator(check)


Country = Annotated[str, _coded(_COUNTRY, "DE")]
Currency = Annotated[str, _coded(_CURRENCY, "EUR")]


class Vendor(Frozen):
    """A shop that can be asked for a product by a URL."""

    name: str = Field(min_length=1)
    """As people write it: "Best Buy"."""
    host: Annotated[str, AfterValidator(_bare_host)]
    """Without `www.`: "bestbuy.com"."""
    search: str
    """URL of its search page with `{query}` in it; `https://` where no scheme is named."""
    aliases: tuple[str, ...] = ()
    """Other names: "bestbuy"."""
    country: Country = ""
    """ISO 3166 code of its buyers' country; "": anywhere."""
    ships_to: tuple[Country, ...] = ()
    """Other countries whose people buy there as if it were their own."""
    currency: Currency = ""
    """ISO 4217 code of its prices."""

    def changed(self, *, currency: Currency) -> Self:
        """A copy with the given values."""
        return replaced(self, currency=currency)

    @field_validator("search")
    @classmethod
    def _pattern(cls, pattern: str) -> str:
        pattern = pattern.strip()
        if _PLACE not in pattern:
            raise ValueError(f"must hold {_PLACE}, such as https://shop.example/search?q={_PLACE}")
        address = pattern if "://" in pattern else f"https://{pattern}"
        if not canonical_url(address.replace(_PLACE, "x")) or _PLACE in urlsplit(address).netloc:
            raise ValueError(f"must be an http(s) URL, such as https://shop.example/search?q={_PLACE}")
        return address

    @model_validator(mode="after")
    def _own_host(self) -> "Vendor":
        host = host_of(self.search)
        if host != self.host and not host.endswith(f".{self.host}"):
            raise ValueError(f"search is at {host}, which is not {self.host} or a host below it")
        return self

    def search_url(self, query: str) -> str:
        """The canonical URL of the vendor's results for a query, which is cut to what a shop takes."""
        words = _shortened(" ".join(query.split()))
        path, mark, arguments = self.search.partition("?")
        path = path.replace(_PLACE, quote(words, safe="", errors="replace"))
        arguments = arguments.replace(_PLACE, quote_plus(words, errors="replace"))
        return canonical_url(f"{path}{mark}{arguments}")

    def serves(self, region: str) -> bool:
        """Whether people of a country buy there."""
        return not self.country or region in (self.country, *self.ships_to)

    def named_in(self, text: str) -> str:
        """The name by which a sentence means it, "" where it does not; a short or everyday word (`Target`) names it
        only with its capital."""
        names = (name for name in (self.name, *self.aliases, self.host) if len(name) >= MIN_NAME)
        return next((name for name in names if re.search(rf"(?<![\w@]){re.escape(name)}(?!\w)", text)), "")

    def names(self) -> Iterator[str]:
        """All spellings it is known by."""
        yield from (self.name, *self.aliases)
        label = self.host.split(".")[0]
        if not label.isdigit():
            yield label


class Catalogue(Frozen):
    """The known vendors, those that the user added first."""

    vendors: tuple[Vendor, ...] = ()

    def for_region(self, region: str = "") -> list[Vendor]:
        """The vendors of a country in the order they are to be asked: its own, then those that ship there.

        Args:
            region: ISO 3166 code; "" where nobody said: HOME_COUNTRY. A country that has no vendor here gets those
                that serve any, which may be none: never another country's.
        """
        wanted = region.upper() or HOME_COUNTRY
        serving = [vendor for vendor in self.vendors if vendor.serves(wanted)]
        return sorted(serving, key=lambda vendor: vendor.country not in ("", wanted))

    def match(self, hint: str, region: str = "") -> Vendor | None:
        """The vendor that a name, alias, host or URL means; None for one that is not known.

        Args:
            hint: as a page or a person wrote it: "bestbuy", "Best Buy", "www.bestbuy.com". A misspelt name is known
                by its likeness, a host only by itself: amazon.xyz is not Amazon.
            region: a name that is used in several countries ("Amazon") means the one of this country; a name that is
                not used there is not known.
        """
        host = _host_in(hint)
        if host:
            return self._by_host(host)
        written, key = _squeezed(hint), _key(hint)
        if not written:
            return None
        serving = self.for_region(region) if region else [*self.for_region(), *self.vendors]
        for vendor in serving:
            if any(written == _squeezed(name) or key == _key(name) for name in vendor.names()):
                return vendor
        return _likeliest(key, serving)

    def _by_host(self, host: str) -> Vendor | None:
        return next(
            (one for one in self.vendors if host == one.host or host.endswith(f".{one.host}")),
            None,
        )


def _likeliest(key: str, vendors: list[Vendor]) -> Vendor | None:
    """The vendor whose name a misspelt one is nearest to, the first of equals. Nobody misspells a first letter."""
    best: tuple[int, Vendor | None] = (MOST_SLIPS + 1, None)
    for vendor in vendors:
        for name in map(_squeezed, vendor.names()):
            slips = OSA.distance(key, name, score_cutoff=MOST_SLIPS)
            if (
                len(name) >= FUZZY_FROM
                and key[0] == name[0]
                and slips <= _slips_allowed(name)
                and slips < best[0]
            ):
                best = (slips, vendor)
    return best[1]


def _slips_allowed(name: str) -> int:
    return MOST_SLIPS if len(name) >= TWO_SLIPS_FROM else 1


def _host_in(hint: str) -> str:
    """The host that a hint is: a URL, or one word with a dot inside it."""
    text = hint.strip()
    address = text if "://" in text else f"https://{text}"
    slot = slot_of(address)
    return slot if "." in slot and not re.search(r"\s", text) else ""


def _key(hint: str) -> str:
    """A name without the words that only say that it is a shop."""
    plain = _plain(hint)
    words = [word for word in re.findall(r"\w+", re.sub(r"['’]s\b", "", plain)) if word not in _SHOP_WORDS]
    return "".join(words) or _squeezed(plain)


def _squeezed(name: str) -> str:
    return "".join(re.findall(r"\w+", _plain(name)))


def _plain(text: str) -> str:
    """Letters as a keyboard without accents writes them."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _shortened(words: str) -> str:
    if len(words) <= MAX_QUERY:
        return words
    cut = words[: MAX_QUERY + 1].rpartition(" ")[0]
    return cut or words[:MAX_QUERY]
