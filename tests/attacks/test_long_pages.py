"""Pages that are made to cost much where their text is cut into pieces. Processor time counts, not the clock."""

import time

from research_crawler.core.text.headings import HEADING_CHARS, PATH_CHARS, heading_of, heading_path
from research_crawler.extraction.evidence.passages import estimated_tokens, split_passages
from research_crawler.extraction.evidence.quote_headings import heading_above
from research_crawler.text.markdown_blocks.excerpts import excerpts
from research_crawler.text.markdown_blocks.page_sections import headings_left_out
from tests.cases import each_case

MOST_S = 2.0
"""For a page of 100,000 to 300,000 characters: some 0.3 s here, and more on a machine that others use too."""
TEXT = "The pump moves forty litres a minute through a hose of two metres, and it needs no oil. "
LONG = "word " * 14_000
PAGES = {
    "a heading of 14,000 words": f"# {LONG}\n\n" + f"{TEXT}\n\n" * 3_000,
    "14,000 words in each heading": f"# {LONG}\n\n## {LONG}\n\n{TEXT}\n\n" * 2,
    "a path of marks of paths": f"# {'a > ' * 20_000}\n\n" + f"{TEXT}\n\n" * 3_000,
    "terms without an end": "\n\n".join(f"--option-{n}\n\n- item {n} says something" for n in range(3_000)),
    "a table with 1,000 heads": "|" + " head |" * 1_000 + "\n|---|\n" + f"| a | {TEXT} |\n" * 1_000,
    "an open listing": f"{TEXT}\n\n```\n" + f"{TEXT}\n\n" * 3_000,
    "many listings": f"```\n{TEXT}\n```\n\n" * 2_500,
}


@each_case("name", PAGES)
def test_the_pieces_of_a_page_take_time_and_space_in_proportion_to_it(name):
    page = PAGES[name]
    begun = time.process_time()
    passages = split_passages(page, estimated_tokens)
    pieces = [*excerpts(page), *excerpts(page, passages[::2])]  # a gap behind each passage
    headings_left_out(passages, [], [1.0] * len(passages))
    assert time.process_time() - begun < MOST_S
    for piece in [*passages, *pieces]:
        assert len(piece.heading) <= PATH_CHARS + HEADING_CHARS + 3  # of a row also the heads of its table


def test_a_heading_ends_behind_a_word_and_a_path_keeps_the_innermost_headings():
    level, text = heading_of(f"## {LONG}")
    assert (level, text[-5:]) == (2, "word…") and len(text) <= HEADING_CHARS + 1
    path = heading_path(["Guide", "one " * 75, "two " * 75, "a > b"])
    assert path.endswith("two  > a › b") and not path.startswith("Guide") and len(path) <= PATH_CHARS
    assert len(heading_above(f"# {LONG}\n## {LONG}\n### {LONG}\n\n{TEXT}", 3 * len(LONG) + 14)) <= PATH_CHARS
