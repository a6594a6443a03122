"""Choose the vendors to ask: those named in phase 1 first, then those a search finds, then those of the catalogue."""

import re
from collections.abc import Iterable, Sequence

from planner.job.allowances import is_host_wanted
from planner.offers.collection import MAX_OFFER_URL
from planner.offers.mentions import hinted_names
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.offers.phase2 import VendorOrigin, VendorTry
from research_crawler.core.vendors import Catalogue
from research_crawler.core.web.urls import canonical_url, host_of, slot_of
from research_crawler.text.source_types import source_type

MAX_VENDORS = 20
"""Most vendors that one job lists, and so asks at most, until as many have answered as its caller wants."""
PAGES_OF_A_SEARCH = 3
"""Most pages of a vendor that are read from the results of a web search."""
LEAST_ALIKE = 4
"""Least characters of a name that are compared with a host."""
_NAME = re.compile(r"[^\W_][\w&'. -]{1,40}")


def hinted_vendors(
    job: Job, findings: Sequence[Finding], catalogue: Catalogue, more: Sequence[str] = ()
) -> tuple[list[VendorTry], list[str]]:
    """The vendors that phase 1 names, and the names that are not in the catalogue and have to be looked up.

    Args:
        more: vendors that the caller's context names.
    """
    region = job.inputs.region
    not_warnings = [finding for finding in findings if finding.kind != "warning"]
    hosts = {
        vendor.host: len({slot_of(f.url) for f in not_warnings if vendor.named_in(f.quote)})
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
            continue  # a shop of another country that does not serve the buyer's
        elif host:
            vendors.append(vendor_try(host.removeprefix("www."), "hint"))
        elif _NAME.fullmatch(hint.strip()) and len(hint.split()) <= 4:
            unmatched.append(hint.strip())
    return allowed_vendors(job, vendors), unmatched


def found_vendors(job: Job, results: Iterable[SearchResult], catalogue: Catalogue) -> list[VendorTry]:
    """The vendors among the results of a "buy" search, in their order: known ones, and hosts with pages that sell."""
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
            vendor = vendors.setdefault(host, vendor_try(host, "search"))
            pages = [*vendor.pages, url][:PAGES_OF_A_SEARCH]
            vendors[host] = vendor.changed(pages=pages)
    return allowed_vendors(job, vendors.values())


def vendor_of_hint(job: Job, hint: str, results: Iterable[SearchResult]) -> list[VendorTry]:
    """The vendor with this name: the first host in the results of a search for it that has a similar name, if any."""
    name = "".join(re.findall(r"[a-z0-9]+", hint.casefold()))
    for result in results:
        host = host_of(canonical_url(result.url)).removeprefix("www.")
        labels = [label.replace("-", "") for label in host.split(".")[:-1]]
        if any(
            min(len(label), len(name)) >= LEAST_ALIKE and (label in name or name in label) for label in labels
        ):
            return allowed_vendors(job, [vendor_try(host, "hint")])
    return []


def known_vendors(job: Job, catalogue: Catalogue) -> list[VendorTry]:
    """The catalogue's vendors that serve the buyer's country."""
    vendors = (vendor_try(v.host, "known", known=True) for v in catalogue.for_region(job.inputs.region))
    return allowed_vendors(job, vendors)


def allowed_vendors(job: Job, vendors: Iterable[VendorTry]) -> list[VendorTry]:
    """The vendors that the caller's host lists allow, each once, at its first place."""
    once: dict[str, VendorTry] = {}
    for vendor in vendors:
        once.setdefault(vendor.host, vendor)
    return [vendor for vendor in once.values() if is_host_wanted(job, f"https://{vendor.host}/")]


def vendor_try(host: str, origin: VendorOrigin, *, known: bool = False) -> VendorTry:
    """The record of a vendor that the job has not asked yet."""
    return VendorTry(host=host, origin=origin, is_known=known)


def is_page_of(url: str, vendor: str) -> bool:
    """Whether a URL belongs to the vendor's host or a subdomain of it."""
    bare = host_of(url).removeprefix("www.")
    return bare == vendor or bare.endswith(f".{vendor}")
