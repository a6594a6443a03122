"""A command that a sentence shows and that stands near its quote on the stored page completes the quote."""

import hashlib

import pytest

from planner.reports.checks.completed_quotes import MOST_COMPLETED, unquoted_listings, with_completed_quotes
from planner.reports.job_completion import JobCompletion
from research_crawler.core.models.evidence.entailment import PairReading
from research_crawler.core.models.reports.drafts import ReportDraft, Sentence
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.core.ports.models import Call
from tests.planner.scripted import NOW, ScriptedBrain, a_finding, a_job

SAID = "State : clean, degraded, recovering"
PAGE = f"""# Arrays

The kernel rebuilds the array.

```
# mdarray /dev/md1 --add /dev/sdf
# mdarray --detail /dev/md1
/dev/md1:
   {SAID}
```
"""
COMMAND = "mdarray --detail /dev/md1"


def quoted(quote, page=PAGE, **more):
    start = page.index(quote)
    sha = hashlib.sha256(page.encode()).hexdigest()
    return a_finding("jobaaaaaaaaa:2", quote, start=start, end=start + len(quote), page_sha256=sha, **more)


def completed(code, page=PAGE, quote=SAID):
    finding = quoted(quote, page)
    sentence = Sentence(text="Look at its state.", evidence=[0], code=code)
    return finding, with_completed_quotes([finding], [sentence], {finding.page_sha256: page})[0]


def test_the_quote_reaches_up_to_the_command_and_is_still_a_piece_of_its_page():
    before, after = completed(COMMAND)
    assert COMMAND in after.quote
    assert before.quote in after.quote
    assert PAGE[after.start : after.end] == after.quote
    assert (after.id, after.url) == (before.id, before.url)


@pytest.mark.parametrize(
    ("code", "page"),
    [
        ("mdarray --detail /dev/md2", PAGE),
        ("mdarray --stop /dev/md1", PAGE),
        (f"{COMMAND}\nmdarray --stop /dev/md1", PAGE),
        ("rebuilds", PAGE),
        (COMMAND, f"`{COMMAND}`\n\n{'Much else. ' * (MOST_COMPLETED // 8)}\n\n{SAID}"),
        (COMMAND, f"`{COMMAND}-later`\n\n{SAID}"),
    ],
    ids=[
        "another name",
        "another option",
        "one line of two",
        "a word",
        "far away",
        "the beginning of a name",
    ],
)
def test_what_the_passage_does_not_have_completes_nothing(code, page):
    before, after = completed(code, page)
    assert after == before


def test_a_listing_that_the_quotes_have_is_looked_up_nowhere():
    has_it = Sentence(text="Add it.", evidence=[0], code="mdarray /dev/md1 --add /dev/sdf")
    lacks_it = Sentence(text="Look at its state.", evidence=[0], code=COMMAND)
    found = [quoted("# mdarray /dev/md1 --add /dev/sdf")]
    draft = ReportDraft(by="model", answer=[has_it, lacks_it])
    assert unquoted_listings(draft, found) == [lacks_it]


@pytest.mark.parametrize(("nosnippet", "is_shown"), [(False, True), (True, False)])
async def test_the_report_shows_the_command_unless_its_page_forbids_quotes(nosnippet, is_shown):
    finding = quoted(SAID)
    text = PageText(markdown=PAGE, text=PAGE, nosnippet=nosnippet)
    stored = StoredPage(sha=finding.page_sha256, url=finding.url, final_url=finding.url, page=text)

    async def page_of(sha):
        return stored if sha == stored.sha else None

    brain = ScriptedBrain()
    brain.answer = [Sentence(text="It is clean, degraded, recovering.", evidence=[0], code=COMMAND)]
    brain.reading = PairReading(verdict="supported", words=SAID)
    job = a_job("How do I see the state of an array?").model_copy(update={"state": "synthesizing"})
    completion = JobCompletion(job, [finding], clock_ms=lambda: NOW, page_of=page_of)
    call = Call(job="jobaaaaaaaaa", key="1", token="t", deadline_s=5)
    await completion.write(brain, ScriptedBrain(name="plain"), call)
    completion.complete_job()
    assert (COMMAND in completion.report.report_markdown) is is_shown
    assert all(one.quote in PAGE for one in completion.report.evidence)
