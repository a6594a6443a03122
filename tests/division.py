"""How the tests are divided over processes: the files that take longest first, and timing tests by themselves."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdist.scheduler import LoadFileScheduling

LONGEST = (
    "interfaces/dashboard/test_batch_pages.py",
    "cli/test_run.py",
    "attacks/test_hostile_findings.py",
    "interfaces/mcp/test_stdio.py",
    "adapters/models/test_local_model.py",
    "cli/test_processes.py",
    "examples/test_examples.py",
    "cli/test_foreign_folder.py",
    "crawler/test_projects.py",
    "crawler/test_failpoints.py",
    "crawler/test_rendering.py",
    "services/reviews/test_sequences.py",
    "crawler/test_loss.py",
    "crawler/test_search_turns.py",
    "interfaces/http/test_connections.py",
    "cli/test_watch.py",
    "crawler/test_single_flight.py",
    "cli/test_commands.py",
    "interfaces/dashboard/test_in_browser.py",
    "cli/test_python.py",
    "benchmarks/test_reports.py",
    "cli/test_source_dialogues.py",
    "docker/test_services.py",
    "handlers/test_browser.py",
    "crawler/test_scrapy.py",
    "cli/test_model_set_later.py",
    "cli/test_serve.py",
    "planner/test_worker.py",
    "frontier/test_protocol.py",
    "cli/test_memory.py",
    "cli/test_review.py",
    "attacks/test_patterns.py",
    "crawler/test_vendors.py",
    "costs/test_costs.py",
    "cli/test_bad_input.py",
    "middlewares/test_address_guard.py",
    "crawler/test_interventions.py",
    "extraction/products/test_scored_shops.py",
    "interfaces/dashboard/test_asking.py",
)
"""Files whose tests of `make test` or of `make test-long` take a quarter of a minute and more together, by that time.

One that began last would be waited for.
"""

SHARED = {
    "tests/adapters/models/test_bert_encoder.py": "torch",
    "tests/adapters/models/test_embedder.py": "torch",
    "tests/adapters/models/test_local_model.py": "torch",
    "tests/attacks/test_parse_processes.py": "parse processes",
    "tests/attacks/test_patterns.py": "sources",
    "tests/cli/test_commands.py": "up",
    "tests/cli/test_forget.py": "up",
    "tests/cli/test_processes.py": "up",
    "tests/contracts/test_every_private_name.py": "sources",
    "tests/crawler/test_desk_screen.py": "node",
    "tests/crawler/test_politeness.py": "node",
    "tests/crawler/test_request_state.py": "node",
    "tests/crawler/test_scrapy.py": "node",
    "tests/crawler/test_sections.py": "node",
    "tests/crawler/test_single_flight.py": "node",
    "tests/crawler/test_vendors.py": "node",
    "tests/docs/test_architecture.py": "sources",
    "tests/docs/test_reference.py": "sources",
    "tests/extraction/process/test_pool.py": "parse processes",
    "tests/extraction/products/test_reading.py": "parse processes",
    "tests/extraction/test_sample_pages.py": "parse processes",
    "tests/pipelines/test_products.py": "parse processes",
    "tests/planner/brains/model/test_repair.py": "parse processes",
    "tests/planner/test_function_names.py": "sources",
    "tests/test_circles.py": "sources",
    "tests/test_constants.py": "sources",
    "tests/test_names.py": "sources",
    "tests/test_open_signatures.py": "sources",
    "tests/test_reason_texts.py": "sources",
    "tests/types/test_changes.py": "sources",
}
"""Files whose tests use one system, node or set of parsed modules that takes seconds: one process runs them all."""
PAGES = ("tests/interfaces/dashboard/", "tests/interfaces/http/")
"""Folders whose tests use the same templates and routes, made once a process; they are longer than any file."""


class Division(LoadFileScheduling):
    """Whole files for each process, and those that share what is slow to start for the same one."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return next((folder for folder in PAGES if file.startswith(folder)), SHARED.get(file, file))


def sort(items: list[pytest.Item]) -> None:
    """The longest files first, all others as they are; the tests of a file stay together."""
    tests = Path(__file__).parent
    place = {tests / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(LONGEST)))


@contextlib.contextmanager
def turn(item: pytest.Item) -> Iterator[None]:
    """Hold back the tests of the other processes during a timing test; let all others run side by side."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        yield
        return
    is_timing = item.get_closest_marker("timing") is not None
    kind = fcntl.LOCK_EX if is_timing else fcntl.LOCK_SH
    folder = item.config.rootpath / ".pytest_cache"
    folder.mkdir(exist_ok=True)
    with (folder / "door").open("w") as door, (folder / "room").open("w") as room:
        fcntl.flock(
            door, kind
        )  # who waits for the empty room stands in the door: nobody else goes in meanwhile
        fcntl.flock(room, kind)
        if not is_timing:
            fcntl.flock(door, fcntl.LOCK_UN)
        yield
