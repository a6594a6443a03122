"""Reads hosts as URLs spell them, and classifies IP addresses."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from urllib.parse import unquote

from research_crawler.core.web.urls import ascii_host

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

NOT_GLOBAL: tuple[Network, ...] = tuple(
    ip_network(text)
    for text in (
        # Networks that `is_global` of Python 3.11 accepts although the IANA registries do not.
        "192.0.0.0/24",
        "192.88.99.0/24",
        "3fff::/20",
    )
)
UNICAST = ip_network("2000::/3")
"""All of IPv6 that IANA has given out for the public Internet (RFC 4291 2.4)."""
MAPPED = ip_network("::ffff:0:0/96")
TRANSLATED = ip_network("::ffff:0:0:0/96")
SIX_TO_FOUR = ip_network("2002::/16")
TEREDO = ip_network("2001::/32")
NAT64 = ip_network("64:ff9b::/96")
NAT64_LOCAL = ip_network("64:ff9b:1::/48")
CARRIERS = (MAPPED, NAT64)
"""Prefixes that only carry an IPv4 address, which alone decides: IPv6-only networks reach all IPv4 hosts by NAT64."""
_ISATAP = (0x00005EFE, 0x02005EFE)
"""The upper half of ISATAP's interface identifier, with and without the mark of a global address."""

_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_NUMERIC = re.compile(r"[0-9]+|0[xob]?[0-9a-f]*")
"""A last label that makes some parsers read the host as an IPv4 address (WHATWG URL, 3.5, and others)."""
_HEX = re.compile(r"0x[0-9a-f]*")


def read_host(host: str) -> tuple[str, list[Address]]:
    """Read a host as written in a URL: its ASCII name, and all readings if it is a literal address.

    Percent-encoding, full-width and other compatibility characters, and the dots of other scripts are
    resolved first, as URL parsers do (WHATWG URL, 3.5). A number with a leading zero has two readings,
    octal and decimal.

    Raises:
        ValueError: it is not a valid host.
    """
    if ":" in host:
        return _read_ipv6(host)
    name = unicodedata.normalize("NFKC", unquote(host, errors="strict"))
    name = ascii_host(re.sub("[。．｡]", ".", name))
    labels = name.split(".")
    if not name or len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise ValueError(host)
    if not _NUMERIC.fullmatch(labels[-1]):
        return name, []
    readings = {_ipv4(labels, octal=octal) for octal in (True, False)}
    literals: list[Address] = [reading for reading in readings if reading is not None]
    if not literals:
        raise ValueError(host)
    return name, literals


def _read_ipv6(host: str) -> tuple[str, list[Address]]:
    bare, _, zone = unquote(host).partition("%")
    address = IPv6Address(bare)
    if zone and address.is_global:
        raise ValueError(host)
    return address.compressed, [address]


def _ipv4(labels: Sequence[str], *, octal: bool) -> IPv4Address | None:
    """The address that inet_aton reads from one to four numbers, or None."""
    if len(labels) > 4:
        return None
    try:
        numbers = [_number(label, octal=octal) for label in labels]
    except ValueError:
        return None
    *bytes_, last = numbers
    if any(byte > 255 for byte in bytes_) or last >= 256 ** (4 - len(bytes_)):
        return None
    return IPv4Address(sum(byte << 8 * (3 - place) for place, byte in enumerate(bytes_)) + last)


def _number(label: str, *, octal: bool) -> int:
    if _HEX.fullmatch(label):
        return int(label[2:] or "0", 16)
    if not label.isdigit():
        # int() accepts underscores and signs; URL parsers do not.
        raise ValueError(label)
    return int(label, 8 if octal and label.startswith("0") else 10)


def is_public(address: Address) -> bool:
    """Whether an address is in the public unicast Internet; its inner addresses are not checked."""
    if isinstance(address, IPv6Address) and address not in UNICAST:
        return False
    return address.is_global and not address.is_multicast and not within(address, NOT_GLOBAL)


def inner_addresses(address: Address) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses inside a v4-mapped, v4-compatible, v4-translated, 6to4, NAT64, Teredo or ISATAP address.

    Offsets: RFC 4291 2.5.5, RFC 2765 2.1, RFC 3056 2, RFC 6052 2.2 (the /48 in its own layout and as /96), RFC 4380 4,
    RFC 5214 6.1.
    """
    if isinstance(address, IPv4Address):
        return ()
    number = int(address)
    low = IPv4Address(number & 0xFFFFFFFF)
    if within(address, (MAPPED, TRANSLATED, NAT64)) or number >> 32 == 0:
        return (low,)
    isatap = (low,) if number >> 32 & 0xFFFFFFFF in _ISATAP else ()
    if address in SIX_TO_FOUR:
        return (IPv4Address(number >> 80 & 0xFFFFFFFF), *isatap)
    if address in TEREDO:
        return (IPv4Address(number >> 64 & 0xFFFFFFFF), IPv4Address(~number & 0xFFFFFFFF))
    if address in NAT64_LOCAL:
        high, rest = number >> 64 & 0xFFFF, number >> 40 & 0xFFFF
        split = IPv4Address(high << 16 | rest)
        return (low,) if high == 0 and rest == 0 else (split,)
    return isatap


def within(address: Address, networks: Iterable[Network]) -> bool:
    """Whether the address is in one of these networks."""
    return any(address in network for network in networks)
