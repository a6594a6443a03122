from planner.reports.sources.ranked_evidence import MOST_TITLE, source_label
from tests.planner.scripted import a_finding


def test_what_is_told_of_a_page_keeps_the_term_however_long_its_title_is():
    one = a_finding("jobaaaaaaaaa:2", "Keeps the index.")
    told = source_label(one.model_copy(update={"title": "tool(1)", "heading": "Options > --soft"}))
    assert told.startswith("tool(1) > Options > --soft | ")
    long = one.model_copy(update={"title": "A manual " * 40, "heading": "Options > --soft"})
    assert source_label(long).partition(" | ")[0].endswith(" > --soft")
    assert len(source_label(long).partition(" | ")[0]) <= MOST_TITLE


def test_the_path_beside_a_quote_consists_of_headings_and_what_leads_to_it_stands_apart():
    one = a_finding("jobaaaaaaaaa:2", "Dynamically allocated.").model_copy(
        update={
            "title": "Policy",
            "heading": "Users > Classes",
            "introduction": "The classes are:",
            "subject": "Tern Classes",
        }
    )
    path, below, about, _ = source_label(one).split(" | ")
    assert (path, below, about) == ("Policy > Users > Classes", "below: The classes are:", "about: Tern")
