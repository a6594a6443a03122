"""What pages say a product should cost: sentences about the goal's kind and condition, with their dates. Pure."""

from collections.abc import Sequence
from typing import Final

from planner.goal.product_kind import ProductKind, product_kind_of
from planner.money.prices import price_range
from planner.offers.search_terms import is_about_kind
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.offers.products import Condition
from research_crawler.core.models.reports.report import PriceRange
from research_crawler.text.languages.numbers import figures
from research_crawler.text.languages.sentences import sentence_spans, without_markdown
from research_crawler.text.offers.purchase import condition_in, says
from research_crawler.text.questions.subject import Subject, subject_of

_NEAR_CHARS: Final = 40
"""So near to a price stands what says that it is a price of the thing."""


def price_sentences(findings: Sequence[Finding], goal: str, language: str = "en") -> dict[int, str]:
    """What findings say that a product of the goal's kind and condition costs now, by their indexes.

    Where no finding names the kind at all, those that name nothing else count. A sentence about another condition
    (refurbished, where the goal asks for none), a former price, or a part or accessory never does.
    """
    kind, wanted = product_kind_of(goal, language), condition_in(goal) or "new"
    sentences = {
        index: text
        for index, finding in enumerate(findings)
        if finding.kind == "price_expectation" and (text := _price_text(finding, kind, wanted))
    }
    same = {index: text for index, text in sentences.items() if is_about_kind(findings[index], kind)}
    return _of_named(same or sentences, subject_of(goal, language=language).numbered)


def _of_named(sentences: dict[int, str], subject: Subject) -> dict[int, str]:
    """Of a goal that names a model with its number, the sentences that name it; else those that name no other one."""
    wanted = set(subject.names)
    if not wanted:
        return sentences
    named = {index: set(subject_of(text).numbered.names) for index, text in sentences.items()}
    own = {index: text for index, text in sentences.items() if wanted & named[index]}
    return own or {index: text for index, text in sentences.items() if not named[index]}


def learned_range(findings: Sequence[Finding], goal: str, language: str = "en") -> PriceRange:
    """The price range that pages name for the goal's kind of product, with the dates of these pages."""
    sentences = price_sentences(findings, goal, language)
    found = price_range(sentences.values())
    days = sorted(
        findings[index].published[:10]
        for index, text in sentences.items()
        if names_end(found, text) and findings[index].published
    )
    return found.changed(oldest=days[0], newest=days[-1]) if days else found


def names_end(learned: PriceRange, text: str) -> bool:
    """Whether a text names the lower or the upper end of a range."""
    named = price_range([text])
    if learned.min is None or named.currency != learned.currency:
        return False
    return named.min == learned.min or named.max == learned.max


def _price_text(finding: Finding, kind: ProductKind, wanted: Condition) -> str:
    """The sentences of a finding's quote that are about the wanted condition, the present and the product itself.

    A sentence that names no condition is about that of the page's title, else about new products.
    """
    usual = condition_in(f"{finding.heading} {finding.title}") or "new"
    quoted = without_markdown(finding.quote)
    kept = [
        text
        for text in (quoted[start:end] for start, end in sentence_spans(quoted))
        if (condition_in(text) or usual) == wanted
        and not says("former_price", text)
        and not _prices_something_else(text, kind)
    ]
    return " ".join(kept)


def _prices_something_else(quote: str, kind: ProductKind) -> bool:
    """Whether the words at each amount name a part or an accessory, and the kind is not named there."""
    starts = [figure.start for figure in figures(quote) if figure.is_money]
    if not starts or not kind.words:
        return False
    around = [quote[max(0, start - _NEAR_CHARS) : start + _NEAR_CHARS] for start in starts]
    return all(kind.is_other(text) and not kind.is_named_in(text) for text in around)
