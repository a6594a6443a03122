"""A page that was read under several addresses is one source, and no source is listed that nothing cites."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.reports.report import RenderContext, assemble
from planner.reports.sources.source_addresses import SourceAddresses
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.reports.drafts import ReportDraft, Sentence
from research_crawler.core.models.reports.report import Report
from tests.cases import each_case
from tests.planner.scripted import a_finding, a_job

CONTEXT = RenderContext(generated_at="2026-01-03T00:00:00+00:00", seconds=12.5)
PAGE = "https://a.example/pumps"


def read_at(*addresses: str | tuple[str, str], titles=("Pumps",)):
    """A job with a finding from each address, or from each (address, canonical address)."""
    visits, findings = [], []
    for number, given_ in enumerate(addresses, 1):
        url, canonical = given_ if isinstance(given_, tuple) else (given_, "")
        command = f"jobaaaaaaaaa:{number}"
        visits.append(
            VisitRecord(
                n=number,
                command=command,
                url=url,
                round=1,
                outcome="ok",
                final_url=url,
                canonical_url=canonical,
            )
        )
        title = titles[(number - 1) % len(titles)]
        findings.append(
            a_finding(
                command,
                f"Fact number {number}.",
                url=url,
                title=title,
                page_sha256=f"{number:064d}",
                score=1 / number,
            )
        )
    return a_job().model_copy(update={"visits": visits, "state": "completed"}), findings


def report_on(job, findings, *sentences: Sentence, listed: list[Sentence] | None = None) -> Report:
    draft = ReportDraft(by="model-x", answer=list(sentences), lists={"key_findings": listed or []})
    return assemble(job, findings, draft, CONTEXT)


def addresses_of(job, findings) -> set[str]:
    known = SourceAddresses(findings, job.visits)
    return {known.of(finding) for finding in findings}


@each_case(
    "other",
    ["http://a.example/pumps", "https://www.a.example/pumps", "https://a.example/pumps/", "http://www.a.example/pumps/",
     "https://m.a.example/pumps", "https://a.example/pumps?utm_source=x#part"],
)  # fmt: skip
def test_variants_of_an_address_are_one_source_with_one_number(other):
    report = report_on(*read_at(other, PAGE), *[Sentence(text=f"It is {n}.", evidence=[n]) for n in (0, 1)])
    assert [(source.n, source.host) for source in report.sources] == [(1, "a.example")]
    assert report.report_markdown.count("[1]") == 2
    assert "[2]" not in report.report_markdown


def test_the_better_address_is_cited_and_the_others_are_recorded():
    job, findings = read_at("http://www.a.example/pumps", PAGE)
    (source,) = report_on(job, findings, Sentence(text="It is so.", evidence=[0])).sources
    assert (source.url, source.other_urls) == (PAGE, ["http://www.a.example/pumps"])
    assert source.content_hash == findings[1].page_sha256


@pytest.mark.parametrize("reads_canonical", [True, False])
def test_pages_that_declare_the_same_canonical_address_are_one_source(reads_canonical):
    variants = [("https://a.example/pumps?sort=new", PAGE), ("https://a.example/p/77", PAGE)]
    job, findings = read_at(*variants, *([PAGE] if reads_canonical else []))
    (address,) = addresses_of(job, findings)
    assert address == (PAGE if reads_canonical else variants[0][0])


@pytest.mark.parametrize(
    ("declared", "titles"),
    [
        ("https://good.example/pumps", ["Pumps"]),  # another site's page
        ("https://a.example/", ["Pumps"]),  # the home page, on every page
        (PAGE, ["Pumps", "Boilers"]),  # another page's address
    ],
)
def test_a_canonical_address_that_cannot_be_believed_joins_nothing(declared, titles):
    job, findings = read_at(
        ("https://a.example/pumps?id=1", declared), ("https://a.example/p/77", declared), titles=titles
    )
    assert len(addresses_of(job, findings)) == 2


def test_a_page_never_chooses_the_address_under_which_it_is_cited():
    job, findings = read_at(("https://evil.example/1", "https://good.example/1"), "https://good.example/1")
    assert addresses_of(job, findings) == {"https://evil.example/1", "https://good.example/1"}


def test_a_key_finding_that_repeats_the_answer_with_another_source_is_listed_so_that_the_source_is_cited():
    job, findings = read_at("https://a.example/1", "https://b.example/2")
    same = Sentence(text="It is so.", evidence=[0])
    report = report_on(job, findings, same, listed=[same.model_copy(update={"evidence": [1]}), same])
    assert "- It is so. [2]" in report.report_markdown
    assert "- It is so. [1]" not in report.report_markdown


URLS = st.builds(
    "{}://{}{}.example/{}{}".format,
    st.sampled_from(["http", "https"]),
    st.sampled_from(["", "www.", "m."]),
    st.sampled_from("ab"),
    st.sampled_from("xy"),
    st.sampled_from(["", "/", "?utm_medium=mail"]),
)
SENTENCES = st.lists(
    st.builds(
        Sentence,
        text=st.sampled_from(["It is so.", "It is not so.", "Nobody knows.", "[3]", ""]),
        evidence=st.lists(st.integers(-1, 7), max_size=4),
        similar=st.lists(st.integers(-1, 7), max_size=2),
    ),
    max_size=6,
)


@given(st.lists(URLS, min_size=1, max_size=6), SENTENCES, SENTENCES)
def test_every_listed_source_is_cited_every_citation_is_listed_and_no_source_stands_twice(
    urls, answer, listed
):
    job, findings = read_at(*urls)
    report = report_on(job, findings, *answer, listed=listed)
    text, _, sources = report.report_markdown.partition("## Research Journey")
    cited = {int(number) for number in re.findall(r"(?<!\\)\[(\d+)\]", text)}
    assert cited == {source.n for source in report.sources}
    assert sorted(cited) == list(range(1, len(cited) + 1))
    plain = [re.sub(r"^https?://(www\.|m\.)?|/$", "", source.url) for source in report.sources]
    assert len(set(plain)) == len(plain)
    assert all(f"{source.n}. " in sources for source in report.sources)
