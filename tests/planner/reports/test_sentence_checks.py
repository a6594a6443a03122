import asyncio
import json
import time

import pytest

from planner.brains.model.writing.writing_parse import draft_from
from planner.reports.checks.check_log import CheckedSentence, checks_line, claims_document
from planner.reports.checks.sentence_checks import SentenceChecker
from planner.reports.job_completion import JobCompletion
from prompts.report_answers import ReportAnswer
from research_crawler.core.brain_errors import BrainUnavailable
from research_crawler.core.models.evidence.entailment import PairReading, Readings, unread
from research_crawler.core.models.messages.events import Usage
from research_crawler.core.models.reports.drafts import Contradiction, ReportDraft, Sentence
from research_crawler.core.models.reports.report import Report
from research_crawler.core.ports.models import Call
from research_crawler.text.writing.messages import ENGLISH_MESSAGES
from tests.cases import each_case
from tests.planner.offers.test_recommendation import LOQ
from tests.planner.reports.shopping.test_offers import bought
from tests.planner.scripted import NOW, ScriptedBrain, a_finding, a_job

DENIES = "The database schema and DDL commands are not replicated."
LIMIT = "Most subscribers may lag behind the publisher by up to 30 seconds."
FOUND = [a_finding("jobaaaaaaaaa:2", DENIES, score=0.9), a_finding("jobaaaaaaaaa:2", LIMIT, score=0.8)]
LIE = Sentence(text="The database schema and DDL commands are replicated [1].", evidence=[0])
TRUE = Sentence(text=DENIES, evidence=[0])
VAGUE = Sentence(text="Followers may trail the publisher a little, for at most 30 seconds.", evidence=[1])


@pytest.fixture
def call():
    return Call(job="jobaaaaaaaaa", key="1", token="t", deadline_s=5)


async def finished(brain, call, *answer, findings=FOUND, **draft):
    brain.answer = list(answer)
    job = a_job("does logical replication copy DDL").model_copy(update={"state": "synthesizing"})
    completion = JobCompletion(job, findings, clock_ms=lambda: NOW)
    await completion.write(brain, ScriptedBrain(name="plain"), call)
    completion.complete_job()
    return completion


class DisputingBrain(ScriptedBrain):
    """Names a contradiction whose other side no page states."""

    async def write(self, view, call):
        made_up = TRUE.changed(text="Subscribers lag by 45 seconds.", evidence=[1])
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
    brain.reading = PairReading(verdict="supported")
    completion = await finished(brain, call, LIE, TRUE)
    report = completion.report
    assert [(claim.text, claim.verdict) for claim in report.claims] == [(TRUE.text, "supported")]
    assert "commands are replicated" not in report.report_markdown
    answer, _, end = report.report_markdown.partition("\n---\n")
    assert "sentences of the answer say" not in answer
    assert (
        "1 of 1 sentences of the answer say what their quotes say. 1 removed because of a number, date, name, command "
        "or “not” that the cited quotes do not have." in end
    )
    [cut, kept] = lines(completion)
    assert (cut["verdict"], cut["shown"], cut["quotes"]) == ("contradicted", False, [DENIES])
    assert (kept["verdict"], kept["shown"], kept["checked_by"]) == ("supported", True, "code")


class InventingBrain(ScriptedBrain):
    """Writes as a model does that names evidence which it was not shown."""

    async def write(self, view, call):
        invented = {"text": "Sequences are replicated too.", "evidence": ["E77"]}
        answer = {"answer": [{"text": DENIES, "evidence": ["E1"]}, invented, invented]}
        return draft_from(ReportAnswer.model_validate(answer), range(2), self.name)


async def test_a_sentence_with_invented_evidence_is_counted_as_left_out(call):
    completion = await finished(InventingBrain(), call)
    assert [claim.text for claim in completion.report.claims] == [DENIES]
    (left_out,) = [line for line in lines(completion) if not line["shown"]]
    assert left_out["written"] == "Sequences are replicated too."
    assert left_out["reasons"] == ["it names no evidence that the model was shown"]
    assert "1 sentence of the draft named no valid evidence" in completion.report.report_markdown


async def test_a_page_that_only_a_cut_sentence_cites_is_no_source(call):
    other = a_finding("jobaaaaaaaaa:3", LIMIT, url="https://b.example/2", score=0.1)
    wrong = Sentence(text="Subscribers lag behind the publisher by up to 45 seconds.", evidence=[1])
    report = (await finished(ScriptedBrain(), call, TRUE, wrong, findings=[FOUND[0], other])).report
    assert [source.host for source in report.sources] == ["a.example"]


async def test_if_no_sentence_is_left_the_report_quotes_its_findings(call):
    report = (await finished(ScriptedBrain(), call, LIE)).report
    assert report.claims[0].text == DENIES
    assert report.claims[0].verdict == "supported"


async def test_all_that_is_no_copy_is_read_in_one_call(call):
    brain = ScriptedBrain()
    await finished(brain, call, TRUE, LIE, VAGUE)
    [pairs] = brain.read
    assert [pair.quotes for pair in pairs if pair.statement == VAGUE.text] == [[LIMIT]]
    assert TRUE.text not in [pair.statement for pair in pairs]


@each_case(
    ("reading", "shown"),
    [
        (PairReading(verdict="supported", words=LIMIT), (VAGUE.text, "supported")),
        (PairReading(verdict="supported", words="lag behind … up to 30 seconds"), (VAGUE.text, "supported")),
        # approved of, but nobody has shown where the quotes say it
        (PairReading(verdict="supported"), (VAGUE.text, "could_not_check")),
        (PairReading(verdict="supported", words="a little behind it"), (VAGUE.text, "could_not_check")),
        (PairReading(verdict="supported", words="30 seconds"), (VAGUE.text, "could_not_check")),
        (PairReading(verdict="contradicted", reason="it says more"), None),
        (PairReading(verdict="not_said"), None),
        (PairReading(verdict="could_not_check"), (VAGUE.text, "could_not_check")),
        (PairReading(verdict="not_said", reworded="They lag by 30 seconds."), ("They lag by 30 seconds.", "supported")),
        (PairReading(verdict="not_said", reworded="They lag by 90 seconds."), None),
    ],
)  # fmt: skip
async def test_a_reader_decides_about_a_sentence_in_other_words(reading, shown):
    async def judge(pairs):
        return Readings(by="model", found=[reading] * len(pairs))

    checker = SentenceChecker(FOUND, goal="", language="en", read_pairs=judge)
    answer = (await checker.check_report(ReportDraft(by="model", answer=[VAGUE]))).answer
    assert [(one.text, one.verdict) for one in answer] == ([shown] if shown else [])
    assert ("shortened" in checks_line(checker.checked, ENGLISH_MESSAGES)) == bool(
        shown and shown[0] != VAGUE.text
    )


EXPIRED = "If all workers are busy, it closes connections even if the timeout has not expired."


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("It closes connections even before the timeout has expired.", ["could_not_check"]),
        ("It closes connections even if the timeout has expired.", []),
    ],
)
async def test_a_reader_may_overrule_a_denial_in_other_words_but_not_a_plain_one(text, verdicts):
    async def judge(pairs):
        return Readings(by="model", found=[PairReading(verdict="supported", words=EXPIRED)] * len(pairs))

    checker = SentenceChecker([a_finding("job:1", EXPIRED)], goal="", language="en", read_pairs=judge)
    draft = ReportDraft(by="model", answer=[Sentence(text=text, evidence=[0])])
    assert [one.verdict for one in (await checker.check_report(draft)).answer] == verdicts


async def test_a_name_that_no_quote_has_goes_and_what_the_quotes_say_beside_it_stays():
    quote = "He was the squad's sole male rider in men's BMX cycling at the 2008 Summer Olympics in Beijing."
    told = Sentence(text="He was the sole male rider in BMX cycling at the Games in Beijing.", evidence=[0])
    said = "He was the sole male rider in men's BMX cycling at the 2008 Summer Olympics in Beijing."
    read = []
    for reworded, shown in ((said, [said]), ("", []), ("He was at the Panathenaic in Beijing.", [])):

        async def judge(pairs, reworded=reworded):
            read.extend(pairs)
            return Readings(by="m", found=[PairReading(verdict="supported", words=quote, reworded=reworded)])

        checker = SentenceChecker([a_finding("job:1", quote)], goal="", language="en", read_pairs=judge)
        draft = await checker.check_report(ReportDraft(by="model", answer=[told]))
        assert [one.text for one in draft.answer] == shown
    assert read[0].missing_names == ["games"]


async def test_a_sentence_that_a_reader_supports_is_not_replaced_by_his_words(call):
    reading = PairReading(verdict="supported", words=LIMIT, reworded="They may lag.")

    async def judge(pairs):
        return Readings(by="model", found=[reading] * len(pairs))

    checker = SentenceChecker(FOUND, goal="", language="en", read_pairs=judge)
    assert [
        one.text for one in (await checker.check_report(ReportDraft(by="model", answer=[VAGUE]))).answer
    ] == [VAGUE.text]


SIDES = [
    # quote, sentence, the words that a second reader shows
    (
        "Tables are copied to the standby, but sequences are not copied to the standby.",
        "Tables are copied to the standby.",
        "Tables are copied to the standby",
    ),
    (
        "The album was made in a night club by four men with a horn and drums.",
        "This suggests that its genre is jazz.",
        "made in a night club by four men with a horn and drums",
    ),
    (
        "The service is started at boot by its unit.",
        "According to the Debian Administrator's Handbook, a unit starts the service at boot.",
        "The service is started at boot by its unit.",
    ),
    ("A unit starts it with the system.", "Run `start-unit --now` to have it started.", "A unit starts it"),
]


@each_case(("quote", "text", "words"), SIDES)
async def test_a_true_sentence_is_not_cut_where_a_second_reader_shows_where_it_is_said(quote, text, words):
    async def judge(pairs):
        return Readings(by="model", found=[PairReading(verdict="supported", words=words)] * len(pairs))

    url = "https://docs.example/debian-handbook/services.html"
    checker = SentenceChecker(
        [a_finding("jobaaaaaaaaa:2", quote, url=url)], goal="", language="en", read_pairs=judge
    )
    [one] = (
        await checker.check_report(ReportDraft(by="model", answer=[Sentence(text=text, evidence=[0])]))
    ).answer
    assert (one.text, one.verdict) == (text, "supported")


@pytest.mark.parametrize(
    "text", ["It was Ana Ruiz who led it.", "It took 90 minutes.", "It was over on 3 May 2026."]
)
async def test_no_reader_outvotes_code_about_names_figures_and_dates(text):
    async def judge(pairs):
        reading = PairReading(verdict="supported", words="Eva Kline led it in 80 minutes")
        return Readings(by="model", found=[reading] * len(pairs))

    quote = "Eva Kline led it in 80 minutes on 4 May 2026."
    checker = SentenceChecker([a_finding("jobaaaaaaaaa:2", quote)], goal="", language="en", read_pairs=judge)
    draft = ReportDraft(by="model", answer=[Sentence(text=text, evidence=[0])])
    assert (await checker.check_report(draft)).answer == []


async def test_what_nobody_has_read_is_said_in_the_line_and_in_the_run_report(call):
    class Silent(ScriptedBrain):
        async def check_entailment(self, pairs, call, *, question="", language="en"):
            raise BrainUnavailable("the endpoint is away")

    completion = await finished(Silent(), call, TRUE, LIE, VAGUE)
    assert [(claim.text, claim.verdict) for claim in completion.report.claims] == [
        (TRUE.text, "supported"),
        (VAGUE.text, "could_not_check"),
    ]
    assert f"{VAGUE.text} [1] (not checked against the source)" in completion.report.report_markdown
    assert (
        "1 of 2 sentences of the answer say what their quotes say. Not checked against their quotes: 1."
        in completion.report.report_markdown.partition("\n---\n")[2]
    )
    told = completion.documents()["run_report.md"]
    assert "1 sentence was not read beside their quotes: the endpoint is away" in told


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
    assert brain.read == []
    assert [(line["text"], line["verdict"]) for line in lines(completion)] == [(DENIES, "supported")]


def test_a_report_without_claims_has_an_empty_document():
    job = a_job()
    report = Report(
        job=job.id, status="failed", state="failed", goal="g", intent="informational", strategy="phase1_only",
        brain="x",
    )  # fmt: skip
    assert claims_document(report, []) == ""
    assert checks_line([], ENGLISH_MESSAGES) == ""


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
    completion = JobCompletion(bought(LOQ), FOUND, clock_ms=lambda: NOW)
    await completion.write(brain, ScriptedBrain(name="plain"), call)
    report = completion.complete_job()
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
        ("Give each name a block for port 8080 with its own server name.", "not_said", []),
        # what another page has
        ("Give each name a block for port 9090 with its own server name.", "supported", []),
        ("Give each name a block for port 7070 with its own server name.", "supported", []),
    ],
)
async def test_a_number_that_another_quote_of_the_page_has_is_cited_if_a_reader_finds_the_sentence_there(
    call, text, verdict, shown
):
    brain = ScriptedBrain()
    brain.reading = PairReading(verdict=verdict)
    told = [Sentence(text=text, evidence=[0]), Sentence(text=BLOCK[0].quote, evidence=[0])]
    report = (await finished(brain, call, *told, findings=BLOCK)).report
    assert [claim.evidence for claim in report.claims if claim.text == text] == ([shown] if shown else [])


async def test_a_sentence_that_shows_code_of_its_quote_is_left_to_a_reader(call):
    code = "$ take-backup -D /srv/data\n$ check-backup /srv/data"
    brain = ScriptedBrain()
    brain.reading = PairReading(verdict="supported")
    told = Sentence(text="A copy is made and then verified like this.", evidence=[0], code=code)
    [claim] = (await finished(brain, call, told, findings=[a_finding("jobaaaaaaaaa:2", code)])).report.claims
    assert (claim.verdict, claim.code) == ("supported", code)


async def test_sixty_crafted_findings_do_not_hold_the_planner():
    words = (
        "Alpha",
        "beta",
        "Gamma not",
        "delta 12 kg",
        "on 3 May 2019",
        "Epsilon-7",
        "is",
        "12,345.6 million",
    )
    texts = [" ".join(words[(n * 7 + k) % 8] + str(k) for n in range(200)) for k in range(60)]
    made = [a_finding("jobaaaaaaaaa:2", text, url=f"https://p{k % 5}.test/") for k, text in enumerate(texts)]
    written = [
        Sentence(text=f"Alpha {k} was not at {k} kg of Gamma on {k % 28 + 1} May 2020.", evidence=[k, 59 - k])
        for k in range(60)
    ]

    async def judge(pairs):
        return unread(len(pairs))

    checker = SentenceChecker(made, goal="alpha", language="en", read_pairs=judge)
    begun = time.process_time()
    await checker.check_report(ReportDraft(by="model", answer=written))
    assert time.process_time() - begun < 3.0


async def test_a_sentence_is_told_as_shown_where_the_report_has_it_as_a_whole(call):
    sentence = Sentence(text=TRUE.text, evidence=TRUE.evidence)
    completion = await finished(ScriptedBrain(), call, sentence)
    part = TRUE.text.rstrip(".").rsplit(" ", 1)[0]
    checked = [
        CheckedSentence("answer", text, text, "supported", tuple(TRUE.evidence), (), "code")
        for text in (TRUE.text, f"{TRUE.text} [1]", part)
    ]
    told = claims_document(completion.report, checked).splitlines()
    assert [json.loads(line)["shown"] for line in told] == [True, True, False]


async def test_the_sentence_that_opens_an_answer_cites_the_quotes_of_others_from_which_its_reader_copied(
    call,
):
    shell = a_finding("jobaaaaaaaaa:2", "Each command of a pipeline runs in a subshell of its own.")
    redirect = a_finding("jobaaaaaaaaa:3", "Input is redirected from the file that comes after the sign.")
    short = Sentence(
        text="Each command runs in a subshell; redirect input from the file instead.", evidence=[0]
    )
    long = Sentence(text="With the sign, the input comes redirected from the named file.", evidence=[1])
    asked = []

    async def judge(pairs):
        asked.extend(pairs)
        words = f"{shell.quote} … {redirect.quote}"
        found = [
            PairReading(verdict="supported", words=words if "subshell" in one.statement else redirect.quote)
            for one in pairs
        ]
        return Readings(by="model", found=found)

    checker = SentenceChecker([shell, redirect], goal="Why is n lost?", language="en", read_pairs=judge)
    answer = (await checker.check_report(ReportDraft(by="model", answer=[short, long]))).answer
    assert [one.opens_answer for one in asked] == [True, False]
    assert [(one.text, one.evidence, one.verdict) for one in answer] == [
        (short.text, [0, 1], "supported"),
        (long.text, [1], "supported"),
    ]
