"""Reports about a web of invented towns, machines and people: what is right in them, and what is not.

Fifty questions on the web of `report_web`, which has other pages with similar names, pages that contradict each other
or are out of date, pages that order machines about, and answers that stand two or three pages away. The brain without
a model answers all of them; a scripted model with a character (`report_web.model`) answers some. Half of the questions
are held back: their failures are not printed, so that nobody mends a cause that only they show.
"""

import os
import statistics
from collections.abc import Iterator, Sequence
from typing import Final

from benchmarks.figures import Calibration, Figure, counted
from benchmarks.reporting.recall_baseline import bm25, results, sentences_of
from benchmarks.reporting.report_web.running import Row, answers, asked, local_web, scripted_model, system
from benchmarks.reporting.report_web.scoring import Score, scored
from benchmarks.reporting.report_web.with_model import careless, obedient, writers
from benchmarks.reporting.report_web.world import LocalQuestion, local_questions
from research_crawler.core.web.urls import canonical_url
from research_crawler.demo.demo_questions import score as recall_of
from research_crawler.demo.process import RunningWeb

IS_QUICK: Final = os.environ.get("RESEARCH_REPORTS_BENCH") == "quick"
"""Every fifth question, and no careless model: what is left of its sentences is a share that needs them all."""
LEAST_FACTS, LEAST_STRICT = 0.80, 0.98


def measure(_: Calibration) -> Iterator[Figure]:
    """All figures, each beside its target, and beside a reference where one answers the same questions."""
    with local_web() as web:
        questions = [question.at(web.hosts) for question in local_questions()]
        if IS_QUICK:
            questions = questions[::5]
        yield from _without_model(web, questions)
        with scripted_model() as model:
            if not IS_QUICK:
                yield from careless(web, questions, model)
                yield from writers(web, questions, model)
            yield from obedient(web, questions, model)


def _without_model(web: RunningWeb, questions: Sequence[LocalQuestion]) -> Iterator[Figure]:
    with system(web) as child:
        rows = answers(child, [asked(question) for question in questions])
    scores = {q.id: scored(q, rows[q.id]["report"]) for q in questions}
    reference = {q.id: _reference(web, q, rows[q.id], scores[q.id].words) for q in questions}
    _print_each(questions, scores, rows)
    yield from _facts(questions, scores, reference)
    yield from _honesty(web, questions, scores, rows)
    yield from _untrue(questions, scores)


def _facts(
    questions: Sequence[LocalQuestion], scores: dict[str, Score], reference: dict[str, int]
) -> Iterator[Figure]:
    def share(chosen: Sequence[LocalQuestion]) -> tuple[float, int, int]:
        found, facts = (
            sum(scores[q.id].found for q in chosen),
            sum(scores[q.id].facts for q in chosen),
        )
        return found / max(1, facts), found, facts

    value, found, facts = share(questions)
    simple = sum(reference.values())
    evidence = sum(score.in_evidence for score in scores.values())
    words = statistics.mean(score.words for score in scores.values())
    yield counted(
        "planted facts in the report with a right citation",
        value * 100,
        "%",
        ok=value >= LEAST_FACTS,
        target=f"≥ {LEAST_FACTS:.0%}",
        reference=f"{simple / max(1, facts):.0%} by as many words of BM25 sentences from as many pages",
        note=f"{found} of {facts}; {evidence / max(1, facts):.0%} in the evidence; {words:.0f} words a report",
    )
    groups = {
        "open half": [q for q in questions if q.half == "open"],
        "half held back": [q for q in questions if q.half == "held"],
        "general": [q for q in questions if q.type == "general" and not q.shopping],
        "news": [q for q in questions if q.type == "news"],
        "technical": [q for q in questions if q.type == "technical"],
        "commerce": [q for q in questions if q.shopping],
        "one page": [q for q in questions if q.hops == 1],
        "two or three hops": [q for q in questions if q.hops > 1],
    }
    for name, chosen in groups.items():
        if any(q.facts for q in chosen):
            value, found, facts = share(chosen)
            yield Figure(f"  {name}", value * 100, "%", note=f"{found} of {facts}, {len(chosen)} questions")


def _honesty(
    web: RunningWeb, questions: Sequence[LocalQuestion], scores: dict[str, Score], rows: dict[str, Row]
) -> Iterator[Figure]:
    quotes = sum(len(row["report"]["evidence"]) for row in rows.values())
    false = sum(len(row["false_quotes"]) for row in rows.values())
    yield counted(
        "quotes that are verbatim", 100 * (1 - false / max(1, quotes)), "%", ok=not false and quotes > 0,
        target="100 %", note=f"{quotes} quotes",
    )  # fmt: skip
    served = {
        canonical_url(f"http://{one.host}:{web.port}{one.path}") for one in web.log() if one.status == 200
    }
    sources = {canonical_url(source["url"]) for row in rows.values() for source in row["report"]["sources"]}
    unread = sum(len(score.unread) for score in scores.values()) + len(sources - served)
    yield counted(
        "citations of pages that were not read", unread, "citations", ok=not unread, target="0",
        note=f"{len(sources)} pages cited, compared with the job's record and the server's log",
    )  # fmt: skip
    cited, unsupported = (
        sum(score.cited for score in scores.values()),
        sum(len(score.unsupported) for score in scores.values()),
    )
    strict = 1 - unsupported / max(1, cited)
    yield counted(
        "strict citation support without a model", strict * 100, "%", ok=strict >= LEAST_STRICT,
        target=f"≥ {LEAST_STRICT:.0%}", note=f"{cited} cited sentences and excerpts",
    )  # fmt: skip
    none = [q for q in questions if not q.facts]
    rightly = sum(scores[q.id].abstained for q in none)
    wrongly = sum(scores[q.id].abstained for q in questions if q.facts)
    yield Figure(
        "questions without an answer that are said to have none", rightly, f"of {len(none)}",
        note=f"wrongly so: {wrongly} of {len(questions) - len(none)}",
    )  # fmt: skip


def _untrue(questions: Sequence[LocalQuestion], scores: dict[str, Score]) -> Iterator[Figure]:
    with_stale = [q for q in questions if q.stale]
    stale = sum(bool(scores[q.id].stale) for q in with_stale)
    yield counted(
        "reports that state an outdated value as current", stale, "reports", ok=not stale, target="0",
        note=f"of {len(with_stale)}; of something with a similar name: "
        f"{sum(bool(scores[q.id].wrong) for q in questions)} of {sum(bool(q.wrong) for q in questions)}",
    )  # fmt: skip
    sides = [q for q in questions if q.sides]
    if sides:
        both = sum(scores[q.id].shows_both_sides for q in sides)
        yield Figure("contradictions of which both sides are shown", both, f"of {len(sides)}")


def _reference(web: RunningWeb, question: LocalQuestion, row: Row, words: int) -> int:
    """The facts in the best sentences by BM25 of the first results: as many pages and words as the report has."""
    pages = row["report"]["metrics"]["pages_visited"]
    urls = results(web.search, question.goal)[:pages]
    sentences = [(url, sentence) for url in urls for sentence in sentences_of(url)]
    ranked = bm25(question.goal, [sentence for _, sentence in sentences]) if sentences else []
    chosen: list[Row] = []
    for place in sorted(range(len(sentences)), key=lambda place: -ranked[place]):
        if sum(len(one["quote"].split()) for one in chosen) >= words:
            break
        chosen.append({"url": sentences[place][0], "quote": sentences[place][1]})
    return recall_of(question, chosen).found


def _print_each(questions: Sequence[LocalQuestion], scores: dict[str, Score], rows: dict[str, Row]) -> None:
    """A line for each question of the open half."""
    for question in questions:
        if question.half == "held":
            continue
        score, used = scores[question.id], rows[question.id]["report"]["metrics"]
        faults = {
            "missed": [f"{fact} ({cause})" for fact, cause in score.missed.items()],
            "stale": [line[:80] for line in score.stale], "wrong": score.wrong,
            "unsupported": [line[:80] for line in score.unsupported], "unread": score.unread,
        }  # fmt: skip
        remarks = [f"{name}: {', '.join(found)}" for name, found in faults.items() if found]
        if question.sides and not score.shows_both_sides:
            remarks.append("one side of a contradiction not shown")
        if score.abstained:
            remarks.append("abstained")
        print(
            f"     {question.id:22} {score.found}/{score.facts} in {score.words} words, {used['searches']} searches, "
            f"{used['pages_visited']} pages; {'; '.join(remarks) or 'all right'}",
            flush=True,
        )
