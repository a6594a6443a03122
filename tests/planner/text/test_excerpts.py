from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from planner.text.excerpt_markdown import excerpt_markdown, excerpt_text
from planner.text.excerpts import LONGEST_CHARS, excerpts
from research_crawler.core.models.pages import Passage

MANUAL = """# Passwords

## Getting it working

First, you need to create a password file. To create it, type:

```
htpasswd -c /usr/local/apache/passwords rbowen
```

Then say in `httpd.conf` who may enter:

- AuthType Basic
- Require valid-user

## Other things

We use cookies. A table follows.

| Name | Default |
|---|---|
| `LimitRequestBody` | 1073741824 |
"""

PIECES = [
    "# Head\n", "## Part\n", "Some words end here. ", "And more of them follow: ", "\n\n", "\n", "```\ncode *x*\n```\n",
    "- an item\n", "  - a nested one\n", "| a | 43 |\n", "|---|---|\n", "> said\n", "x" * 700 + "\n",
    "[a](http://b.test) ",
    "1. first\n", "é `a[1]` ", "```\n", "~~~\n",
]  # fmt: skip


def test_an_excerpt_keeps_code_with_the_words_that_announce_it():
    first = excerpts(MANUAL)[0]
    assert first.heading == "Passwords > Getting it working"
    assert "type: htpasswd -c /usr/local/apache/passwords rbowen" in first.text


def test_an_excerpt_never_leaves_its_section():
    headings = {piece.heading for piece in excerpts(MANUAL)}
    assert headings == {"Passwords > Getting it working", "Passwords > Other things"}
    assert not any("Require" in piece.text and "table" in piece.text for piece in excerpts(MANUAL))


def test_noise_is_in_no_excerpt():
    texts = [piece.text for piece in excerpts(MANUAL, is_noise=lambda text: "cookies" in text)]
    assert not any("cookies" in text for text in texts)
    assert any("A table follows." in text for text in texts)


def test_an_excerpt_is_shown_with_its_code_and_lists_verbatim():
    shown = "\n\n".join(excerpt_markdown(MANUAL[piece.start : piece.end]) for piece in excerpts(MANUAL))
    assert "```\nhtpasswd -c /usr/local/apache/passwords rbowen\n```" in shown
    assert "- AuthType Basic\n- Require valid-user" in shown
    assert "`LimitRequestBody` – 1073741824" in shown


def test_code_that_holds_a_fence_cannot_end_its_block():
    shown = excerpt_markdown("~~~\n```\n[a](javascript:b)\n~~~\n\nwords")
    assert shown.startswith("````\n```\n[a](javascript:b)\n````")


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_excerpts_are_slices_in_order_that_do_not_overlap(markdown):
    pieces = excerpts(markdown)
    assert all(a.end <= b.start for a, b in pairwise(pieces))
    for piece in pieces:
        quote = markdown[piece.start : piece.end]
        assert quote and quote == quote.strip()
        assert len(quote) <= LONGEST_CHARS
        assert excerpt_text(quote) == piece.text


def test_an_excerpt_never_begins_or_ends_inside_a_listing():
    listing = (
        "```\n" + "\n".join(f"option{n} = value" for n in range(60)) + "\n```\n\nWords after the listing.\n"
    )
    inside = listing.index("option30")
    passage = Passage(start=inside, end=len(listing), text=listing[inside:], tokens=9)
    assert [piece.text for piece in excerpts(listing, [passage])] == ["Words after the listing."]
    for piece in excerpts(MANUAL + listing):
        assert (MANUAL + listing)[piece.start : piece.end].count("```") % 2 == 0
