"""A second question on a subject, with the memory of the first and without it: what is fetched, and what is found.

Four pairs of questions on the demo web, by the extractive brain. The pages that a job without memory shares with an
earlier one for a day are not in play: the run without memory has a data folder of its own.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.figures import Calibration, Figure, counted
from research_crawler.demo.process import local_web_process

PAIRS = (
    ("How do I grow ember fern from spores?", "What does growing ember fern from spores need?"),
    (
        "When does the Marrowby tram line 7 open?",
        "What is known about the opening of tram line 7 in Marrowby?",
    ),
    (
        "What does error E47 of a Brightwell dishwasher mean?",
        "How do I clear error E47 on my Brightwell dishwasher?",
    ),
    ("How tall is the Skelder lighthouse?", "Who designed the Skelder lighthouse?"),
)
LEAST_SAVED = 0.4
LONGEST_S = 300


@dataclass(frozen=True)
class Asked:
    """The figures of one run."""

    fetched: int
    searches: int
    quotes: int
    remembered: int


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Pages fetched by second questions with memory, as a share of those without."""
    with local_web_process() as web, tempfile.TemporaryDirectory(prefix="second-") as folder:
        settings = os.environ | {
            "SEARXNG_URL": web.search,
            "RESEARCH_PROVIDERS": "searxng",
            "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
            "PHASE1_VISIT_DELAY_SECONDS": "0",
        }
        pairs = [_pair(settings, Path(folder, str(n)), *pair) for n, pair in enumerate(PAIRS)]
    known, alone = (sum(pair[which].fetched for pair in pairs) for which in (0, 1))
    saved = 1 - known / max(1, alone)
    quotes = [sum(pair[which].quotes for pair in pairs) for which in (0, 1)]
    yield counted(
        "pages that a second question does not fetch, with memory", saved, "of 1", ok=saved >= LEAST_SAVED,
        target=f"≥ {LEAST_SAVED:g}", reference=f"{alone} pages without memory, {known} with it",
        note=f"{len(PAIRS)} pairs; evidence {quotes[0]} with memory, {quotes[1]} without",
    )  # fmt: skip


def _pair(settings: Mapping[str, str], folder: Path, first: str, second: str) -> tuple[Asked, Asked]:
    """The second question after the first one, and in an empty data folder."""
    _run(settings, folder / "known", first)
    return _run(settings, folder / "known", second), _run(settings, folder / "alone", second)


def _run(settings: Mapping[str, str], home: Path, goal: str) -> Asked:
    command = [sys.executable, "-m", "research_crawler.cli", "run", goal, "--json"]
    done = subprocess.run(
        command, env={**settings, "RESEARCH_HOME": str(home)}, capture_output=True, text=True,
        timeout=LONGEST_S, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr[-500:])
    report: dict[str, Any] = json.loads(done.stdout)
    metrics, evidence = report["metrics"], report["evidence"]
    remembered = sum(bool(entry["remembered_from"]) for entry in evidence)
    return Asked(metrics["pages_fetched"], metrics["searches"], len(evidence), remembered)
