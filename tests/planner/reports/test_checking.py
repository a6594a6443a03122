import asyncio
import json

import pytest

from planner.reports.checked import certainty_line, claims_document, cut_line
from planner.reports.checking import Checker
from planner.reports.completion import Completion
from planner.verify.judgement import Judgement
from research_crawler.core.brain_errors import BrainUnavailable
from research_crawler.core.models.checks import CheckedStatement, Checks
from research_crawler.core.models.drafts import Contradiction, ReportDraft, Sentence
from research_crawler.core.models.events import Usage
from research_crawler.core.models.reports import Report
from research_crawler.core.ports.models import Call
from research_crawler.text.messages import ENGLISH_MESSAGES
from tests.planner.offers.test_recommendation import LOQ
from tests.planner.reports.shopping.test_offers import bought
from tests.planner.scripted import NOW, ScriptedBrain, a_finding, a_job

DENIES = "The database schema and DDL commands are not replicated."
LIMIT = "Most subscribers may lag behind the publisher by up to 30 seconds."
FOUND = [a_finding("jobaaaaaaaaa:2", DENIES, score=0.9), a_finding("jobaaaaaaaaa:2", LIMIT, score=0.8)]
LIE = Sentence(text="Yes: it copies all DDL [1]", evidence=[0])
TRUE = Sentence(text="Schema and DDL commands are not replicated.", evidence=[0])
WIDER = Sentence(text="Subscribers lag behind the publisher by up to 30 seconds.", evidence=[1])
VAGUE = Sentence(text="Followers may trail the publisher a little, for at most 30 seconds.", evidence=[1])


@pytest.fixture
def call():
    return Call(job="jobaaaaaaaaa", key="1", token="t", deadline_s=5)


async def finished(brain, call, *answer, findings=FOUND, **draft):
    brain.answer = list(answer)
    job = a_job("does logical replication copy DDL").model_copy(update={"state": "synthesizing"})
    completion = Completion(job, findings, clock_ms=lambda: NOW)
    await completion.write(brain, ScriptedBrain(name="plain"), call)
    completion.finished()
    return completion


class DisputingBrain(ScriptedBrain):
    """Names a contradiction whose other side no page states."""

    async def write(self, view, call):
        made_up = TRUE.changed(text="Sequences are replicated twice.", evidence=[1])
        pair = Contradiction(about="what is copied", one=TRUE, other=made_up)
        return (await super().write(view, call)).changed(contradictions=[pair])


async def test_the_timeline_tells_of_a_contradiction_that_was_left_out(call):
    completion = await finished(DisputingBrain(), call, TRUE)
    assert completion.report.contradictions == []
    assert "a contradiction was left out (what is copied)" in completion.documents()["run_report.md"]


def lines(completion):
    return [json.loads(line) for line in completion.documents()["claims.jsonl"].splitlines()]


async def test_a_lying_model_loses_its_sentence_even_if_it_confirms_it_itself(call):
    brain = ScriptedBrain()
    brain.verdicts = [CheckedStatement(place=n, verdict="supported") for n in range(4)]
    completion = await finished(brain, call, LIE, TRUE)
    report = completion.report
    assert [(claim.text, claim.verdict) for claim in report.claims] == [(TRUE.text, "supported")]
    assert "copies all DDL" not in report.report_markdown
    assert [w for w in report.warnings if "removed" in w] == [
        "1 sentence of the model removed: the cited pages do not say so."
    ]
    assert "1 of 1 sentences of the answer say what their quotes say." in report.report_markdown
    assert "Fairly certain." not in report.report_markdown
    [cut, kept] = lines(completion)
    assert (cut["written"], cut["shown"], cut["quotes"]) == ("Yes: it copies all DDL", False, [DENIES])
    assert (kept["verdict"], kept["shown"]) == ("supported", True)


async def test_a_page_that_only_a_cut_sentence_cites_is_no_source(call):
    other = a_finding("jobaaaaaaaaa:3", LIMIT, url="https://b.example/2", score=0.1)
    wrong = Sentence(text="Subscribers lag behind the publisher by up to 45 seconds.", evidence=[1])
    report = (await finished(ScriptedBrain(), call, TRUE, wrong, findings=[FOUND[0], other])).report
    assert [source.host for source in report.sources] == ["a.example"]


async def test_if_no_sentence_is_left_the_report_quotes_its_findings(call):
    report = (await finished(ScriptedBrain(), call, LIE)).report
    assert report.claims[0].text == DENIES
    assert report.claims[0].verdict == "supported"


async def test_a_sentence_that_leaves_a_limit_out_is_shown_with_a_remark(call):
    report = (await finished(ScriptedBrain(), call, TRUE, WIDER)).report
    assert [claim.verdict for claim in report.claims] == ["supported", "qualified"]
    assert f"{WIDER.text} [1] (the source limits this)" in report.report_markdown


async def test_all_uncertain_sentences_are_asked_in_one_call_and_no_others(call):
    brain = ScriptedBrain()
    await finished(brain, call, TRUE, LIE, WIDER, VAGUE)
    [request] = brain.checked
    texts = [statement.text for statement in request.statements]
    assert VAGUE.text in texts
    assert LIE.text not in texts
    assert all(
        statement.quotes == [LIMIT] for statement in request.statements if "publisher" in statement.text
    )


async def test_a_brains_rewording_is_taken_only_if_it_passes_the_checks():
    async def told(wording):
        async def ask(request):
            return Checks(
                by="model",
                checked=[
                    CheckedStatement(place=n, verdict="partly", reworded=wording)
                    for n in range(len(request.statements))
                ],
            )

        checker = Checker(FOUND, goal="", language="en", ask=ask)
        draft = await checker.report(ReportDraft(by="model", answer=[VAGUE]))
        return draft.answer, checker.checked

    [kept], checked = await told("Most subscribers may lag behind the publisher by up to 30 seconds.")
    assert (kept.text, kept.verdict) == (LIMIT, "supported")
    assert cut_line(checked, ENGLISH_MESSAGES) == "1 shortened to what the cited pages say."
    for wrong in (
        "All subscribers lag behind the publisher by 90 seconds.",
        "All subscribers always lag behind the publisher by up to 30 seconds.",
    ):
        [kept], _ = await told(wrong)
        assert (kept.text, kept.verdict) == (VAGUE.text, "partly")
    other_words = (
        "Of those who subscribe, most may only lag behind any publisher by up to 30 seconds at a time."
    )
    [kept], _ = await told(other_words)
    assert (kept.text, kept.verdict) == (other_words, "supported")


@pytest.mark.parametrize(
    ("written", "shown", "verdict"),
    [
        # a whole clause that no page has, a word that widens, a part that a comma does not attach
        (
            "Schema and DDL commands are not replicated, and experts agree that this changed the industry.",
            TRUE.text,
            "supported",
        ),
        ("Most subscribers always may lag behind the publisher by up to 30 seconds.", None, "qualified"),
        ("Because the original supplier went bankrupt, DDL commands are not replicated.", None, "partly"),
    ],
)
async def test_a_model_that_approves_of_everything_does_not_overrule_a_reason_that_code_has_found(
    call, written, shown, verdict
):
    brain = ScriptedBrain()
    brain.verdicts = [CheckedStatement(place=n, verdict="supported") for n in range(4)]
    place = int("Most" in written)
    [claim] = (await finished(brain, call, Sentence(text=written, evidence=[place]))).report.claims
    assert (claim.text, claim.verdict) == (shown or written, verdict)


@pytest.mark.parametrize(
    ("found", "is_sure", "answered", "told"),
    [
        ("partly", False, "supported", "supported"),
        ("partly", True, "supported", "partly"),
        ("partly", True, "qualified", "qualified"),
        ("qualified", False, "supported", "supported"),
        ("qualified", True, "supported", "qualified"),
        ("not_found", False, "supported", "supported"),
        ("not_found", True, "supported", "partly"),
        ("not_found", True, "partly", "partly"),
        ("could_not_check", True, "supported", "supported"),  # another language
        ("supported", False, "contradicted", "contradicted"),
        ("partly", False, "not_found", "not_found"),
    ],
)
def test_a_model_is_believed_but_for_what_code_is_sure_of_and_may_always_doubt(
    found, is_sure, answered, told
):
    assert Judgement(found, 0.0, 0.0, 0.5, ("x",), is_sure=is_sure).told(answered) == told


async def test_a_sentence_in_other_words_that_a_reader_confirms_is_supported(call):
    brain = ScriptedBrain()
    brain.verdicts = [CheckedStatement(place=0, verdict="supported")]
    [claim] = (await finished(brain, call, VAGUE)).report.claims
    assert (claim.text, claim.verdict) == (VAGUE.text, "supported")


async def test_if_the_endpoint_fails_the_cheap_checks_decide(call):
    class Silent(ScriptedBrain):
        async def check(self, request, call):
            raise BrainUnavailable("the endpoint is away")

    report = (await finished(Silent(), call, TRUE, LIE, VAGUE)).report
    assert LIE.text not in [claim.text for claim in report.claims]
    assert TRUE.text in [claim.text for claim in report.claims]


async def test_a_sentence_names_what_its_quote_calls_it_only_where_the_page_bears_that_out(call):
    weight = "On our scales it came to 387 g, a little more than a full mug."
    found = [a_finding("jobaaaaaaaaa:2", weight, score=0.9).model_copy(update={"subject": "Velmar Pocket"})]
    sentences = [
        Sentence(text=f"On the test's scales the {name} came to 387 g.", evidence=[0])
        for name in ("Velmar Pocket", "Orrin Prime")
    ]
    completion = await finished(ScriptedBrain(), call, *sentences, findings=found)
    assert [claim.text for claim in completion.report.claims] == [sentences[0].text]


async def test_excerpts_are_not_checked_again_and_stay_supported(call):
    brain = ScriptedBrain(name="plain")
    brain.answer = [Sentence(text=DENIES, evidence=[0])]
    completion = await finished(brain, call, Sentence(text=DENIES, evidence=[0]))
    assert brain.checked == []
    assert [(line["text"], line["verdict"]) for line in lines(completion)] == [(DENIES, "supported")]


def test_a_report_without_claims_has_an_empty_document():
    job = a_job()
    report = Report(
        job=job.id, status="failed", state="failed", goal="g", intent="informational", strategy="phase1_only",
        brain="x",
    )  # fmt: skip
    assert claims_document(report, []) == ""
    assert certainty_line([], ENGLISH_MESSAGES).startswith("0 of 0")


class AtOnce(ScriptedBrain):
    """Writes only while the offer is being chosen, and chooses only while the report is being written."""

    def __init__(self) -> None:
        super().__init__()
        self.is_writing, self.is_choosing = asyncio.Event(), asyncio.Event()

    async def write(self, view, call):
        self.is_writing.set()
        await self.is_choosing.wait()
        call.usage = call.usage + Usage(model_calls=1)
        return await super().write(view, call)

    async def recommend(self, view, call):
        self.is_choosing.set()
        await self.is_writing.wait()
        call.usage = call.usage + Usage(model_calls=1)
        return await super().recommend(view, call)


async def test_an_offer_is_chosen_while_the_report_is_written_and_both_are_paid_for(call):
    brain = AtOnce()
    brain.answer = [TRUE]
    completion = Completion(bought(LOQ), FOUND, clock_ms=lambda: NOW)
    await completion.write(brain, ScriptedBrain(name="plain"), call)
    report = completion.finished()
    assert report.usage.model_calls == 2
    assert completion.report.phase2.recommended.name == LOQ.name


BLOCK = [
    a_finding("jobaaaaaaaaa:2", "Give each name a block with its own server name."),
    a_finding("jobaaaaaaaaa:2", "A block for port 8080 has its own server name and serves one of the names."),
    a_finding("jobaaaaaaaaa:3", "A block for port 9090 has its own server name.").model_copy(
        update={"url": "https://another.example/"}
    ),
]


@pytest.mark.parametrize(
    ("text", "verdict", "shown"),
    [
        ("Give each name a block for port 8080 with its own server name.", "supported", ["E1", "E2"]),
        ("Give each name a block for port 8080 with its own server name.", "not_found", []),
        # what another page has
        ("Give each name a block for port 9090 with its own server name.", "supported", []),
        ("Give each name a block for port 7070 with its own server name.", "supported", []),
    ],
)
async def test_a_number_that_another_quote_of_the_page_has_is_cited_if_a_reader_finds_the_sentence_there(
    call, text, verdict, shown
):
    brain = ScriptedBrain()
    brain.verdicts = [CheckedStatement(place=n, verdict=verdict) for n in range(4)]
    told = [Sentence(text=text, evidence=[0]), Sentence(text=BLOCK[0].quote, evidence=[0])]
    report = (await finished(brain, call, *told, findings=BLOCK)).report
    assert [claim.evidence for claim in report.claims if claim.text == text] == ([shown] if shown else [])


async def test_a_sentence_that_shows_code_of_its_quote_is_left_to_a_reader(call):
    code = "$ take-backup -D /srv/data\n$ check-backup /srv/data"
    brain = ScriptedBrain()
    brain.verdicts = [CheckedStatement(place=0, verdict="supported")]
    told = Sentence(text="A copy is made and then verified like this.", evidence=[0], code=code)
    [claim] = (await finished(brain, call, told, findings=[a_finding("jobaaaaaaaaa:2", code)])).report.claims
    assert (claim.verdict, claim.code) == ("supported", code)
