"""What status says of a job's waiting."""

from research_crawler.frontier.command_locations import CommandLocation
from research_crawler.services.jobs.waiting import waiting_lines
from tests.cases import each_case


def queued(
    slot: str,
    *,
    queue: str = "page",
    free_in_ms: int = 0,
    before: int = 0,
    for_ms: int = 0,
    is_full: bool = False,
) -> CommandLocation:
    return CommandLocation("j:1", "visit", False, queue, slot, for_ms, free_in_ms, before, is_full)


@each_case(
    ("location", "line"),
    [
        (queued("a.example", free_in_ms=2_100), "waits for host a.example: delay 2 s"),
        (queued("a.example", free_in_ms=5_000, before=3), "waits for host a.example: delay 5 s, 3 before it"),
        (
            queued("a.example", free_in_ms=35_000, is_full=True),
            "waits for host a.example: a download from it is under way",
        ),
        (
            queued("searxng@h", queue="search", free_in_ms=35_000, before=2, is_full=True),
            "waits for provider searxng: a call is under way, 2 before it",
        ),
        (queued("searxng@127.0.0.1", queue="search", before=14), "waits for provider searxng: 14 before it"),
        (queued("_", before=2), "waits for a crawler: 2 before it"),
        (queued("_"), "waits for a crawler: none is free"),
        (queued("a.example", queue="render"), "waits for a crawler with a browser, for host a.example"),
    ],
)
def test_a_line_names_what_a_command_waits_for(location, line):
    assert waiting_lines([location], nodes=1) == [line]


def test_without_a_crawler_that_is_all_that_is_said():
    assert waiting_lines([queued("a.example", free_in_ms=9)], nodes=0) == [
        "waits for a crawler: none is running"
    ]


def test_each_host_is_named_once_and_what_is_worked_on_is_not_waited_for():
    leased = CommandLocation("j:4", "visit", True, "page", "c.example", 0, 0, 0)
    locations = [queued("a.example", for_ms=1), queued("b.example", for_ms=9), queued("a.example"), leased]
    assert waiting_lines(locations, nodes=1) == ["waits for host b.example", "waits for host a.example"]
