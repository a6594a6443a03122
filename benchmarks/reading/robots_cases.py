"""Checks the robots.txt parser of the robots middleware on saved cases.

The cases are those of Google's own tests, collected as `robots/cases.json` in RESEARCH_TEST_DATA (default
`../shared/data`). The references are protego and the standard library, in the same run.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.robotparser import RobotFileParser

from protego import Protego

from benchmarks.figures import Calibration, Figure, counted
from benchmarks.places import DATA
from research_crawler.extraction.formats.robots_txt import parse_robots

LEAST = 130
Case = dict[str, Any]


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Count the cases that are answered correctly."""
    path = DATA / "robots" / "cases.json"
    if not path.is_file():
        print(f"no {path}; set RESEARCH_TEST_DATA")
        return
    cases: list[Case] = json.loads(path.read_text("utf-8"))
    right = _right(cases, _ours)
    yield counted(
        "robots.txt cases answered right",
        right,
        "cases",
        ok=right >= LEAST,
        target=f"≥ {LEAST}",
        reference=f"protego {_right(cases, _protego)}, urllib {_right(cases, _standard)}",
        note=f"of {len(cases)}",
    )


def _right(cases: list[Case], answer: Callable[[Case], bool]) -> int:
    return sum(answer(case) == case["allowed"] for case in cases)


def _ours(case: Case) -> bool:
    body = case["robots"].encode("utf-8", "surrogatepass")
    return parse_robots(200, body, now_ms=0).allowed(case["url"], case["agent"])


def _protego(case: Case) -> bool:
    return bool(Protego.parse(case["robots"]).can_fetch(case["url"], case["agent"]))


def _standard(case: Case) -> bool:
    parser = RobotFileParser()
    parser.parse(case["robots"].splitlines())
    return parser.can_fetch(case["agent"], case["url"])
