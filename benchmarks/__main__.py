"""`python -m benchmarks [NAME …] [--json FILE]`: run benchmarks.

The exit code is 1 if a figure misses its target.
"""

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.figures import Calibration, Figure
from benchmarks.places import module_of

BENCHMARKS = {
    "products": "products read from saved pages of shops",
    "shops": "offers of the demo web's shops read by a whole node, and a purchase",
    "latency": "time from push to parsed response on an idle node",
    "throughput": "pages per second of one node on 64 hosts",
    "politeness": "gaps between requests to a host, measured at the server",
    "single_flight": "20 jobs that want the same 50 pages",
    "failpoints": "a small job that is killed at every failpoint",
    "node_loss": "how soon another node takes over a dead node's commands",
    "kills": "20 jobs under 5 random SIGKILLs",
    "searches": "20, 60 and 100 jobs submitted at once, with one SearXNG",
    "recall": "planted facts found on the demo web by the extractive brain",
    "answers": "questions on real manuals answered by the extractive brain, end to end",
    "ottqa": "two-hop questions over tables of Wikipedia answered by the extractive brain, end to end",
    "unseen": "questions that nothing was tuned on, answered by the extractive brain, end to end",
    "loop": "facts found with attempts and analyst, beside a loop that searches once and reads as many pages",
    "robots_cases": "robots.txt on saved cases",
    "retrieval": "search of the memory on SciFact, by meaning, by words and fused",
    "second_question": "a second question on a subject, with and without the memory of the first",
    "serp": "saved result pages of search engines",
    "blockers": "challenges and login pages among ordinary pages",
    "reports": "reports on a web of invented things: planted facts, stale values, contradictions, orders",
    "model_calls": "model calls, calls in sequence and tokens of a job, by type and depth",
    "depth": "planted facts that are right after 8, 40 and 150 pages were read on one subject",
    "disagreements": "pairs of statements that contradict each other, or can both be true, in eight languages",
    "claims": "sentences compared with their sources: labelled claims, and a scripted careless writer",
    "lengths": "30 asked lengths of reports with a scripted model",
    "promptness": "how soon the user sees results and findings",
    "serve": "requests to the server with 200 open jobs and 200 readers, and the start of commands",
    "dashboard": "pages of the dashboard in the browser, with 1,000 jobs, one of them with 5,000 findings",
    "guard": "private addresses reached in every possible way, and 1,000 ordinary addresses",
    "rendering": "240 pages in the browser: processes and memory",
    "pages": "the main text of saved pages, its speed, and the lag of the loop meanwhile",
    "watches": "1,000 watches for 30 days on a simulated clock, with faults and cancellations",
    "batch": "a batch that is killed and resumed: rows that end, topics an hour, pages fetched once",
    "columns": "typed values of 42 invented things, with decoys and holes, end to end",
    "columns_manuals": "typed values of 41 settings on real manuals, each page of which defines hundreds",
    "columns_saved": "typed values on saved pages of shops, services and manuals, beside a page of something else",
    "topics": "topics with a scripted model and without one, beside GPT Researcher",
    "short_answers": "questions on real manuals by a model that writes little, with the faults of small ones",
    "small_model": "a job with the small local model",
    "small_model_form": "the small local model's answers that keep the form of each role",
}


def main() -> int:
    """Run the named benchmarks and print a summary."""
    arguments = _parse()
    names = arguments.names or list(BENCHMARKS)
    calibration = Calibration.started()
    print(calibration.line(), flush=True)
    figures: list[Figure] = []
    begun = time.monotonic()
    for name in names:
        figures += _run(name, calibration)
    print(f"\n=== summary ({(time.monotonic() - begun) / 60:.1f} minutes) ===")
    for figure in figures:
        print(figure.line())
    print(calibration.line())
    missed = [figure for figure in figures if figure.ok is False]
    met = [figure for figure in figures if figure.ok]
    print(f"{len(met)} met, {len(missed)} missed, {len(figures) - len(met) - len(missed)} without a verdict")
    if arguments.json:
        document = {"figures": [asdict(figure) for figure in figures], "calibration_s": calibration.times_s}
        arguments.json.write_text(json.dumps(document, indent=1) + "\n")
    return 1 if missed else 0


def _run(name: str, calibration: Calibration) -> Iterator[Figure]:
    """The figures of one benchmark. A benchmark that raises an error counts as missed."""
    print(f"\n=== {name}: {BENCHMARKS[name]} ===", flush=True)
    module: Any = importlib.import_module(module_of(name))
    measure: Callable[[Calibration], Iterator[Figure]] = module.measure
    begun = time.monotonic()
    try:
        for figure in measure(calibration):
            print(figure.line(), flush=True)
            yield figure
    except Exception as error:
        figure = Figure(f"{name} broke", 1, "error", target="0", ok=False, note=str(error)[-600:])
        print(figure.line(), flush=True)
        yield figure
    print(f"({time.monotonic() - begun:.0f} s)", flush=True)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    listed = "; ".join(f"{name}: {purpose}" for name, purpose in BENCHMARKS.items())
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"benchmarks to run (default: all). {listed}"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures as JSON")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.names) - set(BENCHMARKS))
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; choose from {', '.join(BENCHMARKS)}")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
