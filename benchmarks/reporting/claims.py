"""Measures what code alone says about sentences and what they cite: what it vetoes, and whether that is right.

Three sets, none of which any rule of `planner.verify` was fitted to: the WiCE claims (`claims` under
RESEARCH_TEST_DATA), each with the sentences of the article that it cites and a label; sentences of the saved `articles`
as a scripted writer tells them (`careless_writer`), half of them with a known fault; and the same sentences altered by
machine (`altered_sentences`). What code does not veto, a reader has to read; here nobody does.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.figures import Calibration, Figure, counted, timed
from benchmarks.places import DATA
from benchmarks.reporting.altered_sentences import Altered, altered_sentences
from benchmarks.reporting.careless_writer import Written, written_sentences
from planner.reports.checks.check_log import CheckedSentence
from planner.reports.checks.sentence_checks import SentenceChecker
from planner.verify.cited_source import CitedSource
from planner.verify.vetoes import vetoes
from research_crawler.core.models.evidence.entailment import Pair, Readings, unread
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import ReportDraft, Sentence

LEAST_PRECISION = 0.85
LEAST_STRICT, MOST_WRONGLY_CUT = 0.98, 0.02
LEAST_FOUND = 0.95
MOST_MS = 10.0


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Precision of the vetoes on WiCE, then what is found and what is wrongly cut of written and altered sentences."""
    if (DATA / "claims").is_dir():
        yield from _labelled(calibration)
    else:
        print(f"no claims in {DATA}; set RESEARCH_TEST_DATA")
    if (DATA / "articles").is_dir():
        yield from _altered(altered_sentences(DATA / "articles"))
        yield from _careless()


def _labelled(calibration: Calibration) -> Iterator[Figure]:
    """Of the WiCE claims that code vetoes, those that their article does not say as a whole."""
    rows = [json.loads(row) for row in (DATA / "claims" / "wice-dev.jsonl").read_text("utf-8").splitlines()]

    def run() -> tuple[list[set[str]], float]:
        begun = time.perf_counter()
        kinds = [
            {
                veto.kind
                for veto in vetoes(
                    row["claim"], CitedSource(row["evidence"], [row["meta"]["claim_title"]]), "en"
                )
            }
            for row in rows
        ]  # fmt: skip
        return kinds, (time.perf_counter() - begun) * 1_000 / len(rows)

    (kinds, each_ms), factor = calibration.quietest(run)
    yield timed(
        "mean time of a claim", each_ms, "ms", most=MOST_MS, factor=factor, note=f"{len(rows)} claims"
    )
    for kind in ("figure", "date", "name", "negation", ""):
        chosen = [
            row for row, found in zip(rows, kinds, strict=True) if kind in found or (not kind and found)
        ]
        right = sum(row["label"] != "supported" for row in chosen)
        precision = right / max(1, len(chosen))
        yield counted(
            f"vetoes by {kind or 'any of them'} that are right", precision * 100, "%",
            ok=None if kind else precision >= LEAST_PRECISION, target="" if kind else f"≥ {LEAST_PRECISION:.0%}",
            note=f"{right} of {len(chosen)} claims of WiCE; {sum(row['label'] != 'supported' for row in rows)} of "
            f"{len(rows)} are not wholly supported",
        )  # fmt: skip


def _altered(sentences: Sequence[Altered]) -> Iterator[Figure]:
    """How many false sentences code finds, and how many honest ones it cuts, by what was done to them."""
    cut = [bool(vetoes(one.text, CitedSource([one.quote], [one.host]), "en")) for one in sentences]
    by_kind = Counter((one.kind, found) for one, found in zip(sentences, cut, strict=True))
    for kind in dict.fromkeys(one.kind for one in sentences):
        print(f"  {kind}: {by_kind[kind, True]} of {by_kind[kind, True] + by_kind[kind, False]} vetoed")
    for is_honest, name in (
        (False, "false sentences that code finds"),
        (True, "honest sentences that code cuts"),
    ):
        chosen = [found for one, found in zip(sentences, cut, strict=True) if one.is_honest is is_honest]
        share = sum(chosen) / max(1, len(chosen))
        yield counted(
            name, share * 100, "%", ok=share <= MOST_WRONGLY_CUT if is_honest else share >= LEAST_FOUND,
            target=f"≤ {MOST_WRONGLY_CUT:.0%}" if is_honest else f"≥ {LEAST_FOUND:.0%}",
            note=f"{sum(chosen)} of {len(chosen)}, altered by machine",
        )  # fmt: skip


def _careless() -> Iterator[Figure]:
    """Strict citation support of what a careless writer wrote, and what was cut of its honest half."""
    written = written_sentences(DATA / "articles")
    checked = [(one, _checked(one, page)) for one, page in _with_pages(written)]
    outcomes = Counter((one.is_honest, _outcome(result)) for one, result in checked)
    for kind in sorted({one.kind for one in written}):
        of_kind = Counter(_outcome(result) for one, result in checked if one.kind == kind)
        print(f"  {kind}: {', '.join(f'{name} {n}' for name, n in of_kind.most_common())}")
    honest = sum(one.is_honest for one in written)
    shown = outcomes[True, "shown"] + outcomes[False, "shown"]
    strict = outcomes[True, "shown"] / shown
    yield counted(
        "strict citation support after the checks by code",
        strict * 100,
        "%",
        ok=strict >= LEAST_STRICT,
        target=f"≥ {LEAST_STRICT:.0%}",
        reference=f"before them {honest / len(written):.0%}",
        note=f"{outcomes[True, 'shown']} of {shown} sentences without a remark",
    )
    marked = outcomes[True, "marked"] + outcomes[False, "marked"]
    every = (outcomes[True, "shown"] + outcomes[True, "marked"]) / (shown + marked)
    yield Figure(
        "the same with those that are shown as not checked", every * 100, "%", note=f"{marked} sentences more"
    )
    cut = outcomes[True, "cut"] / honest
    yield counted(
        "honest sentences wrongly cut",
        cut * 100,
        "%",
        ok=cut <= MOST_WRONGLY_CUT,
        target=f"≤ {MOST_WRONGLY_CUT:.0%}",
        note=f"{outcomes[True, 'cut']} of {honest}, {outcomes[True, 'marked']} shown as not checked",
    )


def _with_pages(written: Sequence[Written]) -> Iterator[tuple[Written, list[str]]]:
    """Each sentence with all quotes of its page, which are what a job knows."""
    pages: dict[str, list[str]] = {}
    for one in written:
        pages.setdefault(one.page, []).extend(quote for quote in one.quotes)
    for one in written:
        yield one, list(dict.fromkeys(pages[one.page]))


def _checked(written: Written, page: Sequence[str]) -> CheckedSentence:
    async def nobody(pairs: Sequence[Pair]) -> Readings:
        return unread(len(pairs))

    findings = [
        Finding(
            id=str(place),
            command="c",
            claim=quote,
            quote=quote,
            start=0,
            end=len(quote),
            page_sha256="",
            url=f"https://{written.host}/",
        )
        for place, quote in enumerate(page)
    ]
    checker = SentenceChecker(findings, goal="", language="en", read_pairs=nobody)
    places = [page.index(quote) for quote in written.quotes]
    asyncio.run(
        checker.check_report(ReportDraft(by="w", answer=[Sentence(text=written.text, evidence=places)]))
    )
    return checker.checked[0]


def _outcome(result: CheckedSentence) -> str:
    if not result.text:
        return "cut"
    return "shown" if result.verdict == "supported" else "marked"
