"""Serves real manuals as a web of their own, for `answers`: the `docs_web.py` beside the saved pages.

`RESEARCH_DOCS_WEB` names the base URL of one that runs already, or the folder that `docs_web.py build` has filled.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.places import DATA, PROJECT

VARIABLE = "RESEARCH_DOCS_WEB"
SCRIPT = DATA.parent / "bench" / "docs_web.py"
CACHE = PROJECT / "build" / "docs-web"
LATENCY_S = 0.1
END_S = 10.0


def why_missing() -> str:
    """Why the manuals cannot be served; empty if they can."""
    named = os.environ.get(VARIABLE, "")
    if named.startswith("http"):
        return ""
    cache = Path(named) if named else CACHE
    if not SCRIPT.is_file():
        return f"there is no {SCRIPT.name} beside the saved pages (RESEARCH_TEST_DATA)"
    if not (cache / "index.pickle").is_file():
        return f"the manuals are not fetched; `python {SCRIPT.name} build FOLDER` does it; {VARIABLE} names FOLDER"
    return ""


@contextlib.contextmanager
def manuals() -> Iterator[str]:
    """The base URL of the search over the manuals, while they are served."""
    named = os.environ.get(VARIABLE, "")
    if named.startswith("http"):
        yield named.rstrip("/")
        return
    command = [sys.executable, str(SCRIPT), "serve", named or str(CACHE), "0", str(LATENCY_S)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout
        yield json.loads(server.stdout.readline())["search"]
    finally:
        server.terminate()
        server.wait(END_S)
