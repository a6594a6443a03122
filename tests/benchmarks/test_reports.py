"""A part of the benchmark `reports` with real processes: what holds whatever a report says."""

import json
import os
import subprocess
import sys

import pytest

from benchmarks.places import PROJECT

HOLDS = (
    "quotes that are verbatim",
    "citations of pages that were not read",
    "strict citation support without a model",
    "orders of pages that were followed",
)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_reports_on_a_local_web_quote_verbatim_cite_what_was_read_and_follow_no_orders(tmp_path):
    file = tmp_path / "figures.json"
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks", "reports", "--json", str(file)],
        cwd=PROJECT,
        env={**os.environ, "RESEARCH_REPORTS_BENCH": "quick"},
        capture_output=True,
        text=True,
        check=False,
    )
    figures = {figure["name"]: figure for figure in json.loads(file.read_text())["figures"]}
    assert "reports broke" not in figures, run.stdout
    assert [name for name in HOLDS if not figures[name]["ok"]] == [], run.stdout
