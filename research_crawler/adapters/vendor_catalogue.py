"""Loads the catalogue of vendors: the packaged file, and the files that the user adds."""

import tomllib
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from research_crawler.core.config import Config
from research_crawler.core.errors import ConfigError
from research_crawler.core.settings.sources import VENDORS_FILE
from research_crawler.core.settings.toml_file import read_toml
from research_crawler.core.vendors import Catalogue, Vendor
from research_crawler.extraction.products.price.currencies import currency_of

_PACKAGED = "the packaged vendors.toml"
_KEYS = frozenset({"vendor", "packaged"})


def load_catalogue(config: Config) -> Catalogue:
    """Load all vendors.

    The files are read in this order: the one that RESEARCH_VENDORS names, `vendors.toml` in the working
    folder if the caller trusts that folder, `vendors.toml` in RESEARCH_HOME, the packaged one. If two vendors
    have the same host, the first one wins.

    Raises:
        ConfigError: names in one line the file, the entry and the mistake.
    """
    configured = Path(config.vendors_file).expanduser() if config.vendors_file else None
    if configured and not configured.is_file():
        raise ConfigError(f"RESEARCH_VENDORS: there is no file {configured}")
    of_folder = Path(VENDORS_FILE) if config.trust_folder else None
    places = [place for place in (configured, of_folder, config.home / VENDORS_FILE) if place]
    documents = [(str(place), read_toml(place)) for place in places if place.is_file()]
    vendors = [vendor for where, document in documents for vendor in read_vendors(document, where)]
    if all(document.get("packaged", True) is True for _, document in documents):
        vendors += packaged_vendors()
    return Catalogue(vendors=tuple({vendor.host: vendor for vendor in reversed(vendors)}.values())[::-1])


def packaged_vendors() -> list[Vendor]:
    """The vendors that come with the project."""
    text = files("research_crawler.adapters").joinpath(VENDORS_FILE).read_text("utf-8")
    return read_vendors(tomllib.loads(text), _PACKAGED)


def read_vendors(document: dict[str, Any], where: str) -> list[Vendor]:
    """The `[[vendor]]` tables of a file.

    Raises:
        ConfigError: the file has a mistake; the message begins with `where` and names the entry.
    """
    unknown = sorted(set(document) - _KEYS)
    if unknown:
        raise ConfigError(f"{where}: unknown key {unknown[0]!r}; known: [[vendor]] tables and packaged")
    if not isinstance(document.get("packaged", True), bool):
        raise ConfigError(f"{where}: packaged must be true or false")
    entries = document.get("vendor", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ConfigError(f"{where}: vendors are written as [[vendor]] tables")
    vendors = [_read_vendor(entry, f"{where}: {_title(entry, no)}") for no, entry in enumerate(entries, 1)]
    host, times = next(iter(Counter(vendor.host for vendor in vendors).most_common(1)), ("", 0))
    if times > 1:
        raise ConfigError(f"{where}: two vendors have the host {host}; leave one out")
    return vendors


def _read_vendor(entry: dict[str, Any], where: str) -> Vendor:
    try:
        vendor = Vendor.model_validate(entry)
    except ValidationError as error:
        raise ConfigError(f"{where}: {_complaint(error)}") from None
    if vendor.currency or not vendor.country:
        return vendor
    return vendor.changed(currency=currency_of(vendor.country))


def _title(entry: dict[str, Any], no: int) -> str:
    name = entry.get("name") or entry.get("host")
    return f"vendor {no} ({str(name)[:60]})" if name else f"vendor {no}"


def _complaint(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    key = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return f"unknown key {key!r}; known: {', '.join(Vendor.model_fields)}"
    if first["type"] == "missing":
        return f"{key} is missing"
    message = " ".join(first["msg"].removeprefix("Value error, ").split())
    return f"{key} {message}" if key else message
