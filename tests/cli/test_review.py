"""The command `research review`, and `run --review` with and without a person at the terminal."""

import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest

GOAL = "What is the best hand coffee grinder for travel?"

pytestmark = pytest.mark.long


def test_a_job_waits_through_kills_is_rejected_goes_on_and_is_accepted_by_commands(research):
    run = research("run", GOAL, "--review", "--depth", "quick")
    assert run.code == 4, "it is neither done nor failed"
    assert "  waiting  " in research("list").out
    assert "Is this the answer that you wanted?" in run.out
    said = re.search(r"answer with: research review (\w+) --accept", run.err)
    assert said, run.err
    job = said[1]

    with research.anew().running("up") as up:
        up.until("are up")
        before = research("status", job, "--json").json
        up.process.kill()
        up.process.wait(30)
    with research.anew().running("up") as up:
        up.until("are up")
        time.sleep(3)
        after = research("status", job, "--json").json
    ages = {"last_action_age_seconds"}
    assert {name: after[name] for name in after.keys() - ages} == {
        name: before[name] for name in before.keys() - ages
    }
    assert after["state"] == "waiting_for_human"
    assert after["waits_for"][0].startswith("waits for an answer of a person")

    shown = research("review", job)
    assert shown.code == 0
    sources = re.findall(r"^  (\d+)\. .* – (http\S+)$", shown.out, re.M)
    assert sources
    assert "Journey" in shown.out
    assert research("review", job, "--reject-source", "77").code == 2
    assert research("review", job, "--accept", "--reject", "x").code == 2

    url = sources[0][1]
    rejected = research("review", job, "--reject-source", url, "--reject", "it sells what it praises")
    assert rejected.code == 0, rejected.err
    assert f"go on with: research run --resume {job}" in rejected.out
    again = research("run", "--resume", job)
    assert "Is this the answer that you wanted?" in again.out
    assert url not in re.findall(r"http\S+", again.out)

    accepted = research("review", job, "--accept")
    assert accepted.out == f"{job} is completed; `research result {job}` prints its report\n"
    result = research("result", job, "--json").json
    assert (result["status"], result["review"]["rounds"]) == ("completed", 1)
    assert url not in [source["url"] for source in result["sources"]]
    assert url not in [piece["url"] for piece in result["evidence"]]


def test_a_person_at_the_terminal_approves_the_plan_and_accepts_the_answer(research):
    main, side = pty.openpty()
    where = research.having(TERM="dumb", COLUMNS="200").where()
    command = [sys.executable, "-m", "research_crawler.cli", "run", GOAL, "--review", "--approve-plan"]
    process = subprocess.Popen(
        [*command, "--depth", "quick"], stdin=side, stdout=side, stderr=side, start_new_session=True, **where
    )
    os.close(side)
    seen = ""
    for expected, answer in (("go by this plan?", "accept"), ("answer that you wanted?", "accept")):
        seen = until(main, expected, seen)
        seen = until(main, "later)", seen[seen.index(expected) :])
        os.write(main, f"{answer}\n".encode())
        seen = ""
    rest = until(main, "Key Sources", "")
    assert "Answer" in rest
    until(main, None, "")
    assert process.wait(30) == 0


def until(main, words, seen):
    """What the terminal shows, up to these words; None: to its end."""
    ends = time.monotonic() + 90
    while words is None or words not in seen:
        assert time.monotonic() < ends, seen
        if not select.select([main], [], [], 1)[0]:
            continue
        try:
            piece = os.read(main, 65_536)
        except OSError:
            piece = b""
        if not piece:
            assert words is None, seen
            return seen
        seen += piece.decode(errors="replace")
    return seen
