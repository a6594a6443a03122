import uuid

from research_crawler.extraction.evidence.identity import finding_id, page_sha


def test_the_id_of_a_page_depends_on_its_text_and_its_url():
    one = page_sha("text", "https://a.example/")
    assert one == page_sha("text", "https://a.example/")
    assert len(one) == 64
    assert len({one, page_sha("text", "https://b.example/"), page_sha("other", "https://a.example/")}) == 3


def test_the_id_of_a_finding_depends_on_command_and_ordinal():
    assert finding_id("job:1", 0) == finding_id("job:1", 0)
    assert uuid.UUID(finding_id("job:1", 0)).version == 5
    assert len({finding_id("job:1", 0), finding_id("job:1", 1), finding_id("job:11", 0)}) == 3
