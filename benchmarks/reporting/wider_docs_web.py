"""Serves manuals that no constant and no rule was chosen on, for `unseen`: SQLite's and Borg's, beside three others.

    python -m benchmarks.reporting.wider_docs_web build FOLDER
    python -m benchmarks.reporting.wider_docs_web serve FOLDER [PORT] [LATENCY_S]

Debian packages, fetched by `apt-get download`, indexed and served by the `docs_web.py` that `RESEARCH_BENCH` names
(default: in `bench` beside the saved pages). `RESEARCH_WIDER_DOCS` names FOLDER, or the base URL of a running one.
"""

import contextlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.places import PROJECT
from benchmarks.reporting.wiki_web import BENCH, served

VARIABLE = "RESEARCH_WIDER_DOCS"
SCRIPT = BENCH / "docs_web.py"
CACHE = PROJECT / "build" / "wider-docs-web"
LATENCY_S = 0.1
_DOC = "usr/share/doc"
PACKAGES = {
    "sqlite3-doc": (f"{_DOC}/sqlite3", ".html"),
    "borgbackup-doc": (f"{_DOC}/borgbackup/html", ".html"),
    "libvirt-doc": (f"{_DOC}/libvirt-doc/html", ".html"),
    "knot-doc": (f"{_DOC}/knot-doc", ".html"),
    "ntpsec-doc": (f"{_DOC}/ntpsec-doc/html", ".html"),
}
"""By package: the folder of its pages, and how their names end."""
SEARCH_HOST = "127.0.42.1"


def why_missing() -> str:
    """Why the manuals cannot be served; empty if they can."""
    named = os.environ.get(VARIABLE, "")
    if named.startswith("http"):
        return ""
    if not SCRIPT.is_file():
        return f"there is no {SCRIPT.name} in {BENCH} (RESEARCH_BENCH)"
    if not ((Path(named) if named else CACHE) / "index.pickle").is_file():
        return f"the manuals are not fetched; `python -m {__name__} build FOLDER` does it; {VARIABLE} names FOLDER"
    return ""


@contextlib.contextmanager
def wider_manuals() -> Iterator[str]:
    """The base URL of the search over the manuals, while they are served."""
    named = os.environ.get(VARIABLE, "")
    if named.startswith("http"):
        yield named.rstrip("/")
        return
    with served(Path(__file__), "serve", named or str(CACHE), "0", str(LATENCY_S)) as search:
        yield search


def main() -> None:
    """Build or serve, with the server's own functions over these packages."""
    server = _docs_web()
    match sys.argv[1:]:
        case ["build", folder]:
            server.build(Path(folder))
        case ["serve", folder, *rest]:
            port, latency = (*rest, "0", str(LATENCY_S))[:2] if len(rest) < 2 else rest[:2]
            server.serve(Path(folder), int(port), float(latency))
        case _:
            sys.exit(__doc__)


def _docs_web() -> Any:
    spec = importlib.util.spec_from_file_location("docs_web", SCRIPT)
    assert spec
    assert spec.loader
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.PACKAGES = PACKAGES
    module.SEARCH_HOST = SEARCH_HOST
    network = SEARCH_HOST.rpartition(".")[0]
    module.HOSTS = {package: f"{network}.{place + 2}" for place, package in enumerate(PACKAGES)}
    return module


if __name__ == "__main__":
    main()
