"""Whatever pages, models and callers write, documents have the project's own marks and no others."""

from hypothesis import given
from hypothesis import strategies as st

from planner.reports.records.documents import documents
from planner.reports.records.run_report import run_report
from planner.reports.report import assemble
from research_crawler.core.models.reports.drafts import ReportDraft, Sentence
from tests.cases import each_case
from tests.planner.reports.hostile import OURS, made_of, poisoned
from tests.planner.reports.sample_drafts import CHOICE, CONTEXT, DRAFT, sample_jobs
from tests.text.writing.test_markdown import ATTACKS, HONEST

TEXTS = ATTACKS + HONEST


def all_documents(text: str) -> dict[str, str]:
    """Every document of two jobs in which all texts of others end with `text`."""
    made = {}
    for name, (clean_job, clean_findings) in sample_jobs().items():
        job, findings = poisoned(clean_job, text), poisoned(clean_findings, text)
        choice = poisoned(CHOICE, text) if job.phase2 else None
        report = assemble(job, findings, poisoned(DRAFT, text), CONTEXT, choice)
        shown = documents(job, findings) | {
            "report.md": report.report_markdown,
            "run_report.md": run_report(job, report, writer=f"model {text}", chooser=f"model {text}"),
        }
        made |= {f"{name} {title}": document for title, document in shown.items() if title.endswith(".md")}
    return made


def test_the_jobs_have_all_the_texts_that_are_poisoned():
    shown = "\n".join(all_documents("zzpoison").values())
    for words in (
        "Heat moves",
        "It is light",
        "It moves heat",
        "Lenovo LOQ",
        "the price",
        "Something",
        "of pumps",
        "The parts",
        "A fan blows",
        "Task",
        "The pump",
        "moves heat",
        "the heat",
        "It goes down",
        "How loud",
        "What does it cost",
    ):
        assert any("zzpoison" in line for line in shown.splitlines() if words in line), words


@each_case("text", ["\n\n".join(TEXTS[place : place + 3]) for place in range(0, len(TEXTS), 3)])
def test_no_attack_makes_anything_of_its_own(text):
    for name, document in all_documents(text).items():
        assert made_of(document) <= OURS, name


@given(st.text(st.sampled_from("[]()<>!*_`~\\&#;:/.|=+-\"' \n\tahtpsw1x@é"), max_size=30))
def test_no_text_makes_anything_of_its_own(text):
    for name, document in all_documents(text).items():
        assert made_of(document) <= OURS, name


def test_a_title_cannot_define_the_target_of_our_marks():
    shown = all_documents("\n\n[1]: https://evil.example\n\n[1]")
    assert made_of(shown["pumps report.md"]) <= OURS


def test_a_sentence_with_marks_of_its_own_stands_in_quotation_marks():
    job, findings = sample_jobs()["pumps"]
    quote = "Read argv[1] first, it is safe [2]."
    said = [finding.model_copy(update={"quote": quote, "claim": quote}) for finding in findings]
    draft = ReportDraft(by="m", answer=[Sentence(text=quote, evidence=[0])])
    report = assemble(job, said, draft, CONTEXT)
    assert "“Read argv\\[1\\] first, it is safe \\[2\\].” [1]" in report.report_markdown
    assert report.claims[0].text == quote
    assert report.claims[0].verdict == "supported"
