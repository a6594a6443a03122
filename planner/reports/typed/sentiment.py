"""The part on request about sentiment: what is praised and criticised of the subject, and on which host. Pure.

A reader tells praise from criticism. Without one, the part says that it needs a model: lists of words took irony,
wishes and comparisons for opinions.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from planner.reports.sources.citations import Citations
from planner.reports.typed.part_readings import MOST_PAIRS, PartReadings
from planner.reports.typed.subject_statements import AskedSubject, Statement
from planner.reports.typed.typed_list import TypedEntry, TypedList
from research_crawler.core.models.evidence.entailment import Pair
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.text.source_types import source_type
from research_crawler.text.writing.messages import Messages

MOST_OPINIONS, MOST_HOSTS = 8, 5
"""Most opinions that are shown, and most hosts whose praise and blame are counted."""
_SELLING_KINDS: Final = frozenset(("product", "listing", "collection", "service"))
"""Kinds of pages whose maker praises his own thing."""
_FEELINGS: Final = {"supported": "praise", "contradicted": "blame"}


def sentiment_pairs(findings: Sequence[Finding], about: AskedSubject, kinds: Mapping[str, str]) -> list[Pair]:
    """What a reader is asked: whether each sentence about the subject praises it.

    Args:
        findings: in the order of their evidence ids.
        about: what the question is about.
        kinds: the kinds of the pages, by their addresses: makers and shops are left out.
    """
    statements = [
        one for one in about.statements(findings) if one.names_subject and not _is_of_seller(one, kinds)
    ]
    return [
        Pair(statement=_praise(about), quotes=[one.text], sources=[one.host])
        for one in statements[:MOST_PAIRS]
    ]


def sentiment_list(
    findings: Sequence[Finding],
    about: AskedSubject,
    citations: Citations,
    translate: Messages,
    readings: PartReadings,
) -> tuple[TypedList, dict[str, Any]]:
    """The sentences that praise or criticise the subject, and their numbers by host; the latter for `--json` too."""
    asked = _praise(about)
    felt = [
        (one, feeling)
        for one in about.statements(findings)
        if (feeling := _FEELINGS.get(readings.verdict(asked, one.text), ""))
    ]
    if not felt:
        why = (
            translate("no_opinion", about=about.text)
            if readings.is_read
            else translate("sentiment_needs_model")
        )
        return TypedList("sentiment", [], why), {"about": about.text, "hosts": {}}
    hosts, counts = _by_host(felt), Counter(feeling for _, feeling in felt)
    shown_hosts = ", ".join(
        f"{host} +{praise} −{blame}" for host, (praise, blame) in list(hosts.items())[:MOST_HOSTS]
    )
    intro = translate(
        "sentiment_counts",
        about=about.text,
        good=counts["praise"],
        bad=counts["blame"],
        n=len(hosts),
        hosts=shown_hosts,
    )
    entries = [
        TypedEntry(cited, before=translate(f"kind_of_{feeling}"), behind=one.host, kind=feeling)
        for one, feeling in _balanced(felt)
        for cited in citations.cite([Sentence(text=one.text, evidence=[one.index])])
    ]
    by_host = {host: {"praise": praise, "criticism": blame} for host, (praise, blame) in hosts.items()}
    return TypedList("sentiment", entries, intro), {"about": about.text, "hosts": by_host}


def _praise(about: AskedSubject) -> str:
    return f"What the quote says of “{about.text}” is praise, and not criticism."


def _balanced(felt: Sequence[tuple[Statement, str]]) -> list[tuple[Statement, str]]:
    """The best sentences of both kinds, so that the first of one kind do not use up the room of the other."""
    of_kind = {kind: [one for one in felt if one[1] == kind] for kind in ("praise", "blame")}
    room = {kind: max(MOST_OPINIONS // 2, MOST_OPINIONS - len(of_kind[other]))
            for kind, other in (("praise", "blame"), ("blame", "praise"))}  # fmt: skip
    return [*of_kind["praise"][: room["praise"]], *of_kind["blame"][: room["blame"]]]


def _by_host(felt: Sequence[tuple[Statement, str]]) -> dict[str, tuple[int, int]]:
    """How many sentences of each host praise and criticise, those with most first."""
    counts = Counter((one.host, feeling) for one, feeling in felt)
    hosts = Counter(one.host for one, _ in felt)
    return {host: (counts[host, "praise"], counts[host, "blame"]) for host, _ in hosts.most_common()}


def _is_of_seller(statement: Statement, kinds: Mapping[str, str]) -> bool:
    """Whether the page is of somebody who makes or sells the thing."""
    of_source = source_type(statement.finding.url, statement.finding.title)
    kind = kinds.get(statement.finding.url, "")
    return of_source in ("official", "vendor") or (
        kind in _SELLING_KINDS and of_source not in ("forum", "review")
    )
