"""A report for reading on a page of its own: its sections, with marks that lead to the quotes of each sentence.

Nothing of a page becomes markup: report.md is read without HTML and links, and the templates escape every value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup

from planner.goal.product_kind import leaves_shops_unasked
from planner.reports.code_filled_lists import CODE_FILLED_LISTS
from research_crawler.core.models.messages.events import ResultType
from research_crawler.core.models.reports.cited_parts import Source, Verdict
from research_crawler.core.models.reports.report_parts import LISTED_PARTS
from research_crawler.services.exports.body import CITATION, body_of
from research_crawler.services.exports.manuscript import Manuscript, ShownVerdict
from research_crawler.services.exports.renderers.html_page import Env, as_blocks, as_inline, renderer
from research_crawler.text.source_types import page_type

SHOWN_OTHERWISE: Final = ("contradictions", "follow_ups")
"""Sections that the page shows as cards and forms, by the key of their heading."""
_KNOWN: Final = (
    "answer",
    "recommendation",
    "price_assessment",
    "named_products",
    "in_detail",
    "news",
    "technical",
    "journey",
    *SHOWN_OTHERWISE,
    *(part.key for part in (*LISTED_PARTS, *CODE_FILLED_LISTS)),
)
_BEGINS, _ENDS = "claim_begins", "claim_ends"


@dataclass(frozen=True)
class ReadSection:
    """A section of the report."""

    id: str
    title: str
    key: str
    """The key of its heading if it is one of those that all reports have; else empty."""
    markup: Markup


@dataclass(frozen=True)
class ReadingView:
    """A report in its parts."""

    title: Markup
    opening: Markup
    """What stands before the first heading."""
    sections: list[ReadSection]
    end: Markup
    verdicts: set[ShownVerdict]
    """The verdicts that its sentences have."""
    leaves_shops_unasked: bool
    """It answers a question for something cheap, for which no shop was asked."""


def reading_view(manuscript: Manuscript) -> ReadingView:
    """The report as the parts of a page."""
    body, markdown = body_of(manuscript), renderer()
    markdown.add_render_rule(CITATION, _mark)
    markdown.add_render_rule(_BEGINS, _claim_begins)
    markdown.add_render_rule(_ENDS, _claim_ends)
    env: dict[str, Any] = {"manuscript": manuscript, "verdicts": set()}
    _colour(body.blocks, manuscript)
    _colour_listings(body.blocks, env)
    _link_offers(body.blocks, manuscript)
    opening, *sections = _split(body.blocks)
    return ReadingView(
        title=as_inline(markdown, body.title, env),
        opening=as_blocks(markdown, opening, env),
        sections=[_section(markdown, tokens, number, env) for number, tokens in enumerate(sections, start=1)],
        end=as_blocks(markdown, body.end, env),
        verdicts=env["verdicts"],
        leaves_shops_unasked=leaves_shops_unasked(manuscript.report.goal, manuscript.report.intent),
    )


def kind_of_source(source: Source) -> ResultType:
    """What kind of source it is, by its address and its title."""
    return page_type(source.url, source.title, "")


def _split(tokens: Sequence[Token]) -> list[list[Token]]:
    """The tokens by their headings of the second level; the first part stands before all of them."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.type == "heading_open" and token.tag == "h2":
            parts.append([])
        parts[-1].append(token)
    return parts


def _section(markdown: MarkdownIt, tokens: Sequence[Token], number: int, env: Env) -> ReadSection:
    title = tokens[1].content
    keys = {env["manuscript"].translate(key): key for key in _KNOWN}
    return ReadSection(f"part-{number}", title, keys.get(title, ""), as_blocks(markdown, tokens[3:], env))


def _colour(tokens: Sequence[Token], manuscript: Manuscript) -> None:
    """Put marks around each sentence that a citation follows, and each block before it of the same excerpt."""
    for before, token in pairwise(tokens):
        if token.type == "inline" and token.children and before.type != "heading_open":
            cited = any(child.type == CITATION for child in token.children)
            verdict = None if cited else manuscript.verdict_within(token.content)
            token.children = (
                _of_claim(token.children, verdict) if verdict else _with_claims(token.children, manuscript)
            )


def _colour_listings(tokens: Sequence[Token], env: Env) -> None:
    """Give each code block that is part of a claim the class of its verdict."""
    for token in tokens:
        if token.type in ("fence", "code_block"):
            verdict = env["manuscript"].verdict_within(token.content)
            if verdict:
                shown = env["manuscript"].shown(verdict)
                token.attrJoin("class", f"claim {shown}")
                env["verdicts"].add(shown)


def _link_offers(tokens: Sequence[Token], manuscript: Manuscript) -> None:
    """Make the name of an offer in a row with its price a link to its page."""
    offers = manuscript.report.phase2
    cells: list[Token] = []
    for before, token in pairwise(tokens):
        if token.type == "tr_open":
            cells = []
        elif token.type == "inline" and before.type == "td_open":
            cells.append(token)
        elif token.type == "tr_close" and offers and len(cells) > 1:
            name, price = cells[0], cells[1].content
            urls = [
                one.url
                for one in offers.products
                if one.name.strip() == name.content and price.startswith(one.price.strip())
            ]
            if urls and urls[0] in manuscript.addresses:
                link: dict[str, str | int | float] = {"href": urls[0], "rel": "noopener noreferrer"}
                opening, closing = Token("link_open", "a", 1, attrs=link), Token("link_close", "a", -1)
                name.children = [opening, *(name.children or []), closing]


def _with_claims(children: Sequence[Token], manuscript: Manuscript) -> list[Token]:
    done: list[Token] = []
    sentence: list[Token] = []
    for token in children:
        if token.type != CITATION:
            sentence.append(token)
            continue
        verdict = manuscript.verdict_at(token.meta["said"]) if _is_whole(sentence) else None
        if verdict and any(one.content.strip() for one in sentence):
            sentence = _of_claim(sentence, verdict)
        done += [*sentence, token]
        sentence = []
    return done + sentence


def _of_claim(tokens: Sequence[Token], verdict: Verdict) -> list[Token]:
    return [Token(_BEGINS, "", 0, meta={"verdict": verdict}), *tokens, Token(_ENDS, "", 0)]


def _is_whole(tokens: Sequence[Token]) -> bool:
    """Whether what opens among these also closes there."""
    depth = 0
    for token in tokens:
        depth += token.nesting
        if depth < 0:
            return False
    return depth == 0


def _mark(
    _renderer: RendererHTML, tokens: Sequence[Token], place: int, _options: OptionsDict, env: Env
) -> str:
    """A link to the quotes of one source that its sentence rests on, relative to the page of the report."""
    manuscript: Manuscript = env["manuscript"]
    token = tokens[place]
    number, said = token.meta["n"], token.meta["said"]
    asked = {"of": ",".join(piece.id for piece in manuscript.quotes_at(said, number))}
    if verdict := manuscript.verdict_at(said):
        asked["said"] = verdict
    return str(
        Markup('<a class="cite" href="quotes/{}?{}">[{}]</a>').format(
            number, urlencode(asked, safe=","), number
        )
    )


def _claim_begins(
    _renderer: RendererHTML, tokens: Sequence[Token], place: int, _options: OptionsDict, env: Env
) -> str:
    verdict = env["manuscript"].shown(tokens[place].meta["verdict"])
    env["verdicts"].add(verdict)
    return str(Markup('<span class="claim {}">').format(verdict))


def _claim_ends(*_: object) -> str:
    return "</span>"
