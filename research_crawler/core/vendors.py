"""The catalogue of vendors: finds vendors by country or by a hint, and builds the URLs of their searches. No
I/O."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Annotated
from urllib.parse import quote, quote_plus, urlsplit

from pydantic import AfterValidator, Field, field_validator, model_validator
from rapidfuzz.distance import OSA

from research_crawler.core.models.base import Frozen
from research_crawler.core.web.urls import ascii_host, canonical_url, host_of, slot_of

_PLACE = "{query}"
HOME_COUNTRY = "US"
"""The buyer's country if it is not known."""
MAX_QUERY = 120
"""In characters. Shops cut or refuse longer queries; a product's full name with its specs has about 80."""
MIN_NAME = 3
"""Letters of a name that is looked for in sentences."""
FUZZY_FROM = 5
"""In letters. In a shorter name one wrong letter often makes another vendor: Otto, Lotto."""
MOST_SLIPS, TWO_SLIPS_FROM = 2, 8
"""Names of at least 8 letters are recognised with two slips (a letter left out, doubled, wrong, or two
swapped), shorter ones with one. No two vendors of the packaged catalogue have names that are so similar."""
_COUNTRY = re.compile(r"[A-Z]{2}")
_CURRENCY = re.compile(r"[A-Z]{3}")
_SHOP_WORDS = frozenset([
    "the", "www", "com", "official", "online", "web", "website", "site", "store", "stores", "shop", "shops", "shopping",
    "marketplace", "retailer", "inc", "llc", "ltd", "gmbh", "deals", "sale", "open", "box", "renewed", "warehouse",
    "outlet", "app", "on", "at", "from",
])  # fmt: skip
"""Words around a vendor's name that do not change which vendor it is."""


def _bare_host(host: str) -> str:
    bare = ascii_host(host.strip()).removeprefix("www.")
    if "." not in bare and ":" not in bare:
        raise ValueError(f"{host!r} is not a host name such as shop.example")
    return bare


def _code_validator(pattern: re.Pattern[str], example: str) -> AfterValidator:
    def check(code: str) -> str:
        if code and not pattern.fullmatch(code.upper()):
            raise ValueError(f"{code!r} is not a code such as {example}")
        return code.upper()

    return AfterValidator(check)


Country = Annotated[str, _code_validator(_COUNTRY, "DE")]
Currency = Annotated[str, _code_validator(_CURRENCY, "EUR")]


class Vendor(Frozen):
    """A shop with a search page that is addressed by a URL."""

    name: str = Field(min_length=1)
    """The name as people write it: "Best Buy"."""
    host: Annotated[str, AfterValidator(_bare_host)]
    """Without `www.`: "bestbuy.com"."""
    search: str
    """URL of its search page with `{query}` in it; `https://` is added if it has no scheme."""
    aliases: tuple[str, ...] = ()
    """Other names: "bestbuy"."""
    country: Country = ""
    """ISO 3166 code of its buyers' country; "": any country."""
    ships_to: tuple[Country, ...] = ()
    """Other countries whose people buy there as at a vendor of their own."""
    currency: Currency = ""
    """ISO 4217 code of its prices."""

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
    def _search_on_own_host(self) -> "Vendor":
        host = host_of(self.search)
        if host != self.host and not host.endswith(f".{self.host}"):
            raise ValueError(f"search is at {host}, which is not {self.host} or a host below it")
        return self

    def search_url(self, query: str) -> str:
        """The canonical URL of the vendor's results for a query, which is cut to MAX_QUERY."""
        words = _shortened(" ".join(query.split()))
        path, mark, arguments = self.search.partition("?")
        path = path.replace(_PLACE, quote(words, safe="", errors="replace"))
        arguments = arguments.replace(_PLACE, quote_plus(words, errors="replace"))
        return canonical_url(f"{path}{mark}{arguments}")

    def serves(self, region: str) -> bool:
        """Whether the vendor serves buyers of a country."""
        return not self.country or region in (self.country, *self.ships_to)

    def named_in(self, text: str) -> str:
        """The name by which a sentence means it, "" where it does not; a short or everyday word (`Target`) names it
        only with its capital."""
        names = (name for name in (self.name, *self.aliases, self.host) if len(name) >= MIN_NAME)
        return next((name for name in names if re.search(rf"(?<![\w@]){re.escape(name)}(?!\w)", text)), "")

    def names(self) -> Iterator[str]:
        """All its names: the name, the aliases and the first label of the host."""
        yield from (self.name, *self.aliases)
        label = self.host.split(".")[0]
        if not label.isdigit():
            yield label


class Catalogue(Frozen):
    """All known vendors; those that the user added come first."""

    vendors: tuple[Vendor, ...] = ()

    def for_region(self, region: str = "") -> list[Vendor]:
        """The vendors that serve a country: first its own, then those that ship there.

        Args:
            region: ISO 3166 code; "" means HOME_COUNTRY. For a country without vendors the list has only
                vendors that serve any country, and may be empty.
        """
        wanted = region.upper() or HOME_COUNTRY
        serving = [vendor for vendor in self.vendors if vendor.serves(wanted)]
        return sorted(serving, key=lambda vendor: vendor.country not in ("", wanted))

    def match(self, hint: str, region: str = "") -> Vendor | None:
        """Find the vendor of a name, alias, host or URL; None if there is none.

        Args:
            hint: as a page or a person wrote it: "bestbuy", "Best Buy", "www.bestbuy.com". Misspelt names are
                recognised; a host must match exactly (amazon.xyz is not Amazon).
            region: if a name is used in several countries ("Amazon"), the vendor of this country is returned.
                Names of vendors that do not serve it are not found.
        """
        host = _host_in(hint)
        if host:
            return self._by_host(host)
        written, key = _squeezed(hint), _key(hint)
        if not written:
            return None
        serving = self.for_region(region) if region else [*self.for_region(), *self.vendors]
        named = next((vendor for vendor in serving if _is_name(hint, vendor)), None)
        return named or _most_similar(key, serving)

    def called(self, name: str, region: str = "") -> list[Vendor]:
        """All vendors with exactly this name, alias or host: a shop of several countries has one for each.

        Args:
            name: the whole name, but for words such as "shop": "Best Buy", "bestbuy.com".
            region: only those that serve this country; "" means any.
        """
        if host := _host_in(name):
            found = self._by_host(host)
            return [found] if found else []
        serving = self.for_region(region) if region else self.vendors
        return [vendor for vendor in serving if _squeezed(name) and _is_name(name, vendor)]

    def _by_host(self, host: str) -> Vendor | None:
        return next(
            (vendor for vendor in self.vendors if host == vendor.host or host.endswith(f".{vendor.host}")),
            None,
        )


NO_CATALOGUE = Catalogue()


def _is_name(hint: str, vendor: Vendor) -> bool:
    """Whether a hint is one of a vendor's names, but for words such as "shop"."""
    written, key = _squeezed(hint), _key(hint)
    return any(written == _squeezed(name) or key == _key(name) for name in vendor.names())


def _most_similar(key: str, vendors: list[Vendor]) -> Vendor | None:
    """The vendor with the most similar name, the first of equals. The first letter must match."""
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
    """The host of a hint that is a URL or one word with a dot; "" for any other hint."""
    text = hint.strip()
    address = text if "://" in text else f"https://{text}"
    slot = slot_of(address)
    return slot if "." in slot and not re.search(r"\s", text) else ""


def _key(hint: str) -> str:
    """A name as a key, without words such as "shop" or "official"."""
    plain = _plain(hint)
    words = [word for word in re.findall(r"\w+", re.sub(r"['’]s\b", "", plain)) if word not in _SHOP_WORDS]
    return "".join(words) or _squeezed(plain)


def _squeezed(name: str) -> str:
    return "".join(re.findall(r"\w+", _plain(name)))


def _plain(text: str) -> str:
    """A text in lower case and without accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _shortened(words: str) -> str:
    if len(words) <= MAX_QUERY:
        return words
    cut = words[: MAX_QUERY + 1].rpartition(" ")[0]
    return cut or words[:MAX_QUERY]
