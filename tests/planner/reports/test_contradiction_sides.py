"""The two sides of a contradiction, of which a model may name a wrong quote."""

import pytest

from planner.reports.checks.sentence_checks import SentenceChecker
from research_crawler.core.models.evidence.entailment import unread
from research_crawler.core.models.reports.drafts import Contradiction, ReportDraft, Sentence
from tests.planner.scripted import a_finding

LOG, GUIDE = "http://log.test/", "http://guide.test/"
FOUND = [
    a_finding("jobaaaaaaaaa:2", "The logs are kept by default for 30 days.", url=GUIDE),
    a_finding("jobaaaaaaaaa:2", "Entries expire after a time, which defaults to 90 days.", url=LOG),
    a_finding("jobaaaaaaaaa:2", "Entries of lost branches expire after 15 days.", url=LOG),
    a_finding("jobaaaaaaaaa:2", "The tool is fast.", url=GUIDE),
]
ONE = Sentence(text="The logs are kept by default for 30 days.", evidence=[0])


@pytest.fixture
def checker():
    async def judge(pairs):
        return unread(len(pairs), "model")

    return SentenceChecker(FOUND, goal="how long entries of the log last", language="en", read_pairs=judge)


async def sides_of(checker, other):
    pair = Contradiction(about="the time", one=ONE, other=other)
    draft = ReportDraft(by="m", answer=[ONE], contradictions=[pair])
    return [
        (pair.one.evidence, pair.other.evidence)
        for pair in (await checker.check_report(draft)).contradictions
    ]


@pytest.mark.parametrize("named", [[3], [], [0], [99]])
async def test_a_side_with_a_wrong_id_or_none_gets_the_quote_that_its_words_name(checker, named):
    other = Sentence(text="Entries expire after a time, which defaults to 90 days.", evidence=named)
    assert await sides_of(checker, other) == [([0], [1])]
    assert checker.left_out == []


async def test_a_side_that_sums_up_two_quotes_of_a_page_gets_the_one_that_it_forgot(checker):
    text = "Entries expire after 90 days by default, and entries of lost branches after 15 days."
    assert await sides_of(checker, Sentence(text=text, evidence=[1])) == [([0], [1, 2])]


async def test_a_contradiction_with_a_side_that_no_quote_says_is_told_in_the_timeline(checker):
    assert await sides_of(checker, Sentence(text="The logs are kept for 7 days.", evidence=[1])) == []
    assert checker.left_out == [
        "a contradiction was left out (the time): no known quote says “The logs are kept for 7 days.”"
    ]
    assert await sides_of(checker, Sentence(text="It is said to be slow, dear and loud.")) == []
    assert "no known quote says “It is said to be slow, dear and loud.”" in checker.left_out[0]


async def test_a_dispute_that_one_quote_tells_keeps_both_its_sides():
    told = "The guide says that logs are kept for 30 days. The maker disagrees and says that it is 60 days."
    found = [a_finding("jobaaaaaaaaa:2", told, url=GUIDE)]

    async def judge(pairs):
        return unread(len(pairs), "model")

    checker = SentenceChecker(found, goal="how long logs are kept", language="en", read_pairs=judge)
    one, other = (Sentence(text=f"{text.rstrip('.')}.", evidence=[0]) for text in told.split(". "))
    draft = ReportDraft(by="m", answer=[one], contradictions=[Contradiction(about="", one=one, other=other)])
    [pair] = (await checker.check_report(draft)).contradictions
    assert (pair.one.evidence, pair.other.evidence) == ([0], [0])
