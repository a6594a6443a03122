"""What `research search` says while it waits for a provider."""

import pytest

from research_crawler.cli.web.search_command import say_wait
from research_crawler.frontier.command_locations import CommandLocation


@pytest.mark.parametrize(
    ("slot", "free_in_ms", "before", "line"),
    [
        ("searxng@search.example", 0, 3, "waiting for searxng; 3 before it"),
        ("brave@api.example", 42_000, 0, "waiting for brave, which is closed for 42 s; 0 before it"),
        ("de.wikipedia.org", 400, 1, "waiting for de.wikipedia.org; 1 before it"),
        ("_", 0, 0, "waiting for a crawler; 0 before it"),
    ],
)
def test_a_search_that_waits_names_its_provider_and_those_before_it(capsys, slot, free_in_ms, before, line):
    say_wait(
        CommandLocation(
            command="-:1", kind="search", leased=False, queue="search", slot=slot, for_ms=5_000,
            free_in_ms=free_in_ms, before=before,
        )
    )  # fmt: skip
    assert capsys.readouterr().err.strip() == f"research: {line}"
