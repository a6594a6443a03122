"""`--workers N`: the tests are collected once and run in N processes forked from this one.

Each process takes the next file, the files that take longest first; tests marked `timing` run after all others, in one
process. A process of pytest-xdist would import and collect everything anew, 20 seconds of a processor each.
"""

import atexit
import contextlib
import itertools
import os
import signal
import sys
import traceback
from multiprocessing import connection
from pathlib import Path
from typing import Any

import pytest

Files = list[list[pytest.Item]]
NUMBER_BYTES = 2

LONGEST = (
    "interfaces/mcp/test_stdio.py",
    "handlers/test_browser.py",
    "cli/test_bad_input.py",
    "crawler/test_loss.py",
    "interfaces/mcp/test_tools.py",
    "cli/test_run.py",
    "cli/test_foreign_folder.py",
    "cli/test_processes.py",
    "examples/test_examples.py",
    "adapters/models/test_local_model.py",
    "cli/test_watch.py",
    "crawler/test_projects.py",
    "benchmarks/test_reports.py",
    "attacks/test_hostile_findings.py",
    "interfaces/dashboard/test_in_browser.py",
    "crawler/test_search_turns.py",
    "crawler/test_rendering.py",
    "cli/test_memory.py",
    "crawler/test_failpoints.py",
    "docker/test_services.py",
    "cli/test_review.py",
    "frontier/test_protocol.py",
    "attacks/test_patterns.py",
    "services/reviews/test_sequences.py",
    "crawler/test_scrapy.py",
    "crawler/test_hazards.py",
    "crawler/test_providers.py",
    "crawler/test_stock_spiders.py",
    "cli/test_commands.py",
    "cli/test_offers.py",
    "cli/test_render.py",
    "cli/test_system.py",
)
"""Files whose tests take half a minute and more together. One that began last would be waited for."""


def sort(items: list[pytest.Item]) -> None:
    """The longest files first, all others as they are; the tests of a file stay together."""
    tests = Path(__file__).parent
    place = {tests / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(LONGEST)))


class Worker:
    """A forked process that runs tests, as the process that collected them sees it."""

    def __init__(self, session: pytest.Session, files: Files, waiting: int) -> None:
        self.reports, reporting = connection.Pipe(duplex=False)
        self.left: list[pytest.Item] = []
        """What this process has still to run of its file, with the test that is running."""
        self.has_ended = False
        self.pid = os.fork()
        if not self.pid:
            _work(session, files, waiting, reporting)
        reporting.close()

    def take(self, files: Files, config: pytest.Config) -> bool:
        """Handle the next message; false when there is none left."""
        try:
            kind, content = self.reports.recv()
        except EOFError:
            return False
        if kind == "file":
            self.left = list(files[content])
        elif kind == "report":
            report = config.hook.pytest_report_from_serializable(config=config, data=content)
            config.hook.pytest_runtest_logreport(report=report)
        elif kind == "done":
            del self.left[0]
        else:
            self.has_ended = True
        return True

    def close(self, session: pytest.Session) -> None:
        """Wait for its end. The tests that it leaves have failed."""
        self.reports.close()
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        if self.has_ended:
            return
        words = f"a process that runs tests ended with {code}"
        for item in self.left:
            report = pytest.TestReport(item.nodeid, item.location, {}, "failed", words, "call")
            session.config.hook.pytest_runtest_logreport(report=report)
        if not self.left:
            session.shouldfail = words


def run(session: pytest.Session, number: int) -> None:
    """Run the tests of a session in so many processes, and report them here."""
    beside, alone = (
        [list(items) for _, items in itertools.groupby(some, key=lambda item: item.path)]
        for some in (
            [item for item in session.items if not item.get_closest_marker("timing")],
            [item for item in session.items if item.get_closest_marker("timing")],
        )
    )
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    for files, processes in ((beside, number), (alone, 1)):
        _run(session, files, min(processes, len(files)))


def _run(session: pytest.Session, files: Files, number: int) -> None:
    waiting, adding = os.pipe()
    os.write(adding, b"".join(place.to_bytes(NUMBER_BYTES, "big") for place in range(len(files))))
    os.close(adding)
    workers = {worker.reports: worker for worker in (Worker(session, files, waiting) for _ in range(number))}
    os.close(waiting)
    try:
        while workers:
            for ready in connection.wait(list(workers)):
                if not workers[ready].take(files, session.config):  # type: ignore[index]
                    workers.pop(ready).close(session)  # type: ignore[call-overload]
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
    finally:
        for worker in workers.values():
            os.kill(worker.pid, signal.SIGINT)
        for worker in workers.values():
            os.waitpid(worker.pid, 0)


def _work(session: pytest.Session, files: Files, waiting: int, reporting: Any) -> None:
    """Run one file after the other, until none is left, and end this process."""
    code = 1
    try:
        _separate(session.config)
        session.config.pluginmanager.register(_Reporter(session.config, reporting))
        for place in iter(lambda: os.read(waiting, NUMBER_BYTES), b""):
            reporting.send(("file", number := int.from_bytes(place, "big")))
            items = files[number]
            for item, following in itertools.zip_longest(items, items[1:], fillvalue=session):
                # After the last test of a file the session's fixtures stay, and no others.
                session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                reporting.send(("done", None))
        session._setupstate.teardown_exact(None)
        atexit._run_exitfuncs()
        reporting.send(("end", None))
        code = 0
    except BaseException:
        traceback.print_exc()
        with contextlib.suppress(BaseException):
            session._setupstate.teardown_exact(None)
            atexit._run_exitfuncs()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _separate(config: pytest.Config) -> None:
    """Files of its own for captured output and temporary folders, and nothing in the terminal."""
    capture = config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    capture.suspend_global_capture(in_=True)
    folders = config._tmp_path_factory  # type: ignore[attr-defined]
    folders._given_basetemp, folders._basetemp = folders.getbasetemp() / str(os.getpid()), None
    terminal = config.pluginmanager.getplugin("terminalreporter")
    terminal._tw = type(terminal._tw)(Path(os.devnull).open("w"))  # noqa: SIM115  (open to the end)


class _Reporter:
    def __init__(self, config: pytest.Config, reporting: Any) -> None:
        self.config, self.reporting = config, reporting

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        self.reporting.send(("report", data))
