"""Which vendors are asked, in which order: named in phase 1, found by a search, known ones of the country (row 2.1)."""

import re
from collections.abc import Iterable, Sequence

from planner.job.limits import is_host_wanted
from planner.offers.collection import MAX_OFFER_URL
from planner.offers.mentions import hinted_names
from planner.text.source_types import source_type
from research_crawler.core.models.events import SearchResult
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.phase2 import VendorOrigin, VendorTry
from research_crawler.core.urls import canonical_url, host_of, slot_of
from research_crawler.core.vendors import Catalogue

MAX_VENDORS = 20
"""Most that one job may ask for."""
PAGES_OF_A_SEARCH = 3
"""Pages of a vendor that a web search names and that are read."""
LEAST_ALIKE = 4
_NAME = re.compile(r"[^\W_][\w&'. -]{1,40}")


def hinted_vendors(
    job: Job, findings: Sequence[Finding], catalogue: Catalogue, more: Sequence[str] = ()
) -> tuple[list[VendorTry], list[str]]:
    """Vendors that phase 1 names, and names that are in no catalogue; what is looked up comes later.

    Args:
        more: hints of the caller's own notes.
    """
    region = job.inputs.region
    told = [finding for finding in findings if finding.kind != "warning"]
    hosts = {
        vendor.host: len({slot_of(f.url) for f in told if vendor.named_in(f.quote)})
        for vendor in catalogue.for_region(region)
    }
    named = sorted((host for host, times in hosts.items() if times), key=lambda host: -hosts[host])
    vendors = [vendor_try(host, "hint", known=True) for host in named]
    unmatched: list[str] = []
    for hint in dict.fromkeys([*hinted_names(findings, catalogue.for_region(region)), *more]):
        known = catalogue.match(hint, region) or catalogue.match(hint)
        host = host_of(f"https://{hint.strip()}") if "." in hint and " " not in hint.strip() else ""
        if known and known.serves(region or "US"):
            vendors.append(vendor_try(known.host, "hint", known=True))
        elif known:
            continue  # a shop of another country: what is bought there is not asked for here
        elif host:
            vendors.append(vendor_try(host.removeprefix("www."), "hint"))
        elif _NAME.fullmatch(hint.strip()) and len(hint.split()) <= 4:
            unmatched.append(hint.strip())
    return wanted(job, vendors), unmatched


def found_vendors(job: Job, results: Iterable[SearchResult], catalogue: Catalogue) -> list[VendorTry]:
    """Vendors among the results of a "buy" search, in its order: known ones, and pages that sell."""
    vendors: dict[str, VendorTry] = {}
    for result in results:
        url = canonical_url(result.url)
        host = host_of(url).removeprefix("www.")
        known = catalogue.match(host) if host else None
        if len(url) > MAX_OFFER_URL:
            continue
        if known and known.serves(job.inputs.region or "US"):
            vendors.setdefault(known.host, vendor_try(known.host, "search", known=True))
        elif not known and host and source_type(url, result.title, result.snippet) == "vendor":
            one = vendors.setdefault(host, vendor_try(host, "search"))
            pages = [*one.pages, url][:PAGES_OF_A_SEARCH]
            vendors[host] = one.changed(pages=pages)
    return wanted(job, vendors.values())


def vendor_of_hint(job: Job, hint: str, results: Iterable[SearchResult]) -> list[VendorTry]:
    """The vendor that a name means, by the hosts of its search: one whose name is alike, or none."""
    name = "".join(re.findall(r"[a-z0-9]+", hint.casefold()))
    for result in results:
        host = host_of(canonical_url(result.url)).removeprefix("www.")
        labels = [label.replace("-", "") for label in host.split(".")[:-1]]
        if any(
            min(len(label), len(name)) >= LEAST_ALIKE and (label in name or name in label) for label in labels
        ):
            return wanted(job, [vendor_try(host, "hint")])
    return []


def known_vendors(job: Job, catalogue: Catalogue) -> list[VendorTry]:
    """The catalogue's vendors of the buyer's country."""
    vendors = (vendor_try(v.host, "known", known=True) for v in catalogue.for_region(job.inputs.region))
    return wanted(job, vendors)


def wanted(job: Job, vendors: Iterable[VendorTry]) -> list[VendorTry]:
    """Each once, and none that the caller's host lists refuse."""
    once = {vendor.host: vendor for vendor in reversed(list(vendors))}
    return [vendor for vendor in reversed(once.values()) if is_host_wanted(job, f"https://{vendor.host}/")]


def vendor_try(host: str, origin: VendorOrigin, *, known: bool = False) -> VendorTry:
    """A vendor that nobody has asked yet."""
    return VendorTry(host=host, origin=origin, is_known=known)


def is_page_of(url: str, vendor: str) -> bool:
    """Whether a URL is of the vendor's host or one below it."""
    bare = host_of(url).removeprefix("www.")
    return bare == vendor or bare.endswith(f".{vendor}")
