"""An answer has the form of its question, and what a writer puts together is marked."""

from markdown_it import MarkdownIt

from planner.reports.checks.sentence_checks import SentenceChecker
from planner.reports.report import RenderContext, assemble
from planner.reports.sections import in_forms
from planner.reports.sources.citations import Citations
from research_crawler.core.models.evidence.entailment import PairReading, Readings
from research_crawler.core.models.reports.drafts import (
    TABLE_ID,
    DraftCell,
    DraftRow,
    DraftSection,
    DraftTable,
    ReportDraft,
    Sentence,
)
from research_crawler.text.writing.messages import ENGLISH_MESSAGES
from tests.planner.scripted import NOW, a_finding, a_job

SOFT = "`git reset --soft` leaves your changes staged."
BEFORE = "`HEAD~1` names the commit before the last one."
YEARS = ["Each release is supported for two years.", "Two releases overlap for one year."]
FOUND = [
    a_finding("jobaaaaaaaaa:2", quote, url=f"https://{host}.example/", score=0.9)
    for host, quote in zip("abcd", [SOFT, BEFORE, *YEARS], strict=True)
]
STEP = Sentence(text="Go back by one commit.", evidence=[0, 1], code="git reset --soft HEAD~1", form="step")


def shown(*sentences):
    return "\n\n".join(in_forms(Citations(FOUND, []).cite(sentences), ENGLISH_MESSAGES))


async def checked(*sentences, verdict="supported", words="", findings=FOUND):
    read = []

    async def judge(pairs):
        read.extend(pairs)
        return Readings(by="model-x", found=[PairReading(verdict=verdict, words=words)] * len(pairs))

    checker = SentenceChecker(findings, goal="", language="en", read_pairs=judge)
    draft = await checker.check_report(ReportDraft(by="model-x", answer=list(sentences)))
    return draft.answer, checker.checked, read


def test_steps_are_numbered_with_the_command_of_each_in_their_item():
    first = Sentence(text="Look at it first.", evidence=[0], form="step", code="`git reset --soft`")
    text = shown(Sentence(text="It can be undone.", evidence=[0]), first, STEP)
    assert (
        "2. Go back by one commit. [1][2]\n\n   ```\n   git reset --soft HEAD~1\n   ```\n\n   composed from [1][2]"
        in text
    )
    tokens = [token.type for token in MarkdownIt().parse(text)]
    assert tokens.count("ordered_list_open") == 1
    assert tokens.count("list_item_open") == 2


def test_a_cause_and_a_choice_are_labelled_lines():
    forms = ("see", "means", "do", "rule", "except")
    text = shown(*(Sentence(text=f"Line {form}.", evidence=[0], form=form) for form in forms))
    assert [line.split(":**")[0] for line in text.split("\n\n")] == [
        "- **What you see",
        "- **What it means",
        "- **What to do",
        "- **Rule of thumb",
        "- **Exception",
    ]


def test_lines_of_a_form_have_its_label_once_and_none_without_the_one_it_rests_on():
    means = [Sentence(text=f"Line {n}.", evidence=[0], form="means") for n in (1, 2)]
    assert shown(*means) == "Line 1. [1] Line 2. [1]"
    seen = Sentence(text="It fails.", evidence=[0], form="see")
    assert shown(seen, *means).split("\n\n") == [
        "- **What you see:** It fails. [1]",
        "- **What it means:**",
        "  - Line 1. [1]",
        "  - Line 2. [1]",
    ]


def test_another_way_stands_in_the_item_of_its_step():
    other = Sentence(text="Or start anew.", evidence=[0], form="or", code="git reset")
    text = shown(*[STEP] * 10, other, STEP)
    html = MarkdownIt().render(text)
    assert (html.count("<ol>"), html.count("<ul>")) == (1, 1)
    assert html.index("<strong>Or:</strong> Or start anew.") < html.index("</ol>")
    assert shown(other) == shown(other.changed(form="line"))
    assert "1. Go back" in shown(STEP, other)


def test_the_steps_of_another_way_to_do_all_of_it_are_numbered_anew():
    way = Sentence(text="With another tool.", evidence=[0], form="way")
    remark = Sentence(text="It has to be there.", evidence=[0])
    text = shown(STEP, STEP, way, remark, STEP, STEP)
    html = MarkdownIt().render(text)
    assert html.count("<ol>") == 2
    between = html[html.index("</ol>") : html.rindex("<ol>")]
    assert "<strong>Or:</strong> With another tool." in between
    assert "It has to be there." in between
    assert text.count("1. Go back") == text.count("2. Go back") == 2
    for around in ((way, STEP, STEP), (STEP, STEP, way), (way,)):
        assert "Or:" not in shown(*around), "there is no other way before it, or none below it"


def test_a_remark_between_two_steps_belongs_to_the_first_of_them():
    remark = Sentence(text="It takes a while.", evidence=[0])
    html = MarkdownIt().render(shown(remark, STEP, remark, STEP, remark))
    assert html.count("<ol>") == 1
    steps = html[html.index("<ol>") : html.index("</ol>")]
    assert steps.count("It takes a while.") == 1


def test_several_reasons_are_a_list_and_a_single_one_is_a_line():
    points = [Sentence(text=f"Reason {n}.", evidence=[0], form="point") for n in (1, 2)]
    assert shown(*points) == "- Reason 1. [1]\n\n- Reason 2. [1]"
    assert shown(points[0]) == "Reason 1. [1]"


def test_more_facts_than_a_paragraph_holds_are_a_list_of_their_own_below_another_list():
    lines = [Sentence(text=f"Fact {n}.", evidence=[0]) for n in range(4)]
    assert shown(STEP, STEP, *lines).endswith(
        "**Good to know:**\n\n" + "\n\n".join(f"- Fact {n}. [1]" for n in range(4))
    )
    assert shown(STEP, STEP, *lines[1:]).endswith("\n\nFact 1. [1] Fact 2. [1] Fact 3. [1]")
    assert shown(*lines).count("\n") == 0


def test_a_command_that_its_sentence_shows_is_not_shown_again_below_it():
    told = Sentence(text=SOFT, evidence=[0], code="git reset --soft")
    assert "```" not in shown(told)
    assert "```" in shown(told.changed(evidence=[0, 1], code="git reset --soft HEAD~1"))


def test_a_listing_that_a_quote_has_as_it_is_is_not_marked():
    assert "composed" not in shown(Sentence(text="Do this.", evidence=[0], code="git reset --soft"))


async def test_a_reader_reads_a_composed_listing_and_may_refuse_it():
    [kept], _, read = await checked(STEP)
    assert kept.code == STEP.code
    assert f"{STEP.text}\n{STEP.code}" in [pair.statement for pair in read]
    told = STEP.changed(text=SOFT)  # copied, so that only the listing is read
    [kept], log, _ = await checked(told, verdict="not_said")
    assert kept.code == ""
    assert [(one.part, one.by, one.text) for one in log if "listing" in one.part] == [
        ("answer listing", "model-x", "")
    ]


async def test_a_hostile_writer_loses_its_listing_without_a_reader():
    for code in ("git reset --soft --force HEAD~1", "git reset --hard HEAD~1", "git reset --soft HEAD~9"):
        [kept], log, read = await checked(STEP.changed(code=code, text=SOFT))
        assert (kept.code, read) == ("", [])
        assert [one.by for one in log if one.part == "answer listing"] == ["code"]


async def test_a_command_of_another_quote_of_the_same_page_is_shown_where_a_reader_finds_it_right():
    url = "https://git.example/commit"
    quotes = ["Commit the now-current index with whatever message is appropriate.", "Then type `git commit`."]
    found = [a_finding("jobaaaaaaaaa:2", quote, url=url) for quote in quotes]
    told = Sentence(text=quotes[0], evidence=[0], code="git commit")
    for verdict, code, by in (
        ("supported", "git commit", []),
        ("not_said", "", ["model-x"]),
        ("could_not_check", "", ["code"]),
    ):
        [kept], log, read = await checked(told, verdict=verdict, findings=found)
        assert [pair.statement for pair in read] == [f"{quotes[0]}\ngit commit"]
        assert kept.code == code
        assert kept.evidence == ([0, 1] if code else [0])
        assert [one.by for one in log if one.part == "answer listing"] == by
    elsewhere = [found[0], found[1].changed(url="https://other.example/")]
    [kept], _, read = await checked(told, findings=elsewhere)
    assert (kept.code, read) == ("", [])


async def test_a_figure_that_is_worked_out_is_shown_with_how():
    told = Sentence(text="Two releases last three years.", evidence=[2, 3], calculation="2 + 1 = 3")
    [kept], _, read = await checked(told)
    assert kept.verdict == "supported"
    assert [pair.statement for pair in read] == ["Two releases last three years. (2 + 1 = 3)"]
    assert shown(kept) == "Two releases last three years. (worked out from [1][2]: 2 + 1 = 3)"


async def test_a_figure_is_cut_where_its_calculation_does_not_hold():
    for calculation in ("2 + 2 = 3", "2 + 5 = 7", "5 - 2 = 3", "", "2 + 1 = 3 years"):
        told = Sentence(text="Two releases last three years.", evidence=[2, 3], calculation=calculation)
        assert (await checked(told))[0] == []


async def test_a_reader_has_the_last_word_about_what_is_worked_out():
    told = Sentence(text="Two releases last three years.", evidence=[2, 3], calculation="2 + 1 = 3")
    assert (await checked(told, verdict="contradicted"))[0] == []


async def test_the_log_says_who_decided_about_a_cell():
    row = DraftRow(label="release", cells=[DraftCell(text="two years", evidence=[2])])
    rows = [row, row.changed(cells=[DraftCell(text="nine years", evidence=[2])])]
    table = DraftTable(columns=["Thing", "supported"], rows=rows)

    async def judge(pairs):
        return Readings(by="model-x", found=[PairReading(verdict="not_said")] * len(pairs))

    checker = SentenceChecker(FOUND, goal="", language="en", read_pairs=judge)
    await checker.check_report(
        ReportDraft(by="m", sections=[DraftSection(id=TABLE_ID, title="", table=table)])
    )
    assert [(one.written, one.by) for one in checker.checked] == [
        ("two years", "model-x"),
        ("nine years", "code"),
    ]


async def test_a_column_of_one_row_alone_is_no_comparison_but_one_with_a_cell_that_is_cut_stays():
    def row(label, *texts):
        cells = [DraftCell(text=text, evidence=[2] if text else []) for text in texts]
        return DraftRow(label=label, cells=cells)

    rows = [
        row("Old", "two years", "releases", "two years", "supported"),
        row("New", "two years", "releases", "nine years", ""),
    ]
    table = DraftTable(columns=["Thing", "support", "of", "at most", "how"], rows=rows)

    async def judge(pairs):
        return Readings(by="model-x", found=[PairReading(verdict="supported")] * len(pairs))

    checker = SentenceChecker(FOUND, goal="", language="en", read_pairs=judge)
    drafted = ReportDraft(by="m", sections=[DraftSection(id=TABLE_ID, title="", table=table)])
    [section] = (await checker.check_report(drafted)).sections
    assert section.table.columns == ["Thing", "support", "of", "at most"]
    assert [one.cells[2].text for one in section.table.rows] == ["two years", ""]


def test_the_table_of_an_answer_stands_within_it_and_where_to_look_further_below():
    rows = [DraftRow(label=f"Way {n}", cells=[DraftCell(text=SOFT, evidence=[0])]) for n in (1, 2)]
    table = DraftTable(columns=["Way", "What it does"], rows=rows)
    draft = ReportDraft(
        by="model-x",
        answer=[Sentence(text=SOFT, evidence=[0])],
        sections=[DraftSection(id=TABLE_ID, title="", table=table)],
        further=[1],
    )
    report = assemble(a_job(), FOUND, draft, RenderContext(generated_at="", seconds=NOW / NOW))
    answer = report.report_markdown.partition("## Answer")[2].partition("\n## ")[0]
    assert "| Way | What it does |" in answer
    assert "Where to look further: A page [2]" in answer or "Where to look further" in answer
    assert "In Detail" not in report.report_markdown
    assert [source.host for source in report.sources] == ["a.example", "b.example"]


async def test_a_sentence_that_is_a_key_finding_too_is_one_line_of_the_claims():
    async def judge(pairs):
        return Readings(by="model-x", found=[PairReading(verdict="supported")] * len(pairs))

    checker = SentenceChecker(FOUND, goal="", language="en", read_pairs=judge)
    said = [Sentence(text="It goes back by one commit.", evidence=[0])]
    draft = await checker.check_report(ReportDraft(by="model-x", answer=said, lists={"key_findings": said}))
    assert len(draft.answer) == len(draft.lists["key_findings"]) == 1
    assert [one.part for one in checker.checked] == ["answer"]


async def test_a_listing_that_is_cut_is_noted_once_and_the_certainty_does_not_speak_of_it():
    wrong = Sentence(text=SOFT, evidence=[0], code="git reset --hard origin/main")

    async def judge(pairs):
        return Readings(by="model-x", found=[PairReading(verdict="supported")] * len(pairs))

    checker = SentenceChecker(FOUND, goal="", language="en", read_pairs=judge)
    told = ReportDraft(
        by="model-x", answer=[wrong], lists={"key_findings": [wrong]},
        certainty="That `git reset --hard origin/main` is the best way is uncertain.",
    )  # fmt: skip
    draft = await checker.check_report(told)
    assert not draft.answer[0].code
    assert draft.certainty == ""
    assert sum(one.part.endswith(" listing") for one in checker.checked) == 1
    assert (await checker.check_report(told.changed(certainty="`git reset --soft` is well known."))).certainty


def test_a_choice_that_begins_with_its_rules_begins_with_a_sentence():
    rules = [Sentence(text=f"Take the {n}.", evidence=[0], form="rule") for n in ("first", "second")]
    other = Sentence(text="It is full.", evidence=[0], form="except")
    assert shown(*rules, other).split("\n\n") == [
        "Take the first. [1]",
        "- **Rule of thumb:** Take the second. [1]",
        "- **Exception:** It is full. [1]",
    ]


def test_many_plain_sentences_of_an_answer_are_a_list_behind_the_first():
    lines = [Sentence(text=f"Fact {n}.", evidence=[0]) for n in range(5)]
    cited = Citations(FOUND, []).cite(lines)
    blocks = in_forms(cited, ENGLISH_MESSAGES, is_answer=True)
    assert blocks == ["Fact 0. [1]", *(f"- Fact {n}. [1]" for n in range(1, 5))]
    assert len(in_forms(cited[:4], ENGLISH_MESSAGES, is_answer=True)) == 1
    assert len(in_forms(cited, ENGLISH_MESSAGES)) == 1
