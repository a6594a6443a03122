import json

from planner.job.earlier.prior_intelligence import NO_PRIOR_INTELLIGENCE, prior_intelligence_of
from planner.reports.records.documents import context_document, documents
from research_crawler.text.writing.messages import REPORT_LANGUAGES, Messages
from tests.cases import each_case
from tests.planner.scripted import (
    Drive,
    ScriptedBrain,
    a_finding,
    a_job,
    done,
    found,
    read,
    search,
    start,
    visit,
)

A, B = "https://a.example/1", "https://b.example/2"


def driven(**inputs) -> Drive:
    drive = Drive(a_job(**inputs), ScriptedBrain(search("heat pumps"), visit(A), done("two sources agree")))
    drive.step(start(drive.job))
    drive.step(found(drive.commands[0], A, B))
    drive.step(read(drive.commands[0], "Heat moves from cold to warm."))
    return drive


def test_all_documents_exist_from_the_start():
    names = [
        "context.md",
        "research_state.md",
        "research_plan.md",
        "scored_results.json",
        "page_findings.json",
        "research-meta.json",
    ]
    first = documents(a_job(), [])
    assert list(first) == names
    assert json.loads(first["scored_results.json"]) == []


def test_the_context_has_the_query_then_prior_intelligence_then_the_callers_words():
    text = documents(
        a_job("tell me about jessika aro", task="Research Jessika Aro", context="Previous: troll farms",
              prior_turn_context="Russian information warfare", topic="Person"), []
    )["context.md"]  # fmt: skip
    places = [
        text.index(part)
        for part in (
            "§1",
            "jessika aro",
            "Russian information",
            "Person",
            "§2",
            "(none yet)",
            "Research Jessika",
            "Previous",
        )
    ]
    assert places == sorted(places)


LAPTOP_GOALS = {
    "en": "what is the best laptop for me",
    "de": "welches ist der beste laptop für mich",
    "fr": "quel est le meilleur laptop pour moi",
    "es": "cuál es el mejor laptop para mí",
    "it": "qual è il miglior laptop per me",
    "nl": "wat is de beste laptop voor mij",
    "pt": "qual é o melhor laptop para mim",
    "pl": "jaki jest najlepszy laptop dla mnie",
}


@each_case("language", LAPTOP_GOALS)
def test_the_context_is_in_the_language_of_the_goal_and_is_understood_when_a_caller_hands_it_back(language):
    goal = LAPTOP_GOALS[language]
    known = [
        a_finding("jobearlieraa:1", "The Kessa 14 laptop is the one to buy", kind="recommended_product"),
        a_finding("jobearlieraa:1", "A good laptop costs €700 to €900", kind="price_expectation"),
        a_finding("jobearlieraa:1", "16 GB of memory in a laptop", kind="spec_to_look_for"),
    ]
    text = context_document(a_job(goal, language=language, intent="commerce"), known)
    translate = Messages(language)
    for key in ("context", "query", "prior_turn", "topic", "prior_intelligence", "from_caller", "task"):
        assert translate(key) in text
    assert text.count(translate("none_yet")) == 4
    read_again = prior_intelligence_of(text, goal)
    assert read_again.kinds == ["recommended_product", "price_expectation", "spec_to_look_for"]
    assert (read_again.prices.min, read_again.prices.max) == (700, 900)


@each_case("language", REPORT_LANGUAGES)
def test_a_context_that_knows_nothing_is_no_intelligence_in_any_language(language):
    goal = LAPTOP_GOALS[language]
    text = context_document(a_job(goal, language=language, intent="commerce"))
    assert prior_intelligence_of(text, goal) == NO_PRIOR_INTELLIGENCE


def test_the_plan_names_every_decision_with_its_reason():
    text = documents(driven().job, [])["research_plan.md"]
    assert "phase1_only: the goal asks for knowledge" in text
    assert "1. **search** heat pumps – to learn more (scripted)" in text
    assert f"2. **visit** {A} – it looks good (scripted)" in text
    assert "3. **done** two sources agree (scripted)" in text
    assert "Searches: 1 of 2 used, 1 left" in text


def test_scored_results_are_an_array_best_first():
    rows = json.loads(documents(driven().job, [])["scored_results.json"])
    assert [row["url"] for row in rows] == [A, B]
    assert {"score", "type", "priority"} <= set(rows[0])


def test_page_findings_have_the_fields_of_the_intent():
    drive = driven()
    [page] = json.loads(documents(drive.job, drive.findings)["page_findings.json"])
    assert page["key_facts"][0]["quote"] == "Heat moves from cold to warm."
    assert page["recommendations"] == page["sources_cited"] == []
    assert "warnings" not in page
    assert (page["relevance"], page["confidence"], page["summary"]) == (0.8, 0.7, "It helps.")
    drive = driven(goal="buy a pump", intent="commerce")
    [page] = json.loads(documents(drive.job, drive.findings)["page_findings.json"])
    assert {"recommended_products", "price_expectations", "specs_to_look_for", "vendors_mentioned"} <= set(
        page
    )


def test_section_2_of_the_callers_context_stands_in_section_2_of_ours():
    context = "Notes.\n\n## §2 Prior Research\n- Orlo Lynx 15\n\n## §4 More\nlast words"
    text = documents(a_job("buy a laptop", context=context), [])["context.md"]
    second, third = text.split("## §3")
    assert "- Orlo Lynx 15" in second.split("## §2")[1]
    assert "Notes." in third
    assert "last words" in third
    assert "Orlo" not in third
