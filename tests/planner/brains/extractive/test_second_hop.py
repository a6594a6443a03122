"""Tests of what the best evidence leads on to."""

from planner.brains.extractive.nearness import similarity_index
from planner.brains.extractive.policy.second_hop import next_hops
from tests.planner.brains.views import finding, view

QUESTION = "How do I limit the disk space of users?"
STRONG = [
    finding("The file system is mounted with options for the quota of each group.", score=0.6),
    finding("A quota is set for each user with an editor; groups have a quota as well.", score=0.5),
]
WEAK = [
    finding(f"The {name} of a group has a quota that nobody here limits.", score=0.1)
    for name in ("printer", "calendar", "mailbox", "archive", "notebook")
]


async def searched(findings, embedder):
    known = view(goal=QUESTION, findings=findings)
    (vector,) = await embedder.embed([QUESTION])
    index = await similarity_index(findings, QUESTION, embedder)
    return next_hops(known, index, vector)[0].query


async def test_weak_findings_change_no_word_of_the_next_search(embedder):
    assert await searched([*STRONG, *WEAK], embedder) == await searched(STRONG, embedder)
