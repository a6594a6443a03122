"""Writes the pages that are kept in the repository, for people who look for a file: `python3 -m scripts.reference`."""

from scripts.reference.kept import KEPT_PAGES
from scripts.reference.modules import ROOT

for path, make in KEPT_PAGES.items():
    (ROOT / "docs" / path).write_text(make(), encoding="utf-8")
