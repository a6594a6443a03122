"""The address guard: decides which URLs may be requested and which resolved addresses may be connected to.

A URL is checked twice: its text before the request (`check_url`), and every address its host resolves to
before the connection (`check_addresses`). Both are pure and take microseconds, so they run at every hop.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Literal, Self
from urllib.parse import SplitResult, urlsplit

from research_crawler.core.errors import AddressFault, AddressRefused, ConfigError
from research_crawler.core.web.hosts import (
    CARRIERS,
    Address,
    Network,
    inner_addresses,
    is_public,
    read_host,
    within,
)
from research_crawler.core.web.urls import ascii_host

if TYPE_CHECKING:
    from research_crawler.core.config import Config

METADATA_NETWORKS: tuple[Network, ...] = tuple(
    ip_network(text)
    for text in (
        "169.254.0.0/16",  # AWS, Azure, Google, Hetzner …; no ordinary service is link-local
        "100.100.100.200",  # Alibaba
        "192.0.0.192",  # Oracle classic
        "168.63.129.16",  # Azure's wire server, which has a public address
        "fd00:ec2::/64",  # AWS
        "fd20:ce::254",  # Google
        "fd00:c1::a9fe:a9fe",  # Oracle
        "fd00:42::42",  # Scaleway
    )
)
METADATA_NAMES = (
    "metadata",
    "metadata.google.internal",
    "metadata.goog",
    "metadata.azure.internal",
    "metadata.tencentyun.com",
    "metadata.packet.net",
    "metadata.platformequinix.com",
    "instance-data",
    "instance-data.ec2.internal",
    "rancher-metadata",
)
PRIVATE_SUFFIXES = (
    "localhost",
    "localdomain",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "home.arpa",
    "lan",
    "local",
    "svc",
    "cluster.local",
)
"""Suffixes of local networks: RFC 6761, 6762, 8375, ICANN's .internal, and others in wide local use."""

AddressVerdict = AddressFault | Literal[""]
"""What is wrong; "" if nothing is."""
_AMBIGUOUS = re.compile(r"[\x00-\x20\x7f]")
"""Characters that some parsers drop and others keep, so that two parsers see different hosts."""
_CACHED_HOSTS = 20_000
"""Most hosts whose check the address guard remembers."""


class AddressGuard:
    """Refuses URLs and addresses that a crawler of the public web must not touch.

    Args:
        allow_private: CIDRs of private networks that are allowed.
        allowed_hosts: if not empty, only these hosts and their subdomains are allowed.
        blocked_hosts: refused with their subdomains, even inside a network of `allow_private`.
        is_offline: refuse every URL, also that of a service.
    """

    def __init__(
        self,
        *,
        allow_private: Sequence[str],
        allowed_hosts: Sequence[str],
        blocked_hosts: Sequence[str],
        is_offline: bool = False,
    ) -> None:
        self._is_offline = is_offline
        self._open = tuple(_network(text) for text in allow_private)
        self._allowed = _HostList(allowed_hosts)
        self._blocked = _HostList(blocked_hosts)
        self._authority_fault = lru_cache(_CACHED_HOSTS)(self._check_authority)
        self._address_fault = lru_cache(_CACHED_HOSTS)(self._check_address)

    @classmethod
    def of_crawlers(cls, config: "Config") -> Self:
        """The guard of what is fetched."""
        return cls(
            allow_private=config.allow_private_hosts,
            allowed_hosts=config.web_allowed_hosts,
            blocked_hosts=config.web_blocked_hosts,
            is_offline=config.is_offline,
        )

    def check_url(self, url: str, *, service: bool = False) -> None:
        """Check the text of a URL.

        `service` marks an endpoint that the operator configured. Host lists and the private-address rule do
        not apply to it.

        Raises:
            AddressRefused: scheme, port, host_list, private_address, metadata, userinfo, malformed or offline.
        """
        if self._is_offline:
            raise AddressRefused("offline", url=url)
        try:
            parts = urlsplit(url)
        except ValueError:
            raise AddressRefused("malformed", url=url) from None
        if _AMBIGUOUS.match(url) or any(mark in url for mark in "\t\r\n"):
            raise AddressRefused("malformed", url=url)
        if fault := self._authority_fault(parts.scheme, parts.netloc, service):
            raise AddressRefused(fault, url=url)

    def permits(self, url: str) -> bool:
        """Whether `check_url` allows the URL of a page."""
        try:
            self.check_url(url)
        except AddressRefused:
            return False
        return True

    def check_addresses(self, host: str, addresses: Sequence[str], *, service: bool = False) -> None:
        """Check the addresses that a host resolved to. One bad address refuses the host.

        Raises:
            AddressRefused: private_address, metadata, host_list, or malformed if there is no address.
        """
        if not addresses:
            raise AddressRefused("malformed", url=host)
        for address in addresses:
            if fault := self._address_fault(address, service):
                raise AddressRefused(fault, url=host)

    def _check_authority(self, scheme: str, netloc: str, service: bool) -> AddressVerdict:
        if scheme not in ("http", "https"):
            return "scheme"
        if _AMBIGUOUS.search(netloc) or "\\" in netloc:
            return "malformed"
        if "@" in netloc:
            return "userinfo"
        try:
            # Reads the port only; urlsplit has already checked that the brackets match.
            port = SplitResult(scheme, netloc, "", "", "").port
        except ValueError:
            return "malformed"
        if port is not None and port not in (80, 443) and port < 1024:
            return "port"
        return self._check_host(netloc, service)

    def _check_host(self, netloc: str, service: bool) -> AddressVerdict:
        try:
            name, readings = read_host(SplitResult("", netloc, "", "", "").hostname or "")
        except ValueError:
            return "malformed"
        if readings:
            return self._check_literal(readings, service)
        if name in METADATA_NAMES:
            return "metadata"
        if service:
            return ""
        # If a private network is allowed, its names are too, and the addresses decide.
        if not self._open and _is_private_name(name):
            return "private_address"
        if self._blocked.has_name(name) or not self._allowed.permits_name(name):
            return "host_list"
        return ""

    def _check_literal(self, readings: Sequence[Address], service: bool) -> AddressVerdict:
        faults = [self._fault(reading, service) for reading in readings]
        for fault in faults:
            if fault:
                return fault
        if not service and not all(self._allowed.permits_address(reading) for reading in readings):
            return "host_list"
        return ""

    def _check_address(self, text: str, service: bool) -> AddressVerdict:
        try:
            return self._fault(ip_address(text.partition("%")[0]), service)
        except ValueError:
            return "malformed"

    def _fault(self, address: Address, service: bool) -> AddressVerdict:
        chain = (address, *inner_addresses(address))
        if any(within(link, METADATA_NETWORKS) for link in chain):
            return "metadata"
        if service:
            return ""
        if not self._is_reachable(chain):
            return "private_address"
        return "host_list" if any(self._blocked.has_address(link) for link in chain) else ""

    def _is_reachable(self, chain: Sequence[Address]) -> bool:
        if within(chain[0], self._open):
            return True
        first, *inner = chain
        is_allowed_itself = within(first, CARRIERS) or is_public(first)
        return is_allowed_itself and all(is_public(link) or within(link, self._open) for link in inner)


class _HostList:
    """A list of the settings with host names (and their subdomains), addresses and networks."""

    def __init__(self, entries: Iterable[str]) -> None:
        self._networks: list[Network] = []
        self._names: set[str] = set()
        for entry in entries:
            text = entry.strip().strip("[]").lower()
            try:
                self._networks.append(ip_network(text, strict=False))
            except ValueError:
                name = ascii_host(text.removeprefix("*").removeprefix("."))
                if not name:
                    raise ConfigError(
                        f"{entry!r} is not a host name, address or network; correct the host lists"
                    ) from None
                self._names.add(name)
        self.is_empty = not self._networks and not self._names

    def has_name(self, name: str) -> bool:
        if not self._names:
            return False
        labels = name.split(".")
        return any(".".join(labels[start:]) in self._names for start in range(len(labels)))

    def has_address(self, address: Address) -> bool:
        return within(address, self._networks)

    def permits_name(self, name: str) -> bool:
        return self.is_empty or self.has_name(name)

    def permits_address(self, address: Address) -> bool:
        return self.is_empty or self.has_address(address)


def _is_private_name(name: str) -> bool:
    return "." not in name or any(name.endswith("." + suffix) for suffix in PRIVATE_SUFFIXES)


def _network(text: str) -> Network:
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError:
        raise ConfigError(
            f"{text!r} in allow_private_hosts is not a network; write it as 10.0.0.0/8"
        ) from None
