"""Serves tables of Wikipedia and the pages that they link to, for `ottqa` and `unseen`.

`wiki_web.py` lies in the folder that `RESEARCH_BENCH` names (default: `bench` beside the saved pages), its pages
under `ottqa` of RESEARCH_TEST_DATA. `RESEARCH_WIKI_WEB` names the base URL of one that runs already.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.places import DATA

VARIABLE = "RESEARCH_WIKI_WEB"
BENCH = Path(os.environ.get("RESEARCH_BENCH") or DATA.parent / "bench")
"""The folder of the servers that come with the saved pages."""
SCRIPT = BENCH / "wiki_web.py"
FOLDER = DATA / "ottqa"
PAGES = FOLDER / "pages.jsonl.xz"
END_S = 10.0


def why_missing() -> str:
    """Why the pages cannot be served; empty if they can."""
    if not PAGES.is_file():
        return "RESEARCH_TEST_DATA has no ottqa"
    if not os.environ.get(VARIABLE) and not SCRIPT.is_file():
        return f"there is no {SCRIPT.name} in {BENCH} (RESEARCH_BENCH)"
    return ""


@contextlib.contextmanager
def wikipedia() -> Iterator[str]:
    """The base URL of the search over the pages, while they are served."""
    if running := os.environ.get(VARIABLE):
        yield running.rstrip("/")
        return
    with served(SCRIPT, str(PAGES)) as search:
        yield search


@contextlib.contextmanager
def served(script: Path, *arguments: str) -> Iterator[str]:
    """The base URL that a server prints as `search` on its first line, while it runs."""
    command = [sys.executable, str(script), *arguments]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout
        yield json.loads(server.stdout.readline())["search"]
    finally:
        server.terminate()
        server.wait(END_S)
