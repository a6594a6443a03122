from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.markdown_blocks.excerpts import excerpts
from research_crawler.text.markdown_blocks.markdown_blocks import LONG_LISTING, blocks_of, reads_as_prose

PARAGRAPH = """       queue_lifetime (5d)
              Consider a message as undeliverable when delivery fails with a
              temporary error, and the time in the queue has reached this limit.

       The daemon answers requests of the other parts of the system. It reads its
       settings when it starts, and needs a restart after each change of them.

"""
CODE = """$ backup --stanza=demo start
config: path=/var/lib/demo level=3
for f in *.c; do cc -c "$f" && mv "${f%.c}.o" build/; done

"""


def listing(text):
    return f"# Manual\n\n```\n{text * (LONG_LISTING // len(text) + 2)}```\n"


def test_a_page_that_is_one_listing_of_prose_is_read_by_its_paragraphs():
    page = listing(PARAGRAPH)
    found = excerpts(page)
    assert any(one.text.startswith("queue_lifetime (5d) Consider a message") for one in found)
    assert all(page[one.start : one.end].strip() and "```" not in page[one.start : one.end] for one in found)


def test_a_long_listing_of_code_stays_one_block():
    page = listing(CODE)
    assert [block.form for block in blocks_of(page, 0, len(page))] == ["heading", "code"]


def test_prose_is_told_from_code():
    assert reads_as_prose(PARAGRAPH)
    assert not reads_as_prose(CODE)


@given(st.lists(st.sampled_from(["```", "", PARAGRAPH, CODE, "a. b", "| x |", "- item"]), max_size=12))
def test_blocks_of_any_page_are_slices_in_order(lines):
    page = "\n".join(lines)
    ends = [0]
    for block in blocks_of(page, 0, len(page)):
        assert ends[-1] <= block.start < block.end <= len(page)
        ends.append(block.end)


def test_numbered_titles_that_stand_apart_are_a_table_of_contents():
    titles = [f"{number}. Writing a Part" for number in range(57, 63)]
    page = "\n\n".join(["The book has these parts.", *titles, "It ends here."])
    frames = [page[one.start : one.end] for one in blocks_of(page, 0, len(page)) if one.is_frame]
    assert frames == titles
    steps = "\n".join(f"{number}. Fasten the bolt" for number in range(1, 8))
    assert not any(one.is_frame for one in blocks_of(steps, 0, len(steps)))
    few = "\n\n".join(titles[:3])
    assert not any(one.is_frame for one in blocks_of(few, 0, len(few)))
