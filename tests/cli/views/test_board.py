"""What a job is doing now, on terminals of any size."""

import io

from planner.job.factory import make_job
from research_crawler.cli.views.board import board
from research_crawler.cli.views.terminal import SafeConsole
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.frontier.command_locations import CommandLocation
from tests.cases import each_case

LEAVES = [
    Leaf(id="1.1", question="how deep is the channel", state="filled", evidence=["a", "b"]),
    Leaf(id="1.2", question="how wide is it", state="open"),
    Leaf(id="1.3", question="who owns it\x1b[2J", state="unavailable"),
]


def location(n, **fields):
    given = {
        "kind": "visit",
        "leased": True,
        "queue": "page",
        "slot": "",
        "for_ms": 2400,
        "free_in_ms": 0,
        "before": 0,
    }
    return CommandLocation(**{"command": f"j:{n}", **given, **fields})


def job(leaves=LEAVES, pages=4, brain="model"):
    made = make_job(JobInputs(goal="how deep is the channel"), Limits(), job_id="a" * 12, brain=brain)
    visits = [
        VisitRecord(n=n, command=f"j:{n}", url=f"https://host{n}.example/page", round=1) for n in range(pages)
    ]
    return made.changed(
        visits=visits, outline=Outline(sections=[Section(id="1", title="all", leaves=leaves)])
    )


def lines(shown, columns=80):
    seen = io.StringIO()
    SafeConsole(file=seen, width=columns, highlight=False).print(shown)
    return seen.getvalue().splitlines()


def test_each_question_and_each_page_has_one_line_that_says_how_it_stands():
    locations = [
        location(0),
        location(1, leased=False, slot="host1.example"),
        location(2, leased=False, slot="_"),
        location(3, leased=False, queue="person", slot="host3.example"),
    ]
    seen = lines(board(job(), locations, rows=40))
    assert len(seen) == 7
    for line, (begins, ends) in zip(
        seen,
        [
            ("✓ how deep is the channel", "2 findings"),
            ("○ how wide is it", ""),
            ("– who owns it", "not to be had"),
            ("→ host0.example/page", "reading, 2 s"),
            ("→ host1.example/page", "waits for its host, 2 s"),
            ("→ host2.example/page", "waits for a crawler, 2 s"),
            ("→ host3.example/page", "waits for you: research interventions"),
        ],
        strict=True,
    ):
        assert line.startswith(begins)
        assert line.rstrip().endswith(ends)
    assert "\x1b" not in "".join(seen)


def test_without_a_model_no_question_is_ticked_off():
    assert lines(board(job(brain="extractive"), [], rows=40))[0].startswith("• how deep is the channel")


@each_case("columns", [30, 80, 200])
@each_case("rows", [10, 24, 60])
def test_the_board_is_never_wider_than_the_terminal_and_leaves_it_a_third_at_least(columns, rows):
    many = [Leaf(id=f"1.{n}", question="how deep is the channel " * 5, state="open") for n in range(30)]
    seen = lines(board(job(many, 20), [location(n) for n in range(20)], rows=rows), columns)
    assert all(len(line) <= columns for line in seen)
    assert len(seen) <= 2 * rows / 3 + 2
    assert sum(" more" in line or " mo…" in line for line in seen) == 2


def test_a_terminal_of_few_lines_has_no_board():
    assert board(job(), [location(0)], rows=8) is None
