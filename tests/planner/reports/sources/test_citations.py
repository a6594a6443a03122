"""Sentences are cited before their sources have numbers, and show the numbers that the sources get."""

from planner.reports.sources.citations import Citations
from research_crawler.core.models.reports.drafts import Sentence
from tests.planner.scripted import a_finding

SHOP, DOCS = "https://shop.example/1", "https://docs.example/1"
FINDINGS = [
    a_finding("j:1", "The pump needs 230 V.", url=SHOP),
    a_finding("j:2", "The pump runs at 230 V.", url=DOCS),
]


def test_sentences_are_numbered_as_they_are_cited():
    citations = Citations(FINDINGS, [])
    told = citations.cite(
        [Sentence(text="It runs at 230 V.", evidence=[1]), Sentence(text="So.", evidence=[0])]
    )
    assert [one.with_marks() for one in told] == ["It runs at 230 V. [1]", "So. [2]"]
    assert [(source.n, source.url) for source in citations.sources(told)] == [(1, DOCS), (2, SHOP)]


def test_sentences_that_were_cited_before_have_the_numbers_that_sources_got_later():
    citations = Citations(FINDINGS, [])
    told = citations.cite(
        [
            Sentence(text="It needs 230 V.", evidence=[0], similar=[1]),
            Sentence(text="Two of them need 460 V.", evidence=[1], calculation="2 × 230"),
        ]
    )
    sources = citations.numbered(list(reversed(citations.sources(told))))
    assert [(source.n, source.url) for source in sources] == [(1, DOCS), (2, SHOP)]
    assert [one.with_marks() for one in told] == [
        "It needs 230 V. [2] (also said by 1 other host: [1])",
        "Two of them need 460 V. (worked out from [1]: 2 × 230)",
    ]
