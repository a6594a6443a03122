"""Measures how well sentences are compared with what they cite, without a model.

Two sets: the WiCE claims (`claims` under RESEARCH_TEST_DATA), each with the sentences of the article that it cites
and a label; and the sentences that a scripted writer rests on quotes of the saved `articles`, half of them with a
known fault. The claims are split by their article into two halves by hash; the constants of `planner.verify.ladder`
were fitted on the half `tuned` only.
"""

import asyncio
import hashlib
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.figures import Calibration, Figure, counted, timed
from benchmarks.places import DATA
from benchmarks.reporting.careless_writer import Written, written_sentences
from planner.reports.checked import CheckedSentence
from planner.reports.checking import Checker
from planner.verify.cited_text import CitedText
from planner.verify.coverage import WordWeights, coverage, word_set
from planner.verify.judgement import Judgement
from planner.verify.ladder import judge_statement, judged_by_meaning
from planner.verify.statement import Statement
from research_crawler.adapters.models.embedder import SentenceEmbedder
from research_crawler.core.config import Config
from research_crawler.core.models.checks import CheckRequest, Checks
from research_crawler.core.models.drafts import ReportDraft, Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.text.words import terms

LEAST_SUPPORTED, LEAST_NOT_SUPPORTED = 0.72, 0.80
LEAST_STRICT, MOST_WRONGLY_CUT = 0.95, 0.05
MOST_MS = 10.0


@dataclass(frozen=True)
class LabelledClaim:
    """A claim with the sentences of the article that it cites."""

    text: str
    sentences: Sequence[str]
    label: str
    is_tuned: bool

    def statement(self) -> Statement:
        """The claim beside its article; words weigh by their rarity in the article itself."""
        cited = CitedText(self.sentences)
        return Statement(self.text, cited, WordWeights(cited.words))

    def overlap(self) -> float:
        """The reference: the share of the claim's words that the article has."""
        words = set(terms(self.text))
        return len(words & set().union(*map(terms, self.sentences))) / max(1, len(words))

    def covered(self) -> float:
        """The second reference: the weight of its rare words in at most four sentences."""
        sets = [word_set(sentence) for sentence in self.sentences]
        weights = WordWeights(sets)
        return coverage(word_set(self.text), sets, {w: weights.of(w) for w in word_set(self.text)}).share


def labelled_claims() -> list[LabelledClaim]:
    """All claims, with the half of their article."""
    rows = map(json.loads, (DATA / "claims" / "wice-dev.jsonl").read_text("utf-8").splitlines())
    return [
        LabelledClaim(row["claim"], row["evidence"], row["label"], _half(row["meta"]["claim_title"]) == 0)
        for row in rows
    ]


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Balanced accuracies and time of the claims, then what is left of the careless writer's faults."""
    if not (DATA / "claims").is_dir():
        print(f"no claims in {DATA}; set RESEARCH_TEST_DATA")
        return
    claims = labelled_claims()
    judged, times_ms, factor = _judged(claims, calibration)
    yield timed(
        "mean time of a claim",
        statistics.fmean(times_ms),
        "ms",
        most=MOST_MS,
        factor=factor,
        note=f"median {statistics.median(times_ms):.1f}, {len(claims)} claims",
    )
    for label, least, verdicts in (
        ("supported", LEAST_SUPPORTED, {"supported", "qualified"}),
        ("not_supported", LEAST_NOT_SUPPORTED, {"not_found"}),
    ):
        yield from _accuracies(claims, judged, label, least, verdicts)
    yield _with_meaning(claims, judged)
    if (DATA / "articles").is_dir():
        yield from _careless()


def _judged(
    claims: Sequence[LabelledClaim], calibration: Calibration
) -> tuple[list[Judgement], list[float], float]:
    def run() -> list[tuple[Judgement, float]]:
        found = []
        for claim in claims:
            begun = time.perf_counter()
            judgement = judge_statement(claim.statement())
            found.append((judgement, (time.perf_counter() - begun) * 1_000))
        return found

    found, factor = calibration.quietest(run)
    return [judgement for judgement, _ in found], [ms for _, ms in found], factor


def _accuracies(
    claims: Sequence[LabelledClaim], judged: Sequence[Judgement], label: str, least: float, verdicts: set[str]
) -> Iterator[Figure]:
    says = [judgement.verdict in verdicts for judgement in judged]
    is_so = [claim.label == label for claim in claims]
    for name, half in (("other half", False), ("tuned half", True), ("all", None)):
        chosen = [place for place, claim in enumerate(claims) if half is None or claim.is_tuned is half]
        value = balanced([is_so[place] for place in chosen], [says[place] for place in chosen])
        is_all = half is None
        yield Figure(
            f"{label} against the rest, {name}",
            value,
            "balanced accuracy",
            target=f"≥ {least:g}" if is_all else "",
            ok=value >= least if is_all else None,
            reference=_reference(claims, is_so, positive=label == "supported") if is_all else "",
            note=f"{sum(is_so[place] for place in chosen)} of {len(chosen)} claims",
        )


def _with_meaning(claims: Sequence[LabelledClaim], judged: Sequence[Judgement]) -> Figure:
    """Not supported against the rest, if claims that share few words with their article are compared by meaning."""
    embedder = SentenceEmbedder(Config().embedding_model)

    async def again() -> list[Judgement]:
        return [
            await judged_by_meaning(claim.statement(), embedder) if judgement.is_far else judgement
            for claim, judgement in zip(claims, judged, strict=True)
        ]

    verdicts = [judgement.verdict == "not_found" for judgement in asyncio.run(again())]
    value = balanced([claim.label == "not_supported" for claim in claims], verdicts)
    asked = sum(judgement.is_far for judgement in judged)
    return Figure(
        "not_supported against the rest, with cosine",
        value,
        "balanced accuracy",
        target=f"≥ {LEAST_NOT_SUPPORTED:g}",
        ok=value >= LEAST_NOT_SUPPORTED,
        note=f"{asked} claims compared by meaning",
    )


def _reference(claims: Sequence[LabelledClaim], is_so: Sequence[bool], *, positive: bool) -> str:
    """Overlap and coverage alone, with the best threshold for the tuned half."""
    texts = []
    for name, scores in (
        ("overlap of words", [claim.overlap() for claim in claims]),
        ("idf coverage", [claim.covered() for claim in claims]),
    ):
        signed = scores if positive else [-score for score in scores]
        tuned = [place for place, claim in enumerate(claims) if claim.is_tuned]

        def value(bound: float, places: Sequence[int], signed: Sequence[float]) -> float:
            return balanced([is_so[p] for p in places], [signed[p] >= bound for p in places])

        best = max(set(signed), key=partial(value, places=tuned, signed=signed))
        texts.append(f"{name} {value(best, range(len(claims)), signed):.2f}")
    return ", ".join(texts)


def balanced(truth: Sequence[bool], said: Sequence[bool]) -> float:
    """Balanced accuracy: the mean of the shares of both classes that are told rightly."""
    right = [one == other for one, other in zip(truth, said, strict=True)]
    yes = [hit for hit, is_so in zip(right, truth, strict=True) if is_so]
    no = [hit for hit, is_so in zip(right, truth, strict=True) if not is_so]
    return (sum(yes) / len(yes) + sum(no) / len(no)) / 2


def _careless() -> Iterator[Figure]:
    """Strict citation support of what a careless writer wrote, and what was cut of its honest half."""
    written = written_sentences(DATA / "articles")
    checked = [(one, _checked(one, page)) for one, page in _with_pages(written)]
    outcomes = Counter((one.is_honest, _outcome(result)) for one, result in checked)
    for kind in sorted({one.kind for one in written}):
        of_kind = Counter(_outcome(result) for one, result in checked if one.kind == kind)
        print(f"  {kind}: {', '.join(f'{name} {n}' for name, n in of_kind.most_common())}")
    honest = sum(one.is_honest for one in written)
    plain = outcomes[True, "shown"] + sum(outcomes[is_honest, "shortened"] for is_honest in (True, False))
    shown = plain + outcomes[False, "shown"]
    marked = outcomes[True, "marked"] + outcomes[False, "marked"]
    strict = plain / shown
    yield counted(
        "strict citation support after the checks",
        strict * 100,
        "%",
        ok=strict >= LEAST_STRICT,
        target=f"≥ {LEAST_STRICT:.0%}",
        reference=f"before them {honest / len(written):.0%}",
        note=f"{plain} of {shown} sentences without a remark",
    )
    every = (plain + outcomes[True, "marked"]) / (shown + marked)
    yield Figure(
        "the same with those that are shown with a remark", every * 100, "%", note=f"{marked} sentences more"
    )
    cut = outcomes[True, "cut"] / honest
    yield counted(
        "honest sentences wrongly cut",
        cut * 100,
        "%",
        ok=cut <= MOST_WRONGLY_CUT,
        target=f"≤ {MOST_WRONGLY_CUT:.0%}",
        note=f"{outcomes[True, 'cut']} of {honest}, {outcomes[True, 'marked']} with a remark",
    )


def _with_pages(written: Sequence[Written]) -> Iterator[tuple[Written, list[str]]]:
    """Each sentence with all quotes of its page, which are what a job knows."""
    pages: dict[str, list[str]] = {}
    for one in written:
        pages.setdefault(one.page, []).extend(quote for quote in one.quotes)
    for one in written:
        yield one, list(dict.fromkeys(pages[one.page]))


def _checked(one: Written, page: Sequence[str]) -> CheckedSentence:
    async def nobody(_: CheckRequest) -> Checks:
        return Checks(by="")

    findings = [
        Finding(
            id=str(place),
            command="c",
            claim=quote,
            quote=quote,
            start=0,
            end=len(quote),
            page_sha256="",
            url=f"https://{one.host}/",
        )
        for place, quote in enumerate(page)
    ]
    checker = Checker(findings, goal="", language="en", ask=nobody)
    places = [page.index(quote) for quote in one.quotes]
    asyncio.run(checker.report(ReportDraft(by="w", answer=[Sentence(text=one.text, evidence=places)])))
    return checker.checked[0]


def _outcome(result: CheckedSentence) -> str:
    if not result.text:
        return "cut"
    if result.is_reworded:
        return "shortened"
    return "shown" if result.verdict == "supported" else "marked"


def _half(article: str) -> int:
    return hashlib.sha256(article.encode()).digest()[0] % 2
