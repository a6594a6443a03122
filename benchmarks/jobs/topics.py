"""Runs topics on a scripted model and a small web, beside GPT Researcher on the same; or profiles them.

The servers and both drivers are in the folder that RESEARCH_BENCH names (`README.md` there says what they do). GPT
Researcher runs in an environment of its own, whose Python RESEARCH_GPT_RESEARCHER names; without it there is no
reference, and no ratio.
"""

import argparse
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Calibration, Figure, counted
from benchmarks.places import PROJECT

BENCH = Path(os.environ.get("RESEARCH_BENCH") or PROJECT.parent / "shared" / "bench")
AT_ONCE = 20
KEYLESS_AT_ONCE, MOST_KEYLESS_S = 60, 90.0
MODEL_S, PAGE_S = 0.5, 0.1
VISITS = 6
MOST_CPU_MODEL_S, MOST_CPU_KEYLESS_S = 0.5, 2.0
LEAST_RATE, MOST_ALONE = 0.8, 1.2
REFERENCE_CALLS = 5
"""Model calls of GPT Researcher that follow one another; the README has them."""
_LINE = re.compile(r"wall (?P<wall>[\d.]+) s .*?(?P<rate>\d+) topics/h.*cpu/topic (?P<cpu>[\d.]+) s")
_REFERENCE = re.compile(r"wall (?P<wall>[\d.]+)s +(?P<rate>\d+) topics/h")
_SAMPLES_A_S = 100


@dataclass(frozen=True)
class Run:
    """What one driver said of so many topics at once."""

    topics: int
    wall_s: float
    rate: float
    cpu_s: float = 0.0


def measure(_calibration: Calibration) -> Iterator[Figure]:
    """Both brains alone and together, and GPT Researcher in the same minutes."""
    if not (BENCH / "topics.py").is_file():
        yield Figure("topics: no folder with the servers and drivers; set RESEARCH_BENCH", 0, "runs")
        return
    with servers() as ports:
        alone, *together = topics(ports, AT_ONCE, "model", "quick")[1:]
        best = max(together, key=lambda run: run.rate)
        reference = [reference_run(ports, n) for n in (1, AT_ONCE)]
        yield from _with_model(alone, best, reference)
        keyless = topics(ports, KEYLESS_AT_ONCE, "extractive", "standard")
    yield _at_most("standard without a model: processor time a topic", keyless[1].cpu_s, MOST_CPU_KEYLESS_S)
    yield _at_most(
        f"{KEYLESS_AT_ONCE} jobs at once without a model", min(r.wall_s for r in keyless[2:]), MOST_KEYLESS_S
    )


def _with_model(alone: Run, best: Run, reference: list[Run | None]) -> Iterator[Figure]:
    yield _at_most(
        f"quick with a model, {AT_ONCE} at once: processor time a topic", best.cpu_s, MOST_CPU_MODEL_S
    )
    ours, theirs = reference
    if ours is None or theirs is None:
        yield Figure("quick with a model: topics an hour", best.rate, "topics", note="no reference")
        return
    ratio = best.rate / theirs.rate
    yield counted(
        f"quick with a model, {AT_ONCE} at once: topics an hour, of GPT Researcher's",
        ratio,
        "×",
        ok=ratio >= LEAST_RATE,
        target=f"≥ {LEAST_RATE:g}",
        reference=f"{theirs.rate:,.0f} an hour beside our {best.rate:,.0f}",
    )
    slower = alone.wall_s / ours.wall_s
    yield counted(
        "quick with a model, one topic alone: time, of GPT Researcher's",
        slower,
        "×",
        ok=slower <= MOST_ALONE,
        target=f"≤ {MOST_ALONE:g} for as many calls in sequence ({REFERENCE_CALLS})",
        reference=f"{ours.wall_s:.1f} s beside our {alone.wall_s:.1f} s",
    )


def _at_most(name: str, value: float, most: float) -> Figure:
    return counted(name, value, "s", ok=value <= most, target=f"≤ {most:g} s")


def topics(
    ports: tuple[int, int, int], count: int, brain: str, depth: str, *, program: Path | None = None
) -> list[Run]:
    """Run topics with `research up --serve`: one to warm up, one alone, and twice so many at once."""
    web, scripted, _ = ports
    with tempfile.TemporaryDirectory() as folder:
        path = program or Path(folder) / "research"
        if program is None:
            write_program(path, f'exec "{sys.executable}" -m research_crawler.cli "$@"')
        env = os.environ | {"BIN": str(path), "WEB_PORT": str(web), "LLM_PORT": str(scripted)}
        done = subprocess.run(
            [sys.executable, str(BENCH / "topics.py"), str(count), str(VISITS), brain, depth],
            env=env | {"PORT": str(free_port())},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    print(done.stdout, flush=True)
    return [
        Run(1 if place < 2 else count, float(m["wall"]), float(m["rate"]), float(m["cpu"]))
        for place, m in enumerate(_LINE.finditer(done.stdout))
    ]


def reference_run(ports: tuple[int, int, int], count: int) -> Run | None:
    """So many topics at once with GPT Researcher; None where it is not installed."""
    python = os.environ.get("RESEARCH_GPT_RESEARCHER", "")
    if not python:
        return None
    web, _, stub = ports
    done = subprocess.run(
        [python, str(BENCH / "gpt_researcher_run.py"), str(count), str(count)],
        env=os.environ | {"WEB_PORT": str(web), "LLM_PORT": str(stub)},
        cwd=tempfile.gettempdir(),
        capture_output=True,
        text=True,
        check=False,
    )
    print(done.stdout, flush=True)
    found = _REFERENCE.search(done.stdout)
    return Run(count, float(found["wall"]), float(found["rate"])) if found else None


@contextlib.contextmanager
def servers() -> Iterator[tuple[int, int, int]]:
    """The small web, the scripted model and the stub model, on free ports."""
    started = []
    ports = (free_port(), free_port(), free_port())
    try:
        for name, port, latency_s in zip(
            ("small_web.py", "scripted_llm.py", "stub_llm.py"), ports, (PAGE_S, MODEL_S, MODEL_S), strict=True
        ):
            command = [sys.executable, str(BENCH / name), str(port), str(latency_s)]
            more = [str(VISITS)] if name == "scripted_llm.py" else []
            started.append(subprocess.Popen([*command, *more], stdout=subprocess.DEVNULL))
        for port in ports:
            _wait_until_open(port)
        yield ports
    finally:
        for process in started:
            process.terminate()
            process.wait()


def free_port() -> int:
    """A port that nobody listens at now."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def _wait_until_open(port: int) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"a server of {BENCH} did not start at port {port}")


def write_program(path: Path, command: str) -> None:
    """A program that runs a command with this project."""
    path.write_text(f'#!/bin/bash\nexport PYTHONPATH="{PROJECT}"\n{command}\n')
    path.chmod(0o755)


def profile(folder: Path, count: int) -> None:
    """Profile both brains with py-spy: `topics-BRAIN.raw` (stacks with their samples) and `topics-BRAIN.svg`."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("topics-*"):
        old.unlink()
    with servers() as ports, tempfile.TemporaryDirectory() as hidden:
        for brain, depth in (("model", "quick"), ("extractive", "standard")):
            program = Path(hidden) / "research"
            write_program(
                program, f'exec "{sys.executable}" -m benchmarks.jobs.topics under "{folder}" {brain} "$@"'
            )
            topics(ports, count, brain, depth, program=program)
            _wait_for(folder / f"topics-{brain}.svg")
            print(f"{folder}/topics-{brain}.raw and {folder}/topics-{brain}.svg")


def _wait_for(path: Path) -> None:
    """Wait for a sampler that is still writing what it saw."""
    end_s = time.monotonic() + 60
    while not path.exists() and time.monotonic() < end_s:
        time.sleep(0.2)


def under_profiler(folder: Path, brain: str, arguments: list[str]) -> int:
    """Run `research` under two samplers, one a form of output, and end when it does."""
    program = subprocess.Popen([sys.executable, "-m", "research_crawler.cli", *arguments])
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: program.send_signal(number))
    # Two samplers that stop the program would stop each other.
    of = ["--pid", str(program.pid), "--subprocesses", "--nonblocking", "--rate", str(_SAMPLES_A_S)]
    spy, out = str(Path(sys.executable).with_name("py-spy")), f"{folder}/topics-{brain}"
    samplers = [
        subprocess.Popen(
            [spy, "record", *of, "--format", form, "--output", f"{out}.{suffix}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for form, suffix in (("raw", "raw"), ("flamegraph", "svg"))
    ]
    code = program.wait()
    for sampler in samplers:
        sampler.wait()
    return code


def _main() -> int:
    if sys.argv[1:2] == ["under"]:
        return under_profiler(Path(sys.argv[2]), sys.argv[3], sys.argv[4:])
    parser = argparse.ArgumentParser(prog="python -m benchmarks.jobs.topics", description=profile.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--topics", type=int, default=8)
    asked = parser.parse_args()
    if not (BENCH / "topics.py").is_file():
        print(f"{BENCH} has no topics.py; set RESEARCH_BENCH to the folder with it")
        return 1
    profile(asked.folder.absolute(), asked.topics)
    return 0


if __name__ == "__main__":
    sys.exit(_main())
