"""The part on request about sentiment: what is praised and criticised of the subject, and by whom. Pure."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from planner.reports.sources.citations import Citations
from planner.reports.typed.about import About, Told
from planner.reports.typed.shown import TypedEntry, TypedList
from planner.reports.typed.wordlists import word_list
from research_crawler.core.models.drafts import Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.web.urls import host_of
from research_crawler.text.agreement import negations_in
from research_crawler.text.messages import Messages
from research_crawler.text.source_types import source_type
from research_crawler.text.words import WORD

MOST_OPINIONS, MOST_HOSTS = 8, 5
_REACH: Final = 3
"""A negation turns round a word that stands at most so many words behind it."""
_SELLING_KINDS: Final = frozenset(("product", "listing", "collection", "service"))
"""Kinds of pages whose maker praises his own thing."""
_SELLER: Final = re.compile(
    r"\b(?:[Oo]urs?)\b|\b(?:[Ll]et us|[Ll]et [A-Z]\w+(?: [A-Z]\w+)?['’]s?)\b|\byou (?:crave|deserve)\b"
)
_EMPTY: Final = re.compile(
    r"\b(?:perfect (?:world|storm)|great (?:deal|many|majority|number|betrayal|britain|lakes|depression|recession|war)"
    r"|happy to|comfortable with|comfortable (?:for|in) your own|bad (?:debt|bank|guys?)|worst (?:stretch|day|"
    r"performance|week|month|year|start|case)|poor (?:people|countries|families)|love of|broke (?:out|into|in|up|off"
    r"|ground)|"
    r"fails? to|failed to|regret to"
    r"|(?:avoid|fear|fears|feared|about|without|despite) (?:\w+ )?(?:criticism|backlash|outrage|complaints)"
    r"|recommend(?:s|ed)?:? (?:\w+ing|that|you|to))\b",
    re.I,
)
"""Uses of these words that are no opinion."""
_UNREAL: Final = re.compile(
    r"\?\W{0,8}$|\b(?:would (?:be|have been)|could (?:be|have been)|should (?:be|have)|ought to|wish(?:es)?"
    r"|if (?:only|[^.,;]{1,40} were)|hop(?:e|es|ed|ing) (?:that|for|to)|(?:designed|meant|supposed"
    r"|intended|claims?|said) to be"
    r"|wäre\w*|hätte\w*|soll(?:te)?|serait"
    r"|devrait|sería|debería|sarebbe|dovrebbe|zou|seria|deveria|byłb\w+|powin\w+)\b",
    re.I,
)
"""What is asked, wished or intended is no opinion of how it is."""
_NOT_ONLY: Final = re.compile(
    r"\b(?:not (?:only|just|merely)|nicht nur|pas seulement|no s[oó]lo|non solo|niet alleen|não só|nie tylko)\b",
    re.I,
)
_THINKS_NOT: Final = re.compile(
    r"(?:\b(?:do|does|did) not|n['’]t|\bnever|\bnobody|\bno one|\bhardly|\bcannot)"
    r" (?:think|believe|find|found|call|consider|say|feel)\w*\b|\bdoubt\w*\b|\bglaub\w* nicht\b|\bfinde\w* nicht\b",
    re.I,
)
"""Who does not think so turns round all that follows."""
_SAID: Final = (
    r"(?:said|says|told|tells|wrote|writes|argued|argues|added|adds|noted|notes|explained|complained|warned|tweeted|"
    r"sagte|sagt|erklärte|a déclaré|a dit|dijo|afirmó|ha detto|zei|disse|powiedział|powiedziała)"
)
_NAME: Final = r"(?:[A-Z][\w.’'-]{1,20} ){0,2}[A-Z][\w’'-]{1,20}"
_SPEAKER: Final = re.compile(rf"\b(?:{_SAID} ({_NAME})\b|({_NAME}),? (?:[\w-]+ ){{0,3}}{_SAID}\b)")


def sentiment_list(
    findings: Sequence[Finding],
    about: About,
    citations: Citations,
    say: Messages,
    *,
    kinds: Mapping[str, str] = {},  # only read
) -> tuple[TypedList, dict[str, Any]]:
    """The sentences that praise or criticise the subject, and their numbers by host; the latter for `--json` too.

    Args:
        findings: in the order of their evidence ids.
        about: what the question is about.
        citations: numbers what is cited.
        say: the language of the report.
        kinds: the kinds of the pages, by their addresses: makers and shops are left out.
    """
    felt: list[tuple[Told, str]] = []
    for one in about.told(findings):
        feeling = _feeling(one.text)
        if feeling and one.names_subject and not _is_of_seller(one, kinds.get(one.finding.url, "")):
            felt.append((one, feeling))
    hosts = _by_host(felt)
    if not felt:
        return TypedList("sentiment", [], say("no_opinion", about=about.text)), {
            "about": about.text,
            "hosts": {},
        }
    counts = Counter(feeling for _, feeling in felt)
    shown_hosts = ", ".join(
        f"{host} +{praise} −{blame}" for host, (praise, blame) in list(hosts.items())[:MOST_HOSTS]
    )
    intro = say(
        "sentiment_counts",
        about=about.text,
        good=counts["praise"],
        bad=counts["blame"],
        n=len(hosts),
        hosts=shown_hosts,
    )
    entries = [
        TypedEntry(cited, before=say(f"kind_of_{feeling}"), behind=_by_whom(one), kind=feeling)
        for one, feeling in _balanced(felt)
        for cited in citations.keep([Sentence(text=one.text, evidence=[one.place])])
    ]
    by_host = {host: {"praise": praise, "criticism": blame} for host, (praise, blame) in hosts.items()}
    return TypedList("sentiment", entries, intro), {"about": about.text, "hosts": by_host}


def _balanced(felt: Sequence[tuple[Told, str]]) -> list[tuple[Told, str]]:
    """The best sentences of both kinds, so that the first of one kind do not use up the room of the other."""
    of_kind = {kind: [one for one in felt if one[1] == kind] for kind in ("praise", "blame")}
    room = {kind: max(MOST_OPINIONS // 2, MOST_OPINIONS - len(of_kind[other]))
            for kind, other in (("praise", "blame"), ("blame", "praise"))}  # fmt: skip
    return [*of_kind["praise"][: room["praise"]], *of_kind["blame"][: room["blame"]]]


def _by_host(felt: Sequence[tuple[Told, str]]) -> dict[str, tuple[int, int]]:
    """How many sentences of each host praise and criticise, those with most first."""
    counts = Counter((one.host, feeling) for one, feeling in felt)
    hosts = Counter(one.host for one, _ in felt)
    return {host: (counts[host, "praise"], counts[host, "blame"]) for host, _ in hosts.most_common()}


def _is_of_seller(one: Told, kind: str) -> bool:
    """Whether the page is of somebody who makes or sells the thing."""
    of_source = source_type(one.finding.url, one.finding.title)
    if of_source in ("official", "vendor") or (
        kind in _SELLING_KINDS and of_source not in ("forum", "review")
    ):
        return True
    maker = host_of(one.finding.url).removeprefix("www.").partition(".")[0]
    return of_source not in ("forum", "review", "news") and bool(
        _SELLER.search(one.text) or maker in {word.lower() for word in WORD.findall(one.text)}
    )


def _feeling(text: str) -> str:
    """Whether a sentence praises or blames. Empty if it does both or neither, or tells what is wished or asked.

    A negation turns round the word that it stands before: "would not recommend". Irony, comparisons with another thing
    and praise without a word of the list are not recognised; the part says so to its readers.
    """
    if _UNREAL.search(text):
        return ""
    doubt = _THINKS_NOT.search(text)
    if doubt:
        said = _feeling(text[doubt.end() :])
        return {"praise": "blame", "blame": "praise"}.get(said, "")
    bare = _EMPTY.sub(" ", _NOT_ONLY.sub(" ", text))
    words = [word.lower().replace("’", "'") for word in WORD.findall(bare)]
    good = bad = 0
    for place, word in enumerate(words):
        if word in word_list("praise"):
            is_good = True
        elif word in word_list("blame"):
            is_good = False
        else:
            continue
        if negations_in(" ".join(words[max(0, place - _REACH) : place])):
            is_good = not is_good
        good, bad = good + is_good, bad + (not is_good)
    return "" if good == bad else "praise" if good > bad else "blame"


def _by_whom(one: Told) -> str:
    """Who says it, if the sentence names him, and on which host."""
    match = _SPEAKER.search(one.text)
    return ", ".join(part for part in ((match[1] or match[2]) if match else "", one.host) if part)
