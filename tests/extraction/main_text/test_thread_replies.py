"""Tests of where the replies of a thread begin."""

import pytest

from research_crawler.extraction.evidence.passages import estimated_tokens, split_thread
from research_crawler.extraction.page import read_page

QUESTION = "My lantern has smoked since autumn. I have trimmed the wick twice. Does anybody know what else it could be?"
FIRST = "It is the oil. Paraffin that stood open for a year draws water, and wet oil smokes whatever the wick is like."
SECOND = (
    "Mine smoked until I cleaned the small holes of the burner with a brush; they feed the flame with air."
)


def post(author, text):
    head = f"<div class='user'>{author}</div><time>2024-05-02</time>"
    return f"<div class='post-row'>{head}<div class='message'><p>{text}</p></div></div>"


def read(posts):
    head = "<head><title>Why does my lantern smoke?</title></head>"
    top = "<nav><a href=/>Board</a></nav><h1>Why does my lantern smoke?</h1>"
    return read_page(
        f"<html>{head}<body>{top}{posts}</body></html>".encode(),
        url="https://board.test/threads/lantern.7/",
        headers={"content-type": "text/html"},
    )


REPEATED = f"<div class=thread>{post('Ann', QUESTION)}{post('Bo', FIRST)}{post('Cy', SECOND)}</div>"
APART = f"<div class=opening><p>{QUESTION}</p></div><div class=answers>{post('Bo', FIRST)}{post('Cy', SECOND)}</div>"
DECLARED = (
    "<div itemscope itemtype='https://schema.org/DiscussionForumPosting'><b itemprop=author>Ann</b>"
    f"<p itemprop=text>{QUESTION}</p></div>"
    "<div itemscope itemtype='https://schema.org/Comment'><b itemprop=author>Bo</b>"
    f"<p itemprop=text>{FIRST}</p></div>"
    f"<div itemscope itemtype='https://schema.org/Comment'><b itemprop=author>Cy</b><p itemprop=text>{SECOND}</p></div>"
)


@pytest.mark.parametrize("posts", [REPEATED, APART, DECLARED], ids=["repeated", "question apart", "declared"])
def test_the_replies_of_a_thread_begin_at_the_second_post(posts):
    page = read(posts)
    assert page.kind == "forum"
    shown = page.markdown[page.replies_start :]
    assert FIRST in shown
    assert SECOND in shown
    assert QUESTION not in shown


def test_paragraphs_of_one_post_are_no_replies():
    page = read(
        f"<div class=post-row><div class=user>Ann</div><p>{QUESTION}</p><p>{FIRST}</p><p>{SECOND}</p></div>"
    )
    assert page.replies_start == 0


def test_a_passage_of_a_thread_ends_where_the_replies_begin():
    page = read(REPEATED)
    passages = split_thread(page.markdown, page.replies_start, estimated_tokens)
    for passage in passages:
        assert page.markdown[passage.start : passage.end] == passage.text
        assert passage.is_opening == (passage.end <= page.replies_start)
    assert "".join("".join(one.text.split()) for one in passages) == "".join(page.markdown.split())
