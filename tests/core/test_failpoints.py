import os
import signal
import subprocess
import sys

import pytest

from research_crawler.core.errors import ConfigError
from research_crawler.core.failpoints import VARIABLE, failpoint

PROGRAM = """
from research_crawler.core.failpoints import failpoint
for n in range(3):
    failpoint("after-lease")
    failpoint("before-settle")
    print(n, flush=True)
"""


def run(setting: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {VARIABLE: setting},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_process_is_killed_when_the_failpoint_is_reached_the_nth_time():
    ended = run("before-settle:2")
    assert (ended.returncode, ended.stdout) == (-signal.SIGKILL, "0\n")


def test_other_failpoints_do_nothing():
    assert run("after-fire:1").stdout == "0\n1\n2\n"


@pytest.mark.parametrize("setting", ["after-lunch:1", "after-lease:0", "after-lease:soon"])
def test_a_malformed_setting_is_an_error(monkeypatch, setting):
    monkeypatch.setenv(VARIABLE, setting)
    with pytest.raises(ConfigError, match=VARIABLE):
        failpoint("after-lease")
