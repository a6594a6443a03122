"""A section of a page that was read is read from the archive: nothing is fetched, and no host is waited for."""

from research_crawler.core.models.messages.commands import JobContext, SectionCommand, SectionSpec


def section_of(running, url, sha, heading="Care"):
    """The command for a section, as the planner makes it."""
    visit = running.visit(url)
    return SectionCommand(
        id=visit.id,
        job=visit.job,
        url=visit.url,
        section=SectionSpec(sha=sha, heading=heading),
        job_context=JobContext(goal="how is the ember fern grown"),
    )


def test_a_section_of_a_stored_page_is_read_without_a_download(running, web):
    url = web.hosts["lore"] + "/ember-fern"
    [page] = running.fetch(url)
    web.clear_log()
    command = section_of(running, url, page.page.sha)
    running.forget_pages()
    [id_] = running.push(command)
    event = running.wait_for([id_])[id_]
    assert (event.outcome, event.downloads, event.pages_fetched) == ("ok", 0, 0)
    assert event.page.from_store
    assert event.page.sha == page.page.sha
    assert web.log() == []


def test_a_section_of_a_page_that_the_archive_does_not_have_ends_as_not_kept(running, web):
    url = web.hosts["lore"] + "/ember-fern"
    command = section_of(running, url, "0" * 64)
    [id_] = running.push(command)
    event = running.wait_for([id_])[id_]
    assert (event.outcome, event.reason.text, event.downloads) == ("refused", "not_kept", 0)
