"""How the scripted model plans when it refines its search: by what stands in the prompt, and by nothing else.

It reads and writes by meaning (`meaning`), with the titles that stand beside quotes. It searches for the words of the
goal, reads what looks nearest, and looks which words of the goal no evidence has. A sub-question of its outline whose
words no evidence has all is searched for by the query that stands beside it. A setting or command that the evidence
names, and that sounds like what is asked, is searched for by its name. If the evidence gives another name for what is
asked about, that name with those words is its next query. It judges the evidence by the same words. What it may
do is what the schema offers, so that the same model makes a plain loop where only one search is allowed.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from benchmarks.models.scripted_model import section, shown_pages
from benchmarks.reporting.recall_baseline import bm25
from benchmarks.reporting.report_web.prompt import Schema
from benchmarks.reporting.report_web.unsaid import (
    LEAST_NEAR,
    hop_name,
    identifiers_in,
    is_hop_made,
    next_hop,
    unsaid_words,
)
from planner.outline.making import query_names
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.text.languages.words import content_words
from research_crawler.text.questions.query_words import spelled_out

PAGES_FIRST, PAGES_MORE, MOST_HOPS, LEAST_PARTS, MOST_NAMES = 4, 2, 2, 2, 16
_RESULT: Final = re.compile(r"^([A-Z]\d+)\. [^|\n]*\| ([^|\n]+) \| ([^|\n]+) \| ?([^\n]*)$", re.M)
_SEARCHED: Final = re.compile(r"^- \d+\. search: ([^\n]*?)(?: – [^\n]*)?$", re.M)
_STEP: Final = re.compile(r"^- \d+\. (search|visit|section)\b", re.M)
_LEAF: Final = re.compile(r"^ {2}\S+ \[open\] ([^|\n]+) \|[^\n]*?\bsearch: ([^|\n]+)", re.M)
"""An open sub-question of the outline, with the query that would fill it."""


Nearness = Callable[[Sequence[str]], Sequence[float]]


def led_on_by(goal: str, quotes: Sequence[str]) -> list[str]:
    """What the quotes lead on to, by the names that they give for what is asked about: at most two names, the goal's
    unsaid words with each."""
    evidence = _as_findings(quotes)
    unsaid, hops = unsaid_words(goal, evidence), list[str]()
    while len(hops) < MOST_HOPS and (hop := next_hop(goal, evidence, unsaid, without=hops)):
        hops.append(hop)
    return hops


def _as_findings(quotes: Sequence[str]) -> list[Finding]:
    return [
        Finding(id=str(n), command="", claim=text, quote=text, start=0, end=len(text), page_sha256="", url="")
        for n, text in enumerate(quotes)
    ]


@dataclass(frozen=True)
class RefiningPlan:
    """One decision of the model."""

    prompt: str
    goal: str
    quotes: Sequence[str]
    """The evidence that the prompt shows, the nearest to the goal first."""
    nearness: Nearness
    """How near texts are to the goal."""

    @cached_property
    def unsaid(self) -> list[str]:
        """The words of the goal that no evidence has."""
        return unsaid_words(self.goal, self._findings)

    @cached_property
    def hop(self) -> str:
        """The query by another name that the evidence gives, and that was not used yet; empty: there is none.

        The name is the one that most evidence about the goal has, the nearest evidence counting most.
        """
        searched = _SEARCHED.findall(self.prompt)
        rest = [
            one
            for one in self._findings
            if not any(hop_name(q) in one.quote for q in searched[1:] if hop_name(q))
        ]
        return next((q for q in (next_hop(self.goal, some, self.unsaid) for some in (self._findings, rest))
                     if q and not is_hop_made(q, searched)), "")  # fmt: skip

    def decision(self, schema: Schema) -> dict[str, Any]:
        """What it does next, with its judgement where the schema asks for one."""
        offered = schema["properties"]
        return self._judgement(offered) | self._action(offered)

    def _action(self, offered: dict[str, Any]) -> dict[str, Any]:
        pages = shown_pages(self.prompt, offered)
        may_search, searched = "query" in offered, _SEARCHED.findall(self.prompt)
        if not searched and may_search:
            return _search(" ".join(content_words(self.goal)), "to begin with")
        if pages and "visit" not in self._steps:  # a page that was asked for ahead is not its choice
            return _visit(self._nearest(pages, self.goal)[:PAGES_FIRST])
        part = self._open_part(searched) if may_search else ""
        if not self.unsaid and not part:
            return _done("every word of the goal has evidence")
        if pages and self._has_just_searched and (nearest := self._nearest(pages, searched[-1])):
            return _visit(nearest[:PAGES_MORE])
        if part:
            return _search(part, "a part of the goal has no evidence")
        # A page of the last query comes first, then another name, then whatever is nearest to the goal.
        if (
            pages
            and len(searched) > 1
            and (named := self._nearest(pages, searched[-1], hop_name(searched[-1])))
        ):
            return _visit(named[:PAGES_MORE])
        if may_search and (lead := self._lead(searched)):
            return _search(lead, "the evidence names it as what is asked for")
        if self.hop and may_search:
            return _search(self.hop, "the evidence names it")
        if pages and (nearest := self._nearest(pages, self.goal)):
            return _visit(nearest[:PAGES_MORE])
        return _done("no page is left that looks like it")

    def _open_part(self, searched: Sequence[str]) -> str:
        """The query of the first open sub-question whose words the evidence lacks; empty: there is none left."""
        parts = [
            (question.strip(), query.strip())
            for question, query in _LEAF.findall(section(self.prompt, "Outline"))
        ]
        if len(parts) < LEAST_PARTS:
            return ""
        lacking = [query for question, query in parts if unsaid_words(question, self._findings)]
        return next((query for query in lacking if query not in searched), "")

    def _lead(self, searched: Sequence[str]) -> str:
        """A query for the setting or command of the evidence whose name is nearest to the goal; empty: none is."""
        known = f"{self.goal} {' '.join(searched)} {section(self.prompt, 'Pages Visited')}".lower()
        named = [name for quote in self.quotes for name in identifiers_in(quote)]
        names = [name for name in dict.fromkeys(named) if name.lower() not in known][:MOST_NAMES]
        ranked = zip(self.nearness([spelled_out(name).lower() for name in names]), names, strict=True)
        near, name = max(ranked, default=(0.0, ""))
        return " ".join([name, *query_names(self.goal)]) if near >= LEAST_NEAR else ""

    @property
    def _has_just_searched(self) -> bool:
        """Whether the last step was a search after the first one, so that its results are new."""
        return len(self._steps) > 1 and self._steps[-1] == "search"

    @cached_property
    def _steps(self) -> list[str]:
        """The steps so far, without what else the timeline tells."""
        return _STEP.findall(section(self.prompt, "Current State"))

    @cached_property
    def _findings(self) -> list[Finding]:
        return _as_findings(self.quotes)

    def _nearest(self, pages: Sequence[str], query: str, name: str = "") -> list[str]:
        """The offered pages whose title and snippet have words of the query, and the name, the nearest first."""
        texts = {id_: f"{title} {snippet}" for id_, title, _, snippet in _RESULT.findall(self.prompt)}
        shown = [id_ for id_ in pages if id_ in texts] or list(pages)
        shown = [id_ for id_ in shown if name in texts.get(id_, "")]
        if not shown:
            return []
        scores = bm25(query, [texts.get(id_, "") for id_ in shown])
        ranked = sorted(zip(scores, shown, strict=True), key=lambda pair: -pair[0])
        return [id_ for score, id_ in ranked if score > 0]

    def _judgement(self, offered: dict[str, Any]) -> dict[str, Any]:
        words = max(1, len(content_words(self.goal)))
        said = 1 - min(words, len(self.unsaid)) / words if self.quotes else 0.0
        judged: dict[str, Any] = {}
        if "evaluation" in offered:
            judged["evaluation"] = {
                "relevance": round(said, 1),
                "confidence": round(said, 1),
                "coverage": min(0.5, round(said, 1)) if self.unsaid else 1.0,
                "should_retry": bool(self.unsaid),
                "reasons": f"not said: {', '.join(self.unsaid[:4])}",
            }
        if "analysis" in offered:
            judged["analysis"] = {
                "assessment": "by the words of the goal", "confidence_score": round(said, 1),
                "is_answered": not self.unsaid, "suggestions_for_next_step": [self.hop] if self.hop else [],
                "new_potential_urls": [], "inconsistencies_found": [], "leads": [],
            }  # fmt: skip
        return judged


def _search(query: str, reason: str) -> dict[str, Any]:
    return {"action": "search", "query": query, "reason": reason}


def _visit(pages: Sequence[str]) -> dict[str, Any]:
    return {"action": "visit", "urls": list(pages), "reason": "nearest by their words"}


def _done(reason: str) -> dict[str, Any]:
    return {"action": "done", "reason": reason, "missing": []}
