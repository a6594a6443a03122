from dataclasses import replace

from planner.reports.records.run_report import run_report
from planner.reports.report import RenderContext, assemble, unfinished
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.events import ProviderReport
from research_crawler.core.models.reports.drafts import ReportDraft, Sentence
from research_crawler.core.models.reports.report import Report
from research_crawler.core.models.why import Why
from research_crawler.core.vendors import Catalogue, Vendor
from tests.planner.brains.views import finding
from tests.planner.reports.headings import expected_headings, headings_of
from tests.planner.reports.hostile import OURS, made_of
from tests.planner.scripted import Drive, ScriptedBrain, a_job, done, found, read, search, start, visit

A, B = "https://www.a.example/1", "https://b.example/2"
CONTEXT = RenderContext(generated_at="2026-01-03T00:00:00+00:00", seconds=12.5)
FIXED_KEYS = """
    job status goal intent strategy brain report_markdown claims evidence sources products recommendation
    price_assessment quality warnings phase1 phase2 key_findings themes contradictions journey news technical
    run metrics folder depth type generated_at source_count
"""
"""Keys that users' programs rely on."""


def researched(goal="how do heat pumps work", **inputs) -> Drive:
    drive = Drive(a_job(goal, **inputs), ScriptedBrain(search("heat pumps"), visit(A, B), done()))
    drive.step(start(drive.job))
    drive.step(found(drive.commands[0], A, B))
    first, second = drive.commands
    drive.step(read(first, "Heat moves from cold to warm.", "A fan blows air."))
    drive.step(read(second, "The compressor needs power."))
    drive.job = drive.job.model_copy(update={"state": "completed"})
    return drive


def report_of(drive: Drive, *answer: Sentence, **draft) -> Report:
    return assemble(
        drive.job, drive.findings, ReportDraft(by="model-x", answer=list(answer), **draft), CONTEXT
    )


def test_the_report_has_its_sections_in_order():
    drive = researched()
    text = report_of(
        drive, Sentence(text="It moves heat.", evidence=[0]), certainty="Certain."
    ).report_markdown
    assert text.startswith("# how do heat pumps work\n")
    assert headings_of(text) == expected_headings(text)
    assert "It moves heat. [1]" in text
    assert "Certain." in text
    assert "1. A page – a.example, read 2026-01-02, https://www.a.example/1" in text
    assert "This report is based on 1 source from 1 host (read 2026-01-02)." in text
    assert "report by model-x" in text
    assert "decisions by scripted" in text


def test_warnings_come_first():
    drive = researched()
    drive.job = drive.job.model_copy(update={"warnings": ["Offers were not compared."]})
    text = report_of(drive, Sentence(text="It moves heat.", evidence=[0])).report_markdown
    assert text.index("> **Warning:** Offers were not compared.") < text.index("## Answer")


def test_citations_come_from_evidence_and_never_from_the_text():
    drive = researched()
    report = report_of(
        drive,
        Sentence(text="See [9] and [here](https://evil.example/) https://evil.example/x.", evidence=[2, 0]),
        Sentence(text="Power is needed [1].", evidence=[2]),
        journey="Went to https://evil.example/ first.",
    )
    answer = report.report_markdown.split("## Answer")[1].split("## Research Journey")[0]
    assert "evil.example" not in report.report_markdown
    assert "See and here. [1][2]" in answer
    assert "Power is needed. [1]" in answer
    assert [s.url for s in report.sources] == [B, A]


def test_a_host_that_says_the_same_is_counted():
    report = report_of(
        researched(),
        Sentence(text="It moves heat.", evidence=[0], similar=[2, 1, 99]),
        Sentence(text="A fan blows.", evidence=[1], similar=[0]),
    )
    assert "It moves heat. [1] (also said by 1 other host: [2]) A fan blows. [1]\n" in report.report_markdown
    assert [claim.evidence for claim in report.claims] == [["E1"], ["E2"]]
    assert [claim.similar for claim in report.claims] == [["E3"], []]
    assert [source.url for source in report.sources] == [A, B]


def test_a_sentence_without_valid_evidence_is_dropped_and_counted():
    drive = researched()
    report = report_of(
        drive,
        Sentence(text="It moves heat.", evidence=[0, 99]),
        Sentence(text="The moon is cheese.", evidence=[]),
        Sentence(text="And so on.", evidence=[99, -1]),
    )
    assert [c.text for c in report.claims] == ["It moves heat."]
    assert "cheese" not in report.report_markdown
    assert "2 sentences of the draft named no valid evidence and were left out." in report.warnings


def test_a_claim_is_supported_only_by_its_own_quote():
    drive = researched()
    report = report_of(
        drive,
        Sentence(text="heat moves from cold to warm", evidence=[0]),
        Sentence(text="A fan blows air.", evidence=[0]),
        Sentence(text="It is like a fridge.", evidence=[0]),
    )
    assert [c.verdict for c in report.claims] == ["supported", None, None]
    assert report.claims[0].evidence == ["E1"]
    assert report.evidence[0].quote == "Heat moves from cold to warm."


def test_key_findings_are_kept_with_the_ids_of_evidence_that_exists():
    drive = researched()
    listed = [
        Sentence(text="It moves heat.", evidence=[0]),
        Sentence(text="A fan helps [7], see https://evil.example/.", evidence=[1, 2, 99]),
        Sentence(text="The moon is cheese.", evidence=[99]),
    ]
    report = report_of(drive, Sentence(text="It moves heat.", evidence=[0]), lists={"key_findings": listed})
    assert report.model_dump(mode="json")["key_findings"] == [
        {"text": "It moves heat.", "evidence": ["E1"], "similar": []},
        {"text": "A fan helps, see.", "evidence": ["E2", "E3"], "similar": []},
    ]
    assert "1 sentence of the draft named no valid evidence and was left out." in report.warnings


def test_the_report_lists_key_findings_that_its_answer_does_not_say_already():
    drive = researched()
    answer = Sentence(text="It moves heat.", evidence=[0])
    power = Sentence(text="The compressor needs power.", evidence=[2])
    report = report_of(drive, answer, lists={"key_findings": [answer, power]})
    after_the_answer = report.report_markdown.split("## Key Findings\n\n")[1]
    assert after_the_answer.split("\n\n## Research Journey")[0] == "- The compressor needs power. [2]"
    assert [source.url for source in report.sources] == [A, B]
    assert "## Key Findings" not in report_of(drive, answer, lists={"key_findings": [answer]}).report_markdown


def test_a_report_quotes_the_findings_if_the_draft_has_no_usable_sentence():
    report = report_of(researched(), Sentence(text="Nonsense.", evidence=[50]))
    assert "Heat moves from cold to warm. [1]" in report.report_markdown
    assert all(claim.verdict == "supported" for claim in report.claims)
    assert report.exit_code == 0


def test_a_report_without_findings_has_the_exit_code_for_insufficient_evidence():
    drive = Drive(a_job(), ScriptedBrain(done()))
    drive.step(start(drive.job))
    drive.job = drive.job.model_copy(update={"state": "completed"})
    report = report_of(drive, Sentence(text="I just know.", evidence=[0]))
    assert report.exit_code == 3
    assert report.claims == report.sources == []
    assert "No page gave a finding that supports an answer." in report.report_markdown
    assert report.phase1 and report.phase1.success is False


def test_the_report_says_why_no_search_worked():
    drive = Drive(a_job(), ScriptedBrain(search("heat pumps"), done()))
    drive.step(start(drive.job))
    reason = "no search provider for web is switched on; brave is off: set BRAVE_API_KEY"
    failed = found(drive.commands[0]).model_copy(
        update={"outcome": "failed", "reason": Why.from_stored(reason)}
    )
    drive.step(failed)
    report = report_of(drive)
    assert f"> **Warning:** No search worked: {reason}." in report.report_markdown


def test_a_quote_of_a_pdf_is_cited_with_its_page():
    drive = researched()
    pages = iter([9, 2, None])
    drive.findings = [f.model_copy(update={"page_number": next(pages)}) for f in drive.findings]
    report = report_of(drive, Sentence(text="It moves heat.", evidence=[0, 1]))
    assert [entry.page_number for entry in report.evidence] == [9, 2, None]
    assert report.sources[0].page_numbers == [2, 9]
    assert "read 2026-01-02, pages 2, 9, https://www.a.example/1" in report.report_markdown
    only = report_of(drive, Sentence(text="It moves heat.", evidence=[1, 2]))
    assert "page 2, https://www.a.example/1" in only.report_markdown
    assert only.sources[1].page_numbers == []


def test_a_report_after_the_last_resort_has_that_exit_code_too():
    drive = researched()
    drive.job = drive.job.model_copy(update={"plan": drive.job.plan.model_copy(update={"last_resort": True})})
    assert report_of(drive, Sentence(text="It moves heat.", evidence=[0])).exit_code == 3


def test_titles_of_pages_cannot_render_as_html_or_links():
    drive = researched()
    evil = "<img src=x onerror=alert(1)> [click](javascript:alert(1)) https://evil.example"
    drive.findings = [f.model_copy(update={"title": evil}) for f in drive.findings]
    text = report_of(drive, Sentence(text="<script>x</script> It moves.", evidence=[0])).report_markdown
    assert made_of(text) <= OURS
    assert (
        "1. \\<img src=x onerror=alert(1)> \\[click\\](javascript:alert(1)) https\\://evil.example – a.example"
        in text
    )


def test_a_report_always_has_every_key():
    report = report_of(researched(), Sentence(text="It moves heat.", evidence=[0]))
    dumped = report.model_dump(mode="json")
    assert set(dumped) >= set(FIXED_KEYS.split())
    assert dumped["phase2"] is dumped["recommendation"] is dumped["news"] is None
    assert dumped["quality"].pop("reasons") == []
    assert dumped["quality"].pop("attempts") == 1
    assert dumped["quality"] == dict.fromkeys(("query", "relevance", "confidence", "coverage"))
    assert " ".join(dumped["metrics"]) == (
        "searches pages_visited pages_fetched model_calls prompt_tokens completion_tokens usd seconds waited_seconds"
    )
    assert dumped["metrics"]["pages_visited"] == 2
    assert dumped["run"] == {"queries": ["heat pumps"], "final_query": "heat pumps", "web_calls": 3}
    assert set(dumped["evidence"][0]) == {
        "id", "claim", "quote", "start", "end", "url", "title", "page_sha256", "fetched_at", "page_number",
        "remembered_from",
    }  # fmt: skip


def test_phase_1_is_part_of_the_report():
    drive = researched("buy a pump", intent="commerce")
    kinds = {
        "vendor_mentioned": "Best Buy",
        "price_expectation": "$800-1000",
        "recommended_product": "LOQ 15",
    }
    drive.findings = [
        f.model_copy(update={"kind": kind, "claim": text, "quote": text})
        for f, (kind, text) in zip(drive.findings, kinds.items(), strict=True)
    ]
    phase1 = report_of(drive).phase1
    assert phase1.vendor_hints == ["Best Buy"]
    assert phase1.search_terms == ["LOQ 15"]
    assert (phase1.price_range.min, phase1.price_range.max) == (800, 1000)
    assert phase1.intelligence["price_expectations"] == ["$800-1000"]
    assert phase1.intelligence["warnings"] == []
    assert phase1.sources == [A, B]
    assert (phase1.searches_used, phase1.pages_visited) == (1, 2)
    assert phase1.research_state_md.startswith("# Research State")


def test_phase_1_lists_the_vendors_of_the_catalogue_that_sentences_name():
    drive = researched("buy a pump", intent="commerce", region="US")
    texts = ("Pumpworld has had them for years.", "The big ones at pump.example are dear.", "Power is cheap.")
    drive.findings = [
        f.model_copy(update={"kind": "vendor_mentioned", "claim": text, "quote": text})
        for f, text in zip(drive.findings, texts, strict=True)
    ]
    shops = {"Pumpworld": "US", "Power": "NO"}
    vendors = [
        Vendor(name=name, host=f"{name}.test", search=f"https://{name}.test/?q={{query}}", country=country)
        for name, country in shops.items()
    ]
    written = replace(CONTEXT, catalogue=Catalogue(vendors=tuple(vendors)))
    phase1 = assemble(drive.job, drive.findings, ReportDraft(by="x"), written).phase1
    assert "Pumpworld" in phase1.vendor_hints
    assert "Power" not in phase1.vendor_hints


def test_the_same_page_with_two_urls_is_one_source():
    drive = researched()
    visits = [v.model_copy(update={"final_url": A}) for v in drive.job.visits]
    drive.job = drive.job.model_copy(update={"visits": visits})
    report = report_of(drive, Sentence(text="Both say so.", evidence=[0, 2]))
    assert [s.url for s in report.sources] == [A]
    assert "Both say so. [1]" in report.report_markdown


def test_the_report_of_a_cancelled_job_has_what_it_had_found_with_its_sources():
    drive = researched()
    cancelled = drive.job.model_copy(update={"state": "cancelled"})
    report = unfinished(cancelled, drive.findings, CONTEXT)
    assert (report.status, report.exit_code, len(report.evidence)) == ("cancelled", 1, 3)
    assert "> **Warning:** This research ended before its report was written" in report.report_markdown
    assert f"{drive.findings[0].quote} [1]" in report.report_markdown
    assert [source.url for source in report.sources] == [A, B][: len(report.sources)]
    assert unfinished(cancelled, [], CONTEXT).report_markdown == ""


def test_the_run_report_names_queries_providers_pages_and_what_was_used():
    drive = researched()
    failed = ProviderReport(
        provider="searxng", ok=False, status=503, reason="down", url="http://s.example/search"
    )
    searches = [drive.job.searches[0].model_copy(update={"providers": [failed]})]
    drive.job = drive.job.model_copy(update={"searches": searches})
    report = report_of(drive, Sentence(text="It moves heat.", evidence=[0]))
    text = run_report(drive.job, report, writer="model-x")
    assert "1. “heat pumps”: 2 results (ok)" in text
    assert "- searxng: down (status 503) http://s.example/search" in text
    assert f"1. {A} (ok, 2 findings, relevance 0.8)" in text
    assert "- Pages visited: 2 (2 of 8 counted)" in text
    assert "- Web calls: 3" in text
    assert "- report: model-x" in text
    assert "The planner ended the research: enough" in text


def test_a_report_can_be_read_back_from_its_json():
    report = report_of(researched(), Sentence(text="It moves heat.", evidence=[0]))
    assert Report.model_validate_json(report.model_dump_json()) == report
    assert isinstance(Job.from_wire(researched().job.to_wire()), Job)


def test_a_report_speaks_the_language_of_its_goal_and_quotes_stay_in_theirs():
    drive = researched("Wie funktioniert eine Wärmepumpe?")
    text = report_of(drive, Sentence(text="It moves heat.", evidence=[0], similar=[2])).report_markdown
    assert text.startswith("# Wie funktioniert eine Wärmepumpe?\n")
    assert headings_of(text) == expected_headings(text, language="de")
    assert "## Antwort" in text
    assert "It moves heat. [1] (das sagt auch 1 weitere Website: [2])" in text
    assert "gelesen am 02.01.2026" in text
    assert "Dieser Bericht stützt sich auf 2 Quellen von 2 Websites" in text


def test_the_callers_language_is_that_of_the_report():
    drive = researched("how do heat pumps work", language="pl")
    assert "## Odpowiedź" in report_of(drive, Sentence(text="It moves heat.", evidence=[0])).report_markdown


def test_a_sentence_of_old_pages_alone_is_shown_with_their_year_in_the_reports_language():
    for goal, remark in (
        ("how do heat pumps work", "(page of 2019)"),
        ("wie funktioniert eine Wärmepumpe", "(Seite von 2019)"),
    ):
        drive = researched(goal)
        old = [drive.findings[0].model_copy(update={"published": "2019-05-02"}), *drive.findings[1:]]
        drive.findings = [
            one if one.published else one.model_copy(update={"published": "2023-09-01"}) for one in old
        ]
        text = report_of(
            drive,
            Sentence(text="It moves heat.", evidence=[0]),
            Sentence(text="In 2019 it moved heat.", evidence=[0]),
            Sentence(text="Power is needed.", evidence=[2]),
            Sentence(text="Heat and power go together.", evidence=[0, 2]),
        ).report_markdown
        assert f"It moves heat. [2] {remark}" in text  # the newer page has the first number
        assert text.count(remark) == 1


def test_quotes_behind_a_snippet_are_cited_at_their_own_pages():
    series = [
        finding(f"{n},000 people came.", f"http://a.test/tram-{n}", title=f"Tram: bulletin of {n} May 2026")
        for n in range(1, 7)
    ]
    snippets = [
        finding(f"A snippet of {word}.", f"http://{word}.test/").changed(is_snippet=True)
        for word in ("cats", "dogs")
    ]
    page = finding("Fact birds.", "http://birds.test/", title="On birds")
    report = assemble(researched().job, [*series, *snippets, page], ReportDraft(by=""), CONTEXT)
    quoted = {one.id: one.quote for one in report.evidence}
    assert report.claims
    assert all(claim.text == quoted[claim.evidence[0]] for claim in report.claims)
