"""Find the sentences that recommend a product, which lead the answer to a question for the best one."""

from collections.abc import Sequence
from typing import Final

from planner.goal.intent import priorities
from planner.goal.product_kind import kind_of
from planner.offers.recommended_products import named_products
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import ReportView, Sentence
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.sentences import units
from research_crawler.text.languages.statements import is_personal
from research_crawler.text.languages.words import terms
from research_crawler.text.offers.purchase import says

MOST_LEADING: Final = 2


def recommending(view: ReportView) -> list[Sentence]:
    """The sentences that recommend the product which most hosts do, one a host; none if the goal asks for no best one.

    A question about a named product ("How loud is …") is answered by what is asked, and not by a recommendation.
    """
    if not priorities(view.goal):
        return []
    named = named_products(kind_of(view.goal, view.language), view.findings)
    by_host: dict[str, Sentence] = {}
    for place in named[0].places if named else ():
        finding = view.findings[place]
        text = _praising(finding, named[0].name)
        if text and host_of(finding.url) not in by_host:
            speaker = host_of(finding.url) if is_personal(text) else ""
            by_host[host_of(finding.url)] = Sentence(text=text, evidence=[place], speaker=speaker)
    return list(by_host.values())[:MOST_LEADING]


def led_by(leading: Sequence[Sentence], answer: Sequence[Sentence]) -> list[Sentence]:
    """An answer with these sentences first, and none of them twice."""
    known = {sentence.text for sentence in leading}
    return [*leading, *(sentence for sentence in answer if sentence.text not in known)]


def _praising(finding: Finding, name: str) -> str:
    """The sentence of a finding that names the product and recommends it; empty if there is none."""
    wanted = set(terms(name))
    sentences = (unit.text for unit in units(finding.quote) if not unit.leans)
    told = (text for text in sentences if wanted <= set(terms(text)) and _recommends(text))
    return next(told, "")


def _recommends(text: str) -> bool:
    return says("praise", text) or says("advice", text)
