"""Measures typed columns end to end: batches over invented things with planted values, decoys and holes."""

import json
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.batches.columns_scoring import STRICT_TYPES, is_contained, is_right
from benchmarks.batches.columns_world import ThingKind, thing_kinds
from benchmarks.children import RESEARCH, Child, children, environment, loopback
from benchmarks.figures import Calibration, Figure, counted
from research_crawler.demo.process import RunningWeb

LEAST_RIGHT, LEAST_HOLES = 0.85, 0.95
LONGEST_S = 3_600


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Run a batch for each kind of thing on their web, and compare every value with the planted one."""
    with tempfile.TemporaryDirectory() as folder, children() as running:
        child = Child.module("columns_serve", env=environment(), folder=Path(folder))
        running.append(child)
        web = RunningWeb(pid=child.pid, **child.hear())
        records = [
            (kind, record) for kind in thing_kinds() for record in run_batch(kind, web.search, Path(folder))
        ]
    yield from _figures(records)


def run_batch(kind: ThingKind, search: str, folder: Path) -> list[dict[str, Any]]:
    """The rows of a batch over all things of a kind, as `batch result --format jsonl` prints them."""
    table, columns = folder / f"{kind.kind}.csv", folder / f"{kind.kind}.txt"
    table.write_text("name\n" + "".join(f"{thing.name}\n" for thing in kind.things))
    columns.write_text(kind.columns_text)
    settings = loopback(
        home=folder / "home",
        searxng_url=search,
        providers=["searxng"],
        phase1_visit_delay_seconds=0,
        batch_places=4,
    )
    out = folder / f"{kind.kind}-results"
    command = [
        str(RESEARCH),
        "batch",
        "run",
        str(table),
        "--template",
        kind.template,
        "--columns",
        str(columns),
    ]
    subprocess.run(
        [*command, "--depth", "quick", "--phase1-only", "--out", str(out), "--quiet"],
        env=environment(**settings),
        cwd=folder,
        check=True,
        capture_output=True,
        timeout=LONGEST_S,
    )
    return [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]


def _figures(records: list[tuple[ThingKind, dict[str, Any]]]) -> Iterator[Figure]:
    outcomes: dict[str, Counter[bool]] = {}
    uncontained = values = 0
    for kind, record in records:
        truths = kind.things[record["row"] - 1].truth
        for column in kind.columns:
            value = record["values"][column.name]
            truth = truths[column.name]
            right = is_right(column.type, truth, value["value"])
            outcomes.setdefault("hole" if truth is None else column.type, Counter())[right] += 1
            if value["value"] is not None:
                values += 1
                uncontained += not is_contained(column.type, value)
    planted = sum((outcomes.get(kind, Counter()) for kind in STRICT_TYPES), Counter[bool]())
    share, holes = _share(planted), _share(outcomes.get("hole", Counter()))
    detail = ", ".join(f"{kind} {count[True]}/{count.total()}" for kind, count in sorted(outcomes.items()))
    yield counted(
        "number, money, date, URL and email filled rightly", share * 100, "%", ok=share >= LEAST_RIGHT,
        target="≥ 85 %", note=f"{len(records)} rows; {detail}",
    )  # fmt: skip
    yield counted("holes left null", holes * 100, "%", ok=holes >= LEAST_HOLES, target="≥ 95 %")
    yield counted(
        "values whose quote does not contain them", uncontained, "values", ok=not uncontained and values > 0,
        target="0", note=f"of {values}",
    )  # fmt: skip


def _share(outcomes: Counter[bool]) -> float:
    return outcomes[True] / outcomes.total() if outcomes.total() else 0.0
