from pathlib import Path

from research_crawler.engines.provider_table import provider_table
from research_crawler.engines.registry import declarations

PAGE = Path(__file__).parents[2] / "docs" / "search-providers.md"


def test_the_table_has_a_line_for_every_provider_in_the_default_order():
    lines = provider_table()[2:]
    assert [line.split("`")[1] for line in lines] == list(declarations())
    assert all(line.count("|") == 8 for line in lines)


def test_what_the_documentation_says_of_a_provider_is_what_its_file_declares():
    written = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    assert written == provider_table()
