"""Questions about the demo web with known answers, and the score of a run on them."""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from research_crawler.core.models.base import Frozen
from research_crawler.core.web.urls import canonical_url

_FILE = Path(__file__).with_name("questions.json")


class Fact(Frozen):
    """A planted fact, and the pages that state it."""

    id: str
    statement: str
    accept: tuple[str, ...]
    """Regular expressions, without regard to case. A quote that matches all of them states the fact."""
    urls: tuple[str, ...]
    """All pages that state the fact: `host:/path` in the file, URLs after loading."""

    def is_stated_in(self, quote: str) -> bool:
        """Whether the quote states the fact."""
        plain = comparable_quote(quote)
        return all(re.search(pattern, plain, re.IGNORECASE) for pattern in self.accept)


class DemoQuestion(Frozen):
    """A question, with the facts that are its answer."""

    id: str
    goal: str
    type: str = "general"
    facts: tuple[Fact, ...]


class Recall(Frozen):
    """The result of a run on one question."""

    question: str
    planted: int
    found: int
    missed: tuple[str, ...] = ()
    wrongly_cited: tuple[str, ...] = ()
    """The facts in `missed` that were quoted from a page that does not state them."""

    @property
    def share(self) -> float:
        """The share of planted facts that were found, 0 to 1."""
        return self.found / self.planted if self.planted else 1.0


def load_questions(hosts: Mapping[str, str]) -> list[DemoQuestion]:
    """The questions, with the URLs that the hosts have in this run (`LocalWeb.hosts`)."""
    return [
        question.changed(
            facts=tuple(
                fact.changed(urls=tuple(_address(ref, hosts) for ref in fact.urls)) for fact in question.facts
            )
        )
        for question in read_questions()
    ]


@cache
def read_questions() -> tuple[DemoQuestion, ...]:
    """The questions in the file, with references (`host:/path`) in place of URLs."""
    return TypeAdapter(tuple[DemoQuestion, ...]).validate_python(json.loads(_FILE.read_text("utf-8")))


def score(question: DemoQuestion, evidence: Iterable[Mapping[str, Any]]) -> Recall:
    """Count the facts that some evidence (`quote` and `url`) states with a correct citation."""
    pairs = [(str(piece["quote"]), canonical_url(str(piece["url"]))) for piece in evidence]
    missed, wrongly_cited = [], []
    for fact in question.facts:
        cited = {url for quote, url in pairs if fact.is_stated_in(quote)}
        if cited & {canonical_url(url) for url in fact.urls}:
            continue
        missed.append(fact.id)
        if cited:
            wrongly_cited.append(fact.id)
    return Recall(
        question=question.id,
        planted=len(question.facts),
        found=len(question.facts) - len(missed),
        missed=tuple(missed),
        wrongly_cited=tuple(wrongly_cited),
    )


def comparable_quote(markdown: str) -> str:
    """A quote without Markdown marks and link targets, with one kind of space and dash."""
    text = unicodedata.normalize("NFKC", markdown)
    text = re.sub(r"!?\[([^\[\]]*+)\]\([^()]*+\)", r"\1", text)
    text = re.sub(r"\\([_*#`])", r"\1", text)
    text = re.sub(r"[*`|#>]+", " ", text)
    text = re.sub(r"[\u2010-\u2015\u2212]", "-", text)
    text = text.replace("\u2019", "'").replace("\u2018", "'")
    return " ".join(text.split())


def _address(reference: str, hosts: Mapping[str, str]) -> str:
    host, _, path = reference.partition(":")
    return hosts[host] + path
