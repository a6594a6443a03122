import pytest

from planner.job.allowances import candidates, is_open_for_visit
from planner.job.job_editor import JobEditor
from planner.job.results import (
    ENTRY_LINK_SCORE,
    LINK_SCORE,
    link_results,
    merge_results,
    named_links,
    trimmed_results,
)
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.web.pages import Link
from research_crawler.core.web.urls import dedupe_key
from tests.planner.brains.views import visit
from tests.planner.scripted import a_job


def result(url, **more):
    return SearchResult(url=url, title="A page", **more)


def links(*texts):
    return [Link(url=f"https://docs.test/{n}", text=text) for n, text in enumerate(texts)]


MENU = ["Home", "About git", "git-add(1)", "git-commit(1)", "git-log(1)", "Download", "Community", "git Book"]


def test_http_and_https_of_one_page_are_one_result_and_https_is_kept():
    first, _ = merge_results([], [result("http://a.test/page")], search=1)
    merged, added = merge_results(
        first, [result("https://a.test/page"), result("http://a.test/page")], search=2
    )
    assert ([one.url for one in merged], added) == (["https://a.test/page"], 0)


def test_a_page_read_by_http_is_not_offered_again_by_https():
    results, _ = merge_results([], [result("https://a.test/page"), result("https://a.test/other")], search=1)
    job = a_job().changed(results=results, visits=[visit("http://a.test/page")])
    assert [one.url for one in candidates(job)] == ["https://a.test/other"]
    assert not is_open_for_visit(job, "https://www.a.test/page/")
    assert (
        link_results(results, [Link(url="http://a.test/other", text="lighthouse")], about="lighthouse") == []
    )


def test_a_link_that_is_all_about_the_goal_scores_high_however_long_the_goal_is():
    about = "When should I prefer a rebase over a merge in git, and what is the danger of it?"
    found = link_results([], links(*MENU, "git-rebase(1)"), about=about)
    assert found[0].title == "git-rebase(1)"
    assert found[0].score > LINK_SCORE / 2


def test_a_link_by_the_name_of_a_setting_that_is_asked_about_is_worth_reading():
    found = link_results([], links(*MENU, "max_spool"), about="What does max_spool do in Kestrel?")
    assert [(one.title, one.score) for one in found] == [("max_spool", ENTRY_LINK_SCORE)]


def test_a_link_that_shares_only_what_all_links_share_is_left_out():
    about = "When should I prefer a rebase over a merge in git, and what is the danger of it?"
    titles = [one.title for one in link_results([], links(*MENU, "git-rebase(1)"), about=about)]
    assert "git-add(1)" not in titles
    assert "Home" not in titles


def test_one_common_word_in_a_long_anchor_is_not_enough():
    text = (
        "Our harbour festival, its boats, its music and the evening with the lighthouse keeper's many stories"
    )
    found = link_results([], links("Skelder lighthouse", text), about="How tall is the Skelder lighthouse?")
    assert found[0].title == "Skelder lighthouse"
    assert all(one.score < found[0].score / 2 for one in found[1:])


@pytest.mark.parametrize("about", ["", "the of and", "🙂"])
def test_a_goal_without_words_has_no_links(about):
    assert link_results([], links(*MENU), about=about) == []


def test_a_link_named_by_an_identifier_is_compared_by_the_words_in_it():
    links = [
        Link(url=f"http://a.test/{n}", text=text)
        for n, text in enumerate(["LimitParcelSize", "KeepAlive", "Home"])
    ]
    found = link_results([], links, about="How do I lift the limit of the parcel size?")
    assert [one.title for one in found] == ["LimitParcelSize"]


def test_pages_that_were_read_give_way_to_those_that_can_be_read_next():
    urls = [f"https://docs.test/{n}" for n in range(40)]
    results, _ = merge_results([], [result(url, snippet="word " * 50) for url in urls], search=1)
    results = [one.changed(score=0.9 if one.url in urls[:30] else 0.1, scored=True) for one in results]
    kept = trimmed_results(results, 6_000, set(map(dedupe_key, urls[:30])))
    assert set(urls[30:]) <= {one.url for one in kept}
    assert sum(len(one.model_dump_json()) + 1 for one in kept) < 6_000


def test_a_long_record_leaves_room_for_pages_to_read():
    urls = [f"https://docs.test/{n}" for n in range(40)]
    results, _ = merge_results([], [result(url, snippet="word " * 50) for url in urls], search=1)
    visits = [visit(url, n=n, summary="what it says " * 20) for n, url in enumerate(urls[:15], 1)]
    leaves = [Leaf(id=f"1.{n}", question="q" * 120, query="w" * 120, reason="r" * 100) for n in range(12)]
    editor = JobEditor(
        a_job().changed(
            results=results,
            visits=visits,
            outline=Outline(sections=[Section(id="1", title="All", leaves=leaves)]),
        ),
        now_ms=1,
    )
    for n in range(40):
        editor.note("visit", f"{n} " + "https://docs.test/long " * 12)
    job = editor.finish_step()
    assert len(candidates(job)) >= 20


def test_a_link_by_a_name_in_a_quote_is_kept_though_the_goal_does_not_have_it():
    told = ["It was designed by the engineer [Tomas Ehrling](http://a.test/x), and is run by Umber Lines."]
    offered = links("Tomas Ehrling", "Fishing boats", "Agnes Holt", "Gullwire", "contact")
    found = named_links(
        [], offered, [*told, "The Gullwire is a cableway."], about="Who designed the Gullwire?"
    )
    assert [one.title for one in found] == ["Tomas Ehrling"]
    assert found[0].snippet.startswith("It was designed by the engineer Tomas Ehrling")
    assert named_links(found, offered, told, about="Who designed the Gullwire?") == []


def test_a_name_in_the_line_that_has_most_of_the_question_is_worth_reading_and_the_others_less():
    rows = (
        "| Year | Prize | Winner |\n| 2003 | Skelder Prize | Ana Ruiz |\n| 2004 | Skelder Prize | Jon Brask |"
    )
    offered = links("Ana Ruiz", "Jon Brask")
    found = named_links([], offered, [rows], about="Where was who won the Skelder Prize in 2004 born?")
    assert [(one.title, one.score >= 0.6) for one in found] == [("Jon Brask", True), ("Ana Ruiz", False)]
    unknown = named_links([], offered, [rows], about="Where was who won the Marrowby Cup in 2004 born?")
    assert unknown
    assert all(one.score < 0.5 for one in unknown)
