"""Tell which pages are about a sibling of what is asked about: another model or year, another bearer of a name."""

from collections import defaultdict
from collections.abc import Sequence
from urllib.parse import urlsplit

from planner.brains.extractive.policy.visits import title_name
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.text.questions.subject import Subject, years_in


def sibling_pages(subject: Subject, findings: Sequence[Finding]) -> set[str]:
    """The URLs of the pages about a sibling of a question's subject.

    A title names another model or year; or the page is of an earlier year than is asked about and does not name that;
    or its whole title is the name's first word with another one, beside a page whose title is the name.
    """
    numbered = subject.numbered
    found = {one.url for one in findings if numbered.is_neighbour(one.title)}
    names = {one.url: title_name(one.title) for one in findings}
    found |= {url for url, name in names.items() if subject.is_namesake(name, names.values())}
    return found | _of_earlier_years(subject, findings)


def _of_earlier_years(subject: Subject, findings: Sequence[Finding]) -> set[str]:
    if not subject.years:
        return set()
    told: defaultdict[str, set[str]] = defaultdict(set)
    dated: defaultdict[str, set[str]] = defaultdict(set)
    for one in findings:
        told[one.url] |= years_in(f"{one.title} {one.heading} {one.quote}")
        dated[one.url] |= years_in(f"{urlsplit(one.url).path} {one.published[:4]}")
    asked = min(subject.years)
    return {
        url for url, years in dated.items() if years and max(years) < asked and not told[url] & subject.years
    }
