"""Benchmarks run for many minutes; these tests say that each is found, and what `python -m benchmarks` answers."""

import subprocess
import sys
from importlib.util import find_spec

from benchmarks.__main__ import BENCHMARKS
from benchmarks.places import PROJECT, module_of


def test_every_benchmark_is_found_in_its_room_by_its_name():
    for name in BENCHMARKS:
        spec = find_spec(module_of(name))
        assert spec, name
        assert "def measure(" in (PROJECT / spec.origin).read_text(), name


def test_an_unknown_benchmark_is_refused_with_the_names_of_all():
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks", "speeed"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "there is no benchmark 'speeed'; choose from products, shops" in run.stderr
