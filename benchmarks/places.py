"""Where the benchmarks find the project, the saved pages and each other."""

import os
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("RESEARCH_TEST_DATA") or PROJECT.parent / "shared" / "data")
"""The saved pages and their truth."""


def module_of(name: str) -> str:
    """The dotted name of a module of the benchmarks, in whichever room it is: `kills` → `benchmarks.jobs.kills`."""
    first = name.partition(".")[0]
    rooms = [
        found.parent.name
        for found in PROJECT.glob(f"benchmarks/*/{first}*")
        if found.name in (first, f"{first}.py")
    ]
    return ".".join(["benchmarks", *rooms[:1], name])
