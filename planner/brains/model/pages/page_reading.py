"""Several pages in one prompt: what of them is shown, and which page each answer belongs to. Pure."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from planner.brains.model.answers.evidence_ids import index_of
from planner.brains.model.model_brain_settings import WHOLE_TOKENS
from planner.brains.model.prompts.document_parts import goal_text, shortened_text
from planner.brains.question_and_outline import question_to_answer
from prompts.answers import Entry, ExtractorAnswer, ReadPage
from prompts.fences import fenced, fenced_lines, label_mark, marks, without
from prompts.loader import Document, Entries, estimate_tokens
from research_crawler.core.models.evidence.findings import (
    ENTRY_FIELDS,
    Extraction,
    FindingKind,
    ProposedFinding,
)
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.decisions import PageView
from research_crawler.core.models.web.pages import Passage
from research_crawler.text.markdown_blocks.page_sections import (
    MOST_TOKENS,
    cut_off,
    headings_left_out,
    joined_passages,
    sections,
)
from research_crawler.text.measures.likeness import Bm25
from research_crawler.text.measures.normal_quote import normal_quote

PART_TOKENS: Final = 450
"""A part of a page has at most so many tokens: some 1,800 characters with the headings above it."""
LEAST_PART_TOKENS: Final = 200
"""Shorter passages of a page are joined to one part, in tokens."""
NEAREST_TOKENS: Final = 3_000
"""Most tokens of the nearest parts of a page that is too long to be shown whole. Of 97 facts on 34 pages of manuals
(`answers`, `unseen`), parts of 3,000 tokens hold all 97, parts of 2,500 hold 94; the whole pages have 2.5 times as many
characters."""
SECTION_TOKENS: Final = 9_000
"""Most tokens of the sections that a planner has asked for: twice those of a page that is shown whole."""
BESIDE_TOKENS: Final = 1_500
"""Most tokens of a page beside the best of those that are read together: its three or four nearest parts. Of 177 quotes
that answer six questions on manuals, pages shown so far hold 128, with 1,200 tokens 97 and with 900 tokens 87."""
MOST_OFFERED: Final = 6
"""Most sections of a long page that were not shown and that a planner may ask for."""
MOST_OFFERED_BESIDE: Final = 2
"""The same of a page beside the best."""
_PARTS: Final = 4
"""A page that is shown whole is shown in at least so many sections, so that a part of it can be left out."""
_STAYS: Final = 9.0
"""The worth of a page's name, which stays."""
_SECOND: Final = 0.3
"""What the second-best part of a page adds to the nearness of the best, as in `sections.SECOND_SHARE`."""
MOST_FINDINGS: Final = 30
"""Most findings of a page that are taken from one answer: its schema has room for as many, and advice stands last."""
MOST_LEAD: Final = 120
"""Most characters of what a page leads to."""
FIELD_DESCRIPTIONS: Final = {
    "key_facts": "key_facts: what the page says that bears on the goal",
    "recommendations": "recommendations: advice it gives",
    "recommended_products": "recommended_products: products that are praised, by name",
    "price_expectations": "price_expectations: what such things cost",
    "specs_to_look_for": "specs_to_look_for: features that people advise to look for",
    "warnings": "warnings: what to avoid, what goes wrong",
    "vendors_mentioned": "vendors_mentioned: where people say to buy",
}
"""The extractor's fields, as its prompt describes them."""
_FOR_RANKERS: Final = re.compile(r"(?<=[?.!]) \([^()]*\)\Z")
"""Words that a sub-question has for those who compare words."""
_KINDS: Final = {name: kind for fields in ENTRY_FIELDS.values() for name, kind in fields.items()}


def asked_fields(intent: Intent) -> list[str]:
    """The fields that a model is asked for: what a page refers to answered nothing in any report."""
    return [field for field in ENTRY_FIELDS[intent] if field in FIELD_DESCRIPTIONS]


@dataclass(frozen=True)
class ShownPage:
    """What of a page a prompt shows."""

    page: PageView
    texts: tuple[str, ...]
    worth: tuple[float, ...]
    left_out: tuple[str, ...] = ()
    """The headings of its sections that are not shown, the nearest first."""


def shown_pages(
    pages: Sequence[PageView], page_tokens: int, *, whole_tokens: int = WHOLE_TOKENS
) -> list[ShownPage]:
    """The page that is nearest to what is asked, whole or in its nearest parts, of the others a few parts.

    Sections that a planner has asked for are each shown as far as they fit together: their nearest parts were shown
    before.

    Args:
        pages: those that are read in one call.
        page_tokens: most tokens of any page.
        whole_tokens: of a page with more tokens, only the nearest parts are shown.
    """
    if all(page.is_section for page in pages):
        share = min(page_tokens, SECTION_TOKENS) // len(pages)
        return [_whole(page, words_to_choose_parts_by(page), share) for page in pages]
    best = _nearest(pages, words_to_choose_parts_by(pages[0])) if len(pages) > 1 else 0
    return [
        _best(page, words_to_choose_parts_by(page), page_tokens, whole_tokens)
        if index == best
        else _in_parts(
            page,
            words_to_choose_parts_by(page),
            min(BESIDE_TOKENS, page_tokens),
            offered=MOST_OFFERED_BESIDE,
        )
        for index, page in enumerate(pages)
    ]


def words_to_choose_parts_by(page: PageView) -> str:
    """All by whose words parts are chosen: the goal, the sub-questions that are open, and the query for the page.

    The query says in the page's own terms what a goal only describes. Of 47 facts on 13 pages of manuals, parts have 38
    by the words of the goals, and 45 in as many characters by those of the queries too.
    """
    job_context = page.job_context
    return " ".join(
        [
            question_to_answer(job_context.goal, job_context.task),
            *job_context.sub_questions,
            job_context.query,
        ]
    )


def page_documents(shown: Sequence[ShownPage], fields: Iterable[str], fence: str) -> dict[str, Document]:
    """Inputs of the extractor's prompt; several pages are numbered P1, P2 …, with a mark that no page can know."""
    first, items, worth = shown[0].page, list[str](), list[float]()
    mark = label_mark(fence)
    for n, part in enumerate(shown, start=1):
        name = f"[Page P{n} {mark}] " if len(shown) > 1 else ""
        head, *texts = (without(mark, text) for text in (_head(part), *part.texts))
        if name or head:
            items.append(name + head)
            worth.append(_STAYS)
        items += texts
        worth += part.worth
    urls = [part.page.url if len(shown) == 1 else f"P{n}. {part.page.url}" for n, part in enumerate(shown, 1)]
    return {
        "fence": marks(fence),
        "goal": goal_text(first.job_context.goal, first.job_context.task),
        "questions": fenced_lines(
            fence,
            [
                f"- {shortened_text(_FOR_RANKERS.sub('', question))}"
                for question in first.job_context.sub_questions
            ],
        ),
        "known": fenced_lines(fence, [f"- {fact}" for fact in first.job_context.known]),
        "intent": first.job_context.intent,
        "url": fenced_lines(fence, urls),
        "what_to_extract": "\n".join(f"- {FIELD_DESCRIPTIONS[field]}" for field in fields),
        "page_content": fenced(fence, Entries(items=items, worth=worth)),
        "not_shown": fenced_lines(
            fence, [f"- S{n}: {shortened_text(heading)}" for n, heading in enumerate(_not_shown(shown), 1)]
        ),
    }


def extractions_from(
    answer: ExtractorAnswer, fields: Collection[str], shown: Sequence[ShownPage], *, by: str
) -> list[Extraction]:
    """The entries of each page as proposed findings, which are verified later: each quote must be found in the page.

    An entry belongs to the page that has its quote; one that none has, to the page that it names.
    """
    texts = [normal_quote("\n".join(one.texts)) for one in shown] if len(shown) > 1 else [""]
    entries: list[list[tuple[FindingKind, Entry]]] = [[] for _ in shown]
    for field in fields:
        for entry in getattr(answer, field):
            if entry.claim.strip() and entry.quote.strip():
                entries[_page_of(entry, texts)].append((_KINDS[field], entry))
    said = {index_of(one.page, "P", len(shown)): one for one in answer.pages}
    found = (_extraction(answer, said.get(index), own, by=by) for index, own in enumerate(entries))
    index = index_of(answer.leads_to, "S", len(_not_shown(shown)))
    if index is None:
        return [
            extraction.changed(left_out=list(page.left_out))
            for extraction, page in zip(found, shown, strict=True)
        ]
    heading = _not_shown(shown)[index]
    return [
        extraction.changed(
            left_out=list(page.left_out), leads_to=heading[:MOST_LEAD] if heading in page.left_out else ""
        )
        for extraction, page in zip(found, shown, strict=True)
    ]


def _not_shown(shown: Sequence[ShownPage]) -> list[str]:
    """The headings of the sections that are not shown, which a reader may ask for by their ids: S1, S2 …"""
    return [heading for one in shown for heading in one.left_out]


def _extraction(
    answer: ExtractorAnswer, rated: ReadPage | None, entries: Sequence[tuple[FindingKind, Entry]], *, by: str
) -> Extraction:
    relevance = rated.relevance if rated else answer.relevance
    findings = [
        ProposedFinding(kind=kind, claim=entry.claim.strip(), quote=entry.quote.strip(), score=relevance)
        for kind, entry in entries
    ]
    return Extraction(
        by=by,
        relevance=relevance,
        confidence=answer.confidence,
        summary=" ".join((rated.summary if rated else answer.summary).split()),
        answers_all=answer.answers_all,
        leads_to=" ".join(answer.leads_to.split())[:MOST_LEAD],
        findings=findings[:MOST_FINDINGS],
    )


def _page_of(entry: Entry, texts: Sequence[str]) -> int:
    named = index_of(entry.page, "P", len(texts)) or 0
    quote = normal_quote(entry.quote)
    indexes = [named, *(index for index in range(len(texts)) if index != named)]
    return next((index for index in indexes if quote in texts[index]), named)


def _head(shown: ShownPage) -> str:
    """The title of a page, unless its text begins with it, and its date."""
    page, first = shown.page, next(iter(shown.texts), "").partition("\n")[0]
    is_told = first.startswith("#") and first.lstrip("# ") == page.title.strip()
    title = "" if is_told else f"Title: {shortened_text(page.title) or '(untitled)'}"
    return "\n".join(filter(None, [title, f"Published: {page.published}" if page.published else ""]))


def _nearest(pages: Sequence[PageView], question: str) -> int:
    """The index of the page whose two nearest passages are nearest to what is asked."""
    owners = [index for index, page in enumerate(pages) for _ in _passages(page)]
    scores = Bm25([one.text for page in pages for one in _passages(page)]).scores(question)
    nearness = []
    for index in range(len(pages)):
        own = sorted(
            (score for score, owner in zip(scores, owners, strict=True) if owner == index), reverse=True
        )
        nearness.append(sum(score * share for score, share in zip(own, (1.0, _SECOND), strict=False)))
    return max(range(len(pages)), key=lambda index: nearness[index])


def _best(page: PageView, question: str, page_tokens: int, whole_tokens: int) -> ShownPage:
    """The page in its nearest parts if it is long and there is room for as many of them, else as far as it fits."""
    is_long = sum(passage.tokens for passage in _passages(page)) > whole_tokens
    if not is_long or page_tokens <= NEAREST_TOKENS:
        return _whole(page, question, page_tokens)
    return _in_parts(page, question, NEAREST_TOKENS, offered=MOST_OFFERED)


def _whole(page: PageView, question: str, page_tokens: int) -> ShownPage:
    """The passages that fit, in page order and joined to sections."""
    passages = best_passages(page, question, page_tokens)
    most = min(MOST_TOKENS, max(1, page_tokens // _PARTS))
    texts = _sections_of(page, passages, most)
    return ShownPage(page, tuple(texts), tuple(_worth(texts, question, page_tokens)))


def _in_parts(page: PageView, question: str, most_tokens: int, *, offered: int = 0) -> ShownPage:
    """The nearest parts that fit, in page order, and the headings of so many sections that are not among them."""
    parts = _joined(page, _passages(page), LEAST_PART_TOKENS, PART_TOKENS)
    worth = _worth_of([part.text for part in parts], question)
    chosen = _fitting(parts, worth, most_tokens) or {max(range(len(parts)), key=lambda i: worth[i])}
    chosen |= _holes(chosen)
    texts = [_titled(page, part)[: most_tokens * 3] for i, part in enumerate(parts) if i in chosen]
    unshown = [*cut_off(parts, chosen, worth), *headings_left_out(parts, chosen, worth)][:offered]
    return ShownPage(page, tuple(texts), tuple(worth[i] for i in sorted(chosen)), tuple(unshown))


def _passages(page: PageView) -> list[Passage]:
    return page.passages or [
        Passage(start=0, end=len(page.markdown), text=page.markdown, tokens=estimate_tokens(page.markdown))
    ]


def _joined(page: PageView, passages: Sequence[Passage], least: int, most: int) -> list[Passage]:
    found = sections(page.markdown, passages, least=least, most=most)
    return [joined_passages(page.markdown, [passages[i] for i in indexes]) for indexes in found]


def _sections_of(page: PageView, passages: Sequence[Passage], most: int) -> list[str]:
    return [_titled(page, section) for section in _joined(page, passages, most // 2, most)]


def _titled(page: PageView, section: Passage) -> str:
    """A section's text under the path of its headings, unless it is the first line itself."""
    heading, _, _ = section.text.partition("\n")
    title = section.heading.rpartition(" > ")[2]
    if title and title in heading:
        return section.text
    return f"[Section: {section.heading}]\n{section.text}" if title else section.text


def best_passages(page: PageView, question: str, most_tokens: int) -> list[Passage]:
    """The passages that are nearest to what is asked, as many as fit, in page order."""
    passages = _passages(page)
    if sum(passage.tokens for passage in passages) <= most_tokens:
        return list(passages)
    worth = _worth_of([passage.text for passage in passages], question)
    chosen = _fitting(passages, worth, most_tokens)
    if not chosen:
        best = passages[max(range(len(passages)), key=lambda i: worth[i])]
        return [best.changed(text=best.text[: most_tokens * 3])]
    return [passage for i, passage in enumerate(passages) if i in chosen]


def _fitting(passages: Sequence[Passage], worth: Sequence[float], most_tokens: int) -> set[int]:
    """The indexes of the passages of most worth that fit together."""
    chosen, left = set[int](), most_tokens
    for i in sorted(range(len(passages)), key=lambda i: -worth[i]):
        if passages[i].tokens <= left:
            chosen.add(i)
            left -= passages[i].tokens
    return chosen


def _holes(chosen: set[int]) -> set[int]:
    """The indexes between two chosen ones: a reader cannot see that a command is missing between its two sentences.

    Of the 47 facts of pages chosen so, 43 are shown without and 46 with them, by the tokens of the packaged encoder, in
    a tenth more characters; as much room for all parts gives 45.
    """
    return {i + 1 for i in chosen if i + 2 in chosen} - chosen


def _worth(texts: Sequence[str], question: str, page_tokens: int) -> list[float]:
    """As `_worth_of`; texts that fit together are not compared, because none of them will be left out."""
    if sum(map(estimate_tokens, texts)) > page_tokens:
        return _worth_of(texts, question)
    return [1 - index / (len(texts) + 1) for index in range(len(texts))]


def _worth_of(texts: Sequence[str], question: str) -> list[float]:
    """The BM25 scores of texts for the question; of equal ones, the first is worth more."""
    scores = Bm25(texts).scores(question)
    top = max(scores, default=0.0) or 1.0
    return [score / top - i * 1e-6 for i, score in enumerate(scores)]
