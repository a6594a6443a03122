"""Sections of long pages: the planner reads them from the stored page, each counted as a visit but not as a page."""

from research_crawler.core.models.jobs.decisions import Decision, SectionChoice
from research_crawler.core.models.jobs.job_limits import Limits
from tests.planner.scripted import Drive, ScriptedBrain, a_job, done, found, read, search, start, visit

PAGE = "https://a.example/manual"
SHA = "ab" * 32


def sections(*headings, sha=SHA):
    chosen = [SectionChoice(sha=sha, heading=heading) for heading in headings]
    return Decision(action="read_section", sections=chosen, reason="the answer stands there")


def after_a_long_page(*decisions, left_out=("Setup", "Use"), **limits):
    drive = Drive(
        a_job(limits=Limits(max_searches=3, **limits)), ScriptedBrain(search("x"), visit(PAGE), *decisions)
    )
    drive.step(start(drive.job))
    drive.step(found(drive.commands[0], PAGE))
    event = read(drive.commands[0], "A fact.")
    drive.step(event.changed(page=event.page.model_copy(update={"left_out": list(left_out)})))
    return drive


def test_a_section_is_a_command_without_a_host_that_names_the_stored_page():
    drive = after_a_long_page(sections("Use"), done())
    (command,) = drive.commands
    assert (command.kind, command.spider, command.slot, command.page_key) == ("section", "page", "_", "")
    assert (command.section.sha, command.section.heading, command.url) == (SHA, "Use", PAGE)
    assert drive.brain.views[2].allowed == ["search", "read_section", "done"]
    assert drive.job.plan.open_commands == [command.id]


def test_sections_of_one_decision_may_be_read_in_one_call():
    drive = after_a_long_page(sections("Use", "Care"), done(), left_out=("Use", "Care"))
    assert [command.job_context.pages_asked_together for command in drive.commands] == [2, 2]


def test_a_section_that_was_read_counts_as_a_visit_but_not_as_another_page():
    drive = after_a_long_page(sections("Use"), done())
    drive.step(read(drive.commands[0], "A fact of the section."))
    assert drive.job.plan.visits_used == 2
    assert drive.job.plan.pages_read == 1
    assert [finding.quote for finding in drive.findings] == ["A fact.", "A fact of the section."]
    assert drive.brain.views[-1].unread_sections == [SectionChoice(sha=SHA, heading="Setup")]


def test_sections_that_were_read_or_never_listed_are_not_read():
    drive = after_a_long_page(sections("Use"), sections("Use"), done())
    drive.plain.script = [done()]
    drive.step(read(drive.commands[0], "A fact of the section."))
    assert drive.job.state == "synthesizing"
    drive = after_a_long_page(sections("Invented"), done())
    assert drive.commands == []
    drive = after_a_long_page(sections("Use", sha="cd" * 32), done())
    assert drive.commands == []


def test_without_visits_left_no_section_can_be_read():
    drive = after_a_long_page(done(), max_visits=1)
    assert "read_section" not in drive.brain.views[-1].allowed


def test_a_page_that_was_shown_whole_has_no_sections_to_read():
    drive = after_a_long_page(done(), left_out=())
    assert "read_section" not in drive.brain.views[-1].allowed
