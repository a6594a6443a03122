from planner.outline.making import first_outline
from planner.outline.topics import MOST_TOPICS, shared_topics, with_topics
from tests.planner.brains.views import finding


def found(host, heading, text="text"):
    return finding(f"{host} {heading} {text}", f"http://{host}.test/1", heading=f"Guide > {heading}")


SHARED = [
    found("a", "Running costs"), found("b", "The running cost"), found("c", "Introduction"), found("d", "Introduction"),
    found("a", "My garden"), found("a", "Noise"), found("b", "3.2 Noise"), found("c", "noise"),
]  # fmt: skip


def test_headings_of_several_hosts_are_the_parts_of_a_topic_those_of_most_hosts_first():
    assert [heading for heading, _ in shared_topics("heat pumps", SHARED)] == ["Noise", "Running costs"]


def test_a_topic_gets_a_section_for_each_once():
    outline = first_outline("heat pumps", by="extractive")
    grown = with_topics(outline, "heat pumps", SHARED)
    assert [section.title for section in grown.sections] == ["Heat pumps", "Noise", "Running costs"]
    assert with_topics(grown, "heat pumps", SHARED) == grown
    assert set(grown.leaves[1].query.split()) == {"heat", "pumps", "Noise"}


def test_a_topic_has_a_limited_number_of_sections():
    many = [found(host, f"Part {word}") for word in "abcdefghijklm" for host in ("x", "y")]
    grown = with_topics(first_outline("heat pumps", by="x"), "heat pumps", [
        finding(f"{f.claim}", f.url, heading=f"{f.heading}{f.heading[-1] * 3}") for f in many
    ])  # fmt: skip
    assert len(grown.sections) == MOST_TOPICS + 1
