"""What a job costs of a model, by its type and depth: calls, calls that wait for each other, and tokens.

The model is scripted: it plans, reads and writes as a model would, with as many pages as its depth has, and takes a
fixed time for each answer, so that calls side by side overlap. Printed is one table; each figure is the median of the
jobs of a type and a depth. Below each line stands what is new in the prompts of each role: what no provider can have
kept. RESEARCH_CALLS_BENCH names the types and depths that are wanted (`general news standard`), and `once` for one job
of each.
"""

import os
import statistics
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.figures import Calibration, Figure
from benchmarks.reporting.report_web.running import ModelRun, Row, Scripted, asked, local_web, scripted_model
from benchmarks.reporting.report_web.world import LocalQuestion, local_questions
from research_crawler.demo.process import RunningWeb

DEPTHS: Final = {"quick": 4, "standard": 8, "deep": 16}
"""Pages that the model reads at each depth."""
TYPES: Final = ("general", "news", "technical", "commerce")
_WANTED: Final = frozenset(os.environ.get("RESEARCH_CALLS_BENCH", "").split())
JOBS_OF_EACH: Final = 1 if "once" in _WANTED else 3
LATENCY_S: Final = 0.2
LEAST_SHARE: Final = 0.6
ROLES: Final = ("planner", "scorer", "extractor", "writer", "verifier")
_MOST_PARTS: Final = 6
_HEAD: Final = "     type        depth     jobs  calls  in sequence  prompt tokens  answer tokens  pages"


@dataclass(frozen=True)
class JobCosts:
    """What one job has asked of the model."""

    calls: int
    sequence: list[str]
    """The roles of the calls that wait for each other."""
    prompt_tokens: int
    completion_tokens: int
    pages: int
    roles: Counter[str]
    chars: Counter[str]
    """By role."""
    repeated: Counter[str]
    """Characters by role of the second call of a role and later ones."""
    cacheable: Counter[str]
    """How many of these stand at the beginning of an earlier call of any role and job."""
    whole_repeated: int
    whole_cacheable: int
    """The same of all roles with the schema before the messages, where OpenAI puts it and bills it."""
    new: dict[str, Counter[str]]
    """By role and place among its calls: the characters that are new of each part of the prompt."""

    @property
    def in_sequence(self) -> int:
        """How many calls wait for each other."""
        return len(self.sequence)


def measure(_: Calibration) -> Iterator[Figure]:
    """The table, and the calls in sequence of each type and depth as figures."""
    questions = {kind: _questions_of(kind) for kind in _wanted(TYPES)}
    print(_HEAD, flush=True)
    with scripted_model() as model, local_web() as web:
        for depth in _wanted(DEPTHS):
            for kind, chosen in questions.items():
                spent = _costs(web, model, chosen, depth)
                print(_line(kind, depth, spent), flush=True)
                print(_by_role(spent), flush=True)
                print(f"       longest sequence: {', '.join(max((one.sequence for one in spent), key=len))}")
                print(*_new_parts(spent), sep="\n", flush=True)
                yield _figure(kind, depth, spent)
                yield _cacheable(kind, depth, spent)


def _wanted(names: Collection[str]) -> list[str]:
    """The names that are wanted; all if none is named."""
    return [name for name in names if name in _WANTED or not _WANTED.intersection(names)]


def in_sequence(calls: Sequence[Row]) -> list[str]:
    """The roles of the most calls of which each began after the one before it had ended."""
    roles, free_ms = list[str](), 0.0
    for call in sorted(calls, key=lambda call: call["end_ms"] or 0.0):
        if call["end_ms"] and call["start_ms"] >= free_ms:
            roles.append(call["role"])
            free_ms = call["end_ms"]
    return roles


def costs_of(run: ModelRun, question: LocalQuestion) -> JobCosts:
    """The costs of the only job of a run."""
    used = run.rows[question.id]["report"]["metrics"]
    later = [call for call in run.calls if call["cacheable"] is not None]
    return JobCosts(
        calls=used["model_calls"],
        sequence=in_sequence(run.calls),
        prompt_tokens=used["prompt_tokens"],
        completion_tokens=used["completion_tokens"],
        pages=used["pages_visited"],
        roles=Counter(call["role"] for call in run.calls),
        chars=_sums(run.calls, "chars"),
        repeated=_sums(later, "chars"),
        cacheable=_sums(later, "cacheable"),
        whole_repeated=sum(call["whole"] for call in later),
        whole_cacheable=sum(call["whole_cacheable"] for call in later),
        new=_new_by_call(run.calls),
    )


def _new_by_call(calls: Sequence[Row]) -> dict[str, Counter[str]]:
    seen, new = Counter[str](), dict[str, Counter[str]]()
    for call in calls:
        seen[call["role"]] += 1
        if call["cacheable"] is not None:
            new[f"{call['role']} {seen[call['role']]}"] = Counter(call["new"])
    return new


def _sums(calls: Sequence[Row], what: str) -> Counter[str]:
    sums = Counter[str]()
    for call in calls:
        sums[call["role"]] += call[what]
    return sums


def median_of(spent: Sequence[JobCosts], what: str) -> float:
    """The median of one of the numbers."""
    return statistics.median(getattr(one, what) for one in spent)


def _costs(
    web: RunningWeb, model: Scripted, questions: Sequence[LocalQuestion], depth: str
) -> list[JobCosts]:
    """The costs of each question, one job after another, in a system that remembers none of another type and depth."""
    character: Row = {"kind": "honest", "pages": DEPTHS[depth], "latency_s": LATENCY_S}
    with model.system(web) as child:
        return [
            costs_of(model.run(child, [asked(question, depth=depth)], **character), question)
            for question in questions
        ]


def _questions_of(kind: str) -> list[LocalQuestion]:
    return [q for q in local_questions() if q.facts and kind == ("commerce" if q.shopping else q.type)][
        :JOBS_OF_EACH
    ]


def _line(kind: str, depth: str, spent: Sequence[JobCosts]) -> str:
    columns = (
        ("calls", 7),
        ("in_sequence", 13),
        ("prompt_tokens", 15),
        ("completion_tokens", 15),
        ("pages", 7),
    )
    cells = "".join(f"{median_of(spent, what):>{width},.0f}" for what, width in columns)
    return f"     {kind:<11} {depth:<9}{len(spent):>5}{cells}"


def _by_role(spent: Sequence[JobCosts]) -> str:
    """Characters of a job by role, and the share of them that a provider could have cached."""
    by_role = []
    for role in ROLES:
        chars = sum(one.chars[role] for one in spent) / len(spent)
        cached = sum(one.cacheable[role] for one in spent) / max(1, sum(one.repeated[role] for one in spent))
        if chars:
            by_role.append(f"{role} {chars:,.0f} ({cached:.0%})")
    return f"       characters, and what could be cached: {', '.join(by_role)}"


def _new_parts(spent: Sequence[JobCosts]) -> list[str]:
    """A line for each call of a role: the mean characters of its largest new parts."""
    lines = []
    for name in sorted({name for one in spent for name in one.new}):
        calls = [one.new[name] for one in spent if name in one.new]
        sums = sum(calls, Counter[str]())
        parts = ", ".join(
            f"{part} {chars / len(calls):,.0f}" for part, chars in sums.most_common(_MOST_PARTS)
        )
        lines.append(f"         {name}: {sums.total() / len(calls):,.0f} characters new ({parts})")
    return lines


def _cacheable(kind: str, depth: str, spent: Sequence[JobCosts]) -> Figure:
    share = sum(one.whole_cacheable for one in spent) / max(1, sum(one.whole_repeated for one in spent))
    repeated = sum(one.repeated.total() for one in spent)
    messages = sum(one.cacheable.total() for one in spent) / max(1, repeated)
    return Figure(
        f"share of prompts that could be cached: {kind}, {depth}",
        100 * share,
        "%",
        "≥ 60 %",
        share >= LEAST_SHARE,
        note="from the second call of a role on: what stands at the beginning of an earlier call of any role and job, "
        f"the schema first, as OpenAI has it; of the messages alone {messages:.0%}",
    )


def _figure(kind: str, depth: str, spent: Sequence[JobCosts]) -> Figure:
    roles = ", ".join(
        f"{count:.0f} {role}"
        for role in ROLES
        if (count := statistics.median(one.roles[role] for one in spent))
    )
    return Figure(
        f"model calls in sequence: {kind}, {depth}",
        median_of(spent, "in_sequence"),
        "calls",
        note=f"median of {len(spent)} jobs: {median_of(spent, 'calls'):.0f} calls ({roles}), "
        f"{median_of(spent, 'prompt_tokens'):,.0f} + {median_of(spent, 'completion_tokens'):,.0f} tokens, "
        f"{median_of(spent, 'pages'):.0f} pages",
    )
