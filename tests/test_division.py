"""Tests that run in several processes are reported as those that run in one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
SHARED = """
import os, time
from pathlib import Path
import pytest

def write(line):
    with Path(__file__).with_name("log").open("a") as log:
        log.write(f"{os.getpid()} {line}\\n")

@pytest.fixture(scope="session", autouse=True)
def once():
    write("set up")
    yield
    write("torn down")
"""
FILES = {
    "conftest.py": SHARED,
    "test_a.py": "def test_fine(): print('a')\ndef test_wrong(): print('said'); assert 1 == 2\ndef test_last(): pass",
    "test_b.py": """
import os, pytest
def test_fine(tmp_path): assert tmp_path.is_dir()
def test_killed(): os.kill(os.getpid(), 9)
def test_never_begun(): pass
""",
    "test_c.py": """
import pytest
from pathlib import Path
@pytest.mark.timing
def test_alone(): assert Path(__file__).with_name("log").read_text().count("torn down") == 1
def test_beside(capfd):
    print("b")
    assert capfd.readouterr().out == "b\\n"
""",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What a run of these tests in two processes printed, its exit code, and its folder."""
    folder = tmp_path_factory.mktemp("divided")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    options = ["-q", "-p", "tests.conftest", "-c", "/dev/null", "--rootdir", folder, "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *map(str, options), "--workers", "2", str(folder)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=100)
    return done.stdout, done.returncode, folder


def test_every_test_is_reported_once_and_those_that_a_lost_process_leaves_have_failed(run):
    said, code, _ = run
    assert code == 1
    assert "3 failed, 5 passed" in said
    failed = re.findall(r"^FAILED \S+::(\w+)", said, re.M)
    assert sorted(failed) == ["test_killed", "test_never_begun", "test_wrong"]
    assert "a process that runs tests ended with -9" in said
    assert "said" in said


def test_a_process_sets_up_the_session_once_and_tears_it_down_before_timing_tests_begin(run):
    lines = [line.split(" ", 1) for line in (run[2] / "log").read_text().splitlines()]
    done = [sorted(what for its, what in lines if its == pid) for pid in dict(lines)]
    assert sorted(done) == [["set up"], ["set up", "torn down"], ["set up", "torn down"]]
