"""A model's answer is shown in the form of its question: from its JSON to report.md and claims.jsonl."""

import json
import re

import pytest

from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from planner.reports.job_completion import JobCompletion
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from tests.planner.scripted import NOW, ScriptedBrain, a_finding, a_job

QUOTES = [
    "The lamp was lit for the first time on 4 March 1861.",
    "Go back by one commit with `git reset --soft HEAD~1`.",
    "Then look at what is staged with `git status`.",
    "`git revert` makes a new commit that undoes an earlier one.",
    "The tower leans by 7 degrees.",
]
FOUND = [
    a_finding("jobaaaaaaaaa:2", quote, url=f"https://{host}.example/", score=0.9, published="2023-05-01")
    for host, quote in zip("abcde", QUOTES, strict=True)
]
FACT = {"text": "It was lit first on 4 March 1861.", "evidence": ["E1"]}
STEPS = [
    {"text": "Go back by one commit.", "evidence": ["E2"], "code": "git reset --soft HEAD~1", "form": "step"},
    {"text": "Look at what is staged.", "evidence": ["E3"], "code": "git status", "form": "step"},
]
UNDONE = {"text": "A commit is undone with `git reset --soft HEAD~1`.", "evidence": ["E2"]}
THREE = Outline(
    by="test",
    sections=[
        Section(id=f"{n}", title=f"Part {n}", leaves=[Leaf(id=f"{n}.1", question=f"What about {n}?")])
        for n in (1, 2, 3)
    ],
)


class Chat:
    """A model that writes one report, and judges each sentence as it is told to, supported by default."""

    name = "scripted"

    def __init__(self, report, verdicts):
        self.report, self.verdicts, self.asked = report, verdicts, []

    async def complete(self, *, system, user, schema, **_):
        from research_crawler.core.ports.models import ChatAnswer

        self.asked.append(system)
        answer = self.report
        if "statements" in schema["properties"]:
            quotes = dict(re.findall(r"quote (Q\d+): “(.+?)”", user))
            told = re.findall(r"^(S\d+)\. (.+)\n(?:.*\n)*?   quote (Q\d+)", user, re.M)
            answer = {
                "statements": [
                    {"id": id_, "words": quotes[quote], "verdict": self.verdicts.get(text, "supported")}
                    for id_, text, quote in told
                ]
            }
        return ChatAnswer(answer if isinstance(answer, str) else json.dumps(answer), 100, 20, "scripted")


@pytest.fixture
def written(call):
    async def report(*answer, verdicts=None, outline=None, findings=(), **parts):
        chat = Chat({"answer": list(answer), **parts}, verdicts or {})
        brain = ModelBrain(chat, None, ModelSettings(mind_model="scripted"))
        job = a_job("When was the lamp lit?", depth="deep").changed(
            state="synthesizing", outline=outline or Outline()
        )
        completion = JobCompletion(job, findings or FOUND, clock_ms=lambda: NOW)
        await completion.write(brain, ScriptedBrain(name="plain"), call)
        completion.complete_job()
        return Written(completion, chat)

    return report


class Written:
    """A report that was written, and what was asked for it."""

    def __init__(self, completion, chat):
        self.report, self.chat = completion.report, chat
        self.markdown = completion.report.report_markdown
        self.claims = [json.loads(line) for line in completion.documents()["claims.jsonl"].splitlines()]

    @property
    def answer(self):
        """The blocks of the answer."""
        text = self.markdown.partition("## Answer\n\n")[2].partition("\n\n## ")[0]
        return text.split("\n\n")

    @property
    def end(self):
        """The last paragraph of the report."""
        return self.markdown.rpartition("\n---\n\n")[2]


async def test_the_first_sentence_of_the_model_is_the_first_line_of_the_answer(written):
    found = await written(UNDONE, *STEPS, certainty={"text": "It is well known.", "evidence": ["E1"]})
    assert found.answer[0] == "A commit is undone with `git reset --soft HEAD~1`. [1]"
    assert found.answer[1].startswith("1. Go back by one commit.")


@pytest.mark.parametrize(
    "before", ["# ", "## ", "- ", "* "]
)  # a heading or a bullet of its own, in the text of a sentence
async def test_the_answer_begins_with_no_mark_of_a_heading_or_item(written, before):
    found = await written(FACT | {"text": before + FACT["text"]})
    assert found.answer[0] == "It was lit first on 4 March 1861. [1]"


@pytest.mark.parametrize("lead_in", ["To undo it, do this:", "Die Antwort lautet wie folgt:", "答え："])
async def test_a_line_that_only_says_what_follows_does_not_stand_before_the_answer(written, lead_in):
    found = await written({"text": lead_in, "evidence": ["E2"]}, UNDONE, *STEPS)
    assert found.answer[0].startswith("A commit is undone")
    assert lead_in not in found.markdown


@pytest.mark.parametrize(
    "first",
    [
        {"text": "It was lit on 4 March 1861:", "evidence": ["E1"]},  # a figure
        {"text": "Use `git reset`:", "evidence": ["E2"]},
        {"text": "It leans, as one page says:", "evidence": ["E5"]},  # cited by no other line
    ],
)
async def test_a_first_line_that_says_something_stays_whatever_it_ends_in(written, first):
    found = await written(first, FACT, UNDONE)
    assert found.answer[0].startswith(first["text"])


async def test_a_lead_in_alone_is_all_that_was_answered_and_stays(written):
    assert (
        (await written({"text": "To undo it, do this:", "evidence": ["E2"]})).answer[0].startswith("To undo")
    )


async def test_what_a_model_numbers_itself_is_shown_as_steps(written):
    numbered = [
        {"text": f"{n}. {step['text']}", "evidence": step["evidence"]} for n, step in enumerate(STEPS, 1)
    ]
    found = await written(UNDONE, *numbered)
    assert found.answer[1:3] == ["1. Go back by one commit. [1]", "2. Look at what is staged. [2]"]
    assert [claim.form for claim in found.report.claims] == ["line", "step", "step"]


async def test_a_number_that_begins_a_sentence_is_none_of_a_list(written):
    found = await written(FACT | {"text": "4. March 1861 was the day on which it was lit first."})
    assert found.answer[0].startswith("4\\. March 1861") or found.answer[0].startswith("4. March 1861")


async def test_a_date_is_one_line_without_list_table_or_section(written):
    found = await written(FACT | {"form": "step"})
    assert found.answer == ["It was lit first on 4 March 1861. [1]"]
    assert found.report.sections == []
    assert "Key Findings" not in found.markdown
    assert "In Detail" not in found.markdown


async def test_a_line_answers_a_deep_question_of_three_parts_without_a_word_on_its_length(written):
    found = await written(FACT, outline=THREE)
    assert found.answer == ["It was lit first on 4 March 1861. [1]"]
    assert found.report.length_note == ""
    assert found.report.words == 8


async def test_how_much_the_quotes_say_stands_at_the_end_and_not_in_the_answer(written):
    found = await written(FACT, UNDONE, certainty={"text": "It is well known.", "evidence": ["E1"]})
    assert found.report.check_note.startswith("2 of 2 sentences of the answer say what their quotes say.")
    assert found.report.check_note in found.end
    assert found.markdown.count("say what their quotes say") == 1


async def test_the_age_of_the_material_is_told_in_one_line_at_the_end(written):
    found = await written(FACT, findings=[one.changed(published="2019-05-01") for one in FOUND])
    assert "published 2019-05-01" in found.end
    assert "(page of 2019)" in found.answer[0]


async def test_where_to_look_further_is_the_last_line_of_the_answer(written):
    found = await written(FACT, further=["E4"])
    assert found.answer[-1].startswith("Where to look further: A page")


async def test_that_the_pages_do_not_say_a_sentence_is_told_where_a_reader_found_so(written):
    refused = "The lamp was admired by everybody who saw it."
    found = await written(FACT, {"text": refused, "evidence": ["E1"]}, verdicts={refused: "not_said"})
    assert refused not in found.markdown
    assert "cited pages do not say so" in found.end
    assert [(one["shown"], one["checked_by"]) for one in found.claims if one["written"] == refused] == [
        (False, "model")
    ]


async def test_what_code_alone_cuts_is_not_told_as_the_pages_not_saying_so(written):
    found = await written(FACT, FACT | {"text": "It was lit first on 5 March 1861."})
    assert "cited pages do not say so" not in found.markdown
    assert [one["checked_by"] for one in found.claims if not one["shown"]] == ["code"]


async def test_a_sentence_without_evidence_has_that_of_the_quote_with_its_words_and_is_checked_by_it(written):
    told = {"text": "The lamp was lit for the first time in March 1861."}
    found = await written(
        told, {"text": "Everybody loved the view over the bay."}, {"text": "It was lit on 9 May 1861."}
    )
    assert [claim.evidence for claim in found.report.claims] == [["E1"]]
    assert [(one["shown"], one["evidence"]) for one in found.claims] == [
        (True, ["E1"]),
        (False, ["E1"]),  # another date than that of its quote
        (False, []),
    ]


async def test_a_sentence_with_an_invented_id_gets_no_other_quote(written):
    found = await written(FACT, {"text": "The lamp was lit for the first time.", "evidence": ["E99"]})
    assert [claim.text for claim in found.report.claims] == [FACT["text"]]


async def test_what_a_model_is_not_sure_of_has_the_mark_of_what_it_speaks_of_and_is_left_out_without(written):
    told = {"text": "The year rests on one undated page.", "evidence": ["E1"]}
    found = await written(FACT, certainty=told)
    assert found.answer[-1] == "How certain: The year rests on one undated page. [1]"
    assert found.report.sources[0].n == 1
    for uncited in ("The year rests on one undated page.", told | {"evidence": ["E90"]}, None):
        found = await written(FACT, certainty=uncited)
        assert found.answer == ["It was lit first on 4 March 1861. [1]"]
