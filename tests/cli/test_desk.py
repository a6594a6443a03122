"""The commands around the terminal: completion, and a report in the browser."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "research_crawler.cli"]


def said(*arguments: str, **environment: str) -> str:
    run = subprocess.run(
        [*COMMAND, *arguments], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    return run.stdout + run.stderr


def test_commands_and_options_are_completed_in_the_users_shell():
    assert "_research_completion" in said("completion", SHELL="/bin/bash")
    assert "compdef" in said("completion", "zsh")
    assert "name your shell" in said("completion", SHELL="/bin/other")
    found = said(_RESEARCH_COMPLETE="bash_complete", COMP_WORDS="research wat", COMP_CWORD="1")
    assert found == "plain,watch\n"


@pytest.mark.long
def test_a_report_opens_as_a_page_in_the_jobs_folder(research):
    answer = research("run", "How do I descale the Brunholt Corva?", "--depth", "quick", "--json")
    job = answer.json["job"]
    browser = research.folder / "browser"
    browser.write_text('#!/bin/sh\necho "$1" > "$(dirname "$0")/shown"\n')
    browser.chmod(0o700)
    opened = research.having(BROWSER=str(browser))("open", job)
    assert opened.code == 0, opened.err
    shown = (research.folder / "shown").read_text().strip()
    assert shown == f"file://{answer.json['folder']}/report.html"
    assert "<html" in Path(shown.removeprefix("file://")).read_text("utf-8")
    assert research("open", job, "--print").out.strip() == shown
    assert research("open", "nosuchjob").code == 2
    assert research("open", "--print").out.strip() == shown, "the newest job"
    empty = research.having(RESEARCH_HOME=str(research.folder / "empty"))("open")
    assert (empty.code, "there is no job yet" in empty.err) == (2, True)
    with research.having(RESEARCH_SERVE_PORT="0").running("up", "--serve") as server:
        url = re.search(r"http://[\d.:]+", server.until("serving"))[0]
        assert research("open", job[:5], "--print").out.strip() == f"{url}/ui/jobs/{job}"
    assert research("open", job, "--print").out.strip() == shown
