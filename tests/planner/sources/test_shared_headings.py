from planner.sources.themes import MOST_TOPICS, shared_headings
from tests.planner.brains.views import finding


def found(host, heading, text="text"):
    return finding(f"{host} {heading} {text}", f"http://{host}.test/1", heading=f"Guide > {heading}")


SHARED = [
    found("a", "Running costs"), found("b", "The running cost"), found("c", "Introduction"), found("d", "Introduction"),
    found("a", "My garden"), found("a", "Noise level"), found("b", "3.2 Noise level"), found("c", "noise levels"),
]  # fmt: skip


def test_headings_of_several_hosts_are_found_those_of_most_hosts_first():
    assert [heading for heading, _ in shared_headings("heat pumps", SHARED)] == [
        "Noise level",
        "Running costs",
    ]


def test_their_number_is_limited():
    many = [found(host, f"Part {word * 3} {word}x") for word in "abcdefghijklm" for host in ("x", "y")]
    assert len(shared_headings("heat pumps", many)) == MOST_TOPICS
