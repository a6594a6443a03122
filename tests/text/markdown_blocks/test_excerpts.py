from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.web.pages import Passage
from research_crawler.text.markdown_blocks.excerpt_markdown import (
    excerpt_markdown,
    excerpt_text,
    is_told_by_quote,
)
from research_crawler.text.markdown_blocks.excerpts import LONGEST_CHARS, excerpts, without_number

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
    assert "| Name | Default |\n| --- | --- |\n| `LimitRequestBody` | 1073741824 |" in shown


def test_code_that_holds_a_fence_cannot_end_its_block():
    shown = excerpt_markdown("~~~\n```\n[a](javascript:b)\n~~~\n\nwords")
    assert shown.startswith("````\n```\n[a](javascript:b)\n````")


OPTIONS = """## Options

-m

--move

Move a branch with its reflog.

-c

--copy

Copy a branch with its reflog, as a new branch that has the same commits and the same upstream. What the branch
tracks is copied too, and so are all settings that are stored under the name of the old branch. The reflog of the
old branch is kept, and the new branch gets a copy of it, in which a line more says where it came from and when.

After that, the copy is checked out in this worktree, unless another worktree has it.

--format
"""


def test_a_term_stands_with_the_paragraph_below_it_and_with_no_other():
    pieces = excerpts(OPTIONS)
    assert [piece.text.split()[0] for piece in pieces] == ["-m", "-c", "After"]
    assert "copy" not in pieces[0].text
    assert pieces[1].heading == "Options"


def test_a_later_part_of_an_explanation_says_what_it_explains():
    (later,) = (piece for piece in excerpts(OPTIONS) if piece.text.startswith("After"))
    assert later.heading == "Options > -c, --copy"


THREAD = """# Why is RAID not a backup?

RAID does not protect you against a file being deleted.

answered May 2, 2009 at 0:09

tvanfosson

If you lose a disk of a large array, the others may fail while it is being rebuilt.

Compounding: questions and answers

Report issues
"""


def test_a_sentence_in_brackets_inside_a_long_paragraph_is_no_term():
    told = "The office counts the letters of each round before it sends the next ones to the harbour. " * 9
    text = f"max_spool (integer)\n\n{told}(However, no more than ten are sent at once.) The default is 40 letters."
    _, *later = excerpts(f"# Post\n\n{text}\n")
    assert {one.heading for one in later} == {"Post > max_spool (integer)"}


def test_a_name_with_a_rank_below_it_beside_a_byline_is_in_no_excerpt():
    said = "Stay away from the thin one: mine throttles after ten minutes."
    page = f"It draws 115 watts.\n\nmoth_hour\nMember\n\nPosted 2026-09-15 · 9 found this useful\n\n{said}\n\nOr\nso\n"
    assert [one.text for one in excerpts(page)] == ["It draws 115 watts.", f"{said} Or so"]


def test_a_byline_and_the_name_beside_it_are_in_no_excerpt_and_head_none():
    first, second = excerpts(THREAD)
    assert (first.text[:8], second.text[:11]) == ("RAID doe", "If you lose")
    assert {piece.heading for piece in (first, second)} == {"Why is RAID not a backup?"}
    assert not any("tvanfosson" in piece.text or "2009" in piece.text for piece in (first, second))


def test_a_table_of_contents_is_no_excerpt():
    contents, first, second = "- Setting it up\n- Taking it down", "## Setting it up", "## Taking it down"
    page = f"# Guide\n\n{contents}\n\n{first}\n\nPut the pole into the ground.\n\n{second}\n\nPull."
    assert [piece.text for piece in excerpts(page)] == ["Put the pole into the ground.", "Pull."]


def test_numbered_headings_in_a_row_are_a_table_of_contents():
    contents = "\n\n".join(f"4.{n}. Setting the option number {n}" for n in range(1, 9))
    (only,) = excerpts(f"# Guide\n\nThe guide is about options and what they do.\n\n{contents}\n")
    assert only.text == "The guide is about options and what they do."


def test_a_row_far_from_its_table_s_heads_is_told_with_them():
    rows = "".join(f"| option{n} | what the option with the number {n} does |\n" for n in range(40))
    pieces = excerpts(f"## All\n\n| Name | Meaning |\n|---|---|\n{rows}")
    assert pieces[0].heading == "All"
    assert pieces[-1].heading == "All (Name – Meaning)"


@pytest.mark.parametrize("count", [3, 40])
def test_a_row_with_which_a_passage_begins_is_told_with_the_heads_of_its_table(count):
    rows = "".join(f"| option{n} | what the option with the number {n} does |\n" for n in range(60))
    markdown = f"## All\n\n| Name | Meaning |\n|---|---|\n{rows}"
    start = markdown.index("| option20 ")
    end = markdown.index(f"| option{20 + count} ") if count < 40 else len(markdown)
    passage = Passage(start=start, end=end, text=markdown[start:end], heading="All", tokens=9)
    assert {piece.heading for piece in excerpts(markdown, [passage])} == {"All (Name – Meaning)"}


def test_a_bar_in_a_cell_makes_no_further_cell():
    shown = excerpt_markdown("| a | b |\n|---|---|\n| `x \\| y` | one \\| two |")
    assert shown.splitlines()[-1] == "| `x \\| y` | one \\| two |"


def test_lines_without_an_explanation_are_not_lost():
    poem = "\n\n".join(f"line {n} of a poem" for n in range(9))
    assert " ".join(piece.text for piece in excerpts(poem)).count("of a poem") == 9


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


RESET = """# Examples

Undo a commit and redo

```
$ vcs store ...
$ vcs reset --soft HEAD^      <1>
$ edit                        <2>
$ vcs store -a -c ORIG_HEAD   <3>
```

1. This is most often done when you remembered what you just stored is incomplete, or you misspelled your message, \
or both. Leaves working tree as it was before "reset", with all that you have changed in it and have not stored yet.
2. Make corrections to working tree files.
3. "reset" copies the old head to ORIG_HEAD; redo the commit by starting with its log message. If you do not need to \
edit the message further, you can give the other option instead, which takes the message as it stands in the old head.

Undo commits permanently

```
$ vcs reset --hard HEAD~3   <1>
```

1. The last three commits were bad and you do not want to ever see them again.
"""


def test_the_numbered_notes_of_a_listing_stay_with_it():
    first, second = excerpts(RESET)
    assert "reset --soft HEAD^" in first.text
    assert "Make corrections" in first.text
    assert "copies the old head" in first.text
    assert "reset --hard" in second.text
    assert "never see" not in first.text


def test_the_number_of_a_step_is_no_footnote():
    steps = "# Steps\n\n" + "".join(f"{n}. Do part {n} of the work with care.\n" for n in range(1, 6))
    (whole,) = excerpts(steps)
    assert all(f"Do part {n} of the work" in whole.text for n in range(1, 6))


def test_an_address_of_a_page_is_shown_as_it_stands_there_and_links_to_nothing():
    shown = excerpt_markdown('Add "http://security.example.org/a_b/" to the list (see https://x.example/y).')
    assert shown == 'Add "`http://security.example.org/a_b/`" to the list (see `https://x.example/y`).'


def test_a_list_of_numbered_sections_is_a_table_of_contents():
    page = (
        "# Quoting\n\n- Single quotes\n- Double quotes\n- Escapes\n\n"
        "## 3.1 Single quotes\n\nThey keep all that they enclose.\n\n## 3.2 Double quotes\n\nThey keep most of it."
    )
    assert [one.text for one in excerpts(page)] == [
        "They keep all that they enclose.",
        "They keep most of it.",
    ]


def test_a_heading_is_compared_without_its_number():
    numbered = ["3.1.2 Quoting", "8.2. Carts", "D.4. Lamps", "Quoting", "2024", "RAID 5", "7 steps"]
    bare = ["Quoting", "Carts", "Lamps", "Quoting", "2024", "RAID 5", "steps"]
    assert [without_number(one) for one in numbered] == bare


@pytest.mark.parametrize(
    ("claim", "quote", "told"),
    [
        ("Step Lamp Rinsing quick", "| Step | Lamp |\n| --- | --- |\n| Rinsing | quick |", True),
        ("See the guide now.", "See [the guide](https://a.test/) **now**.", True),
        ("The grinder weighs 387 g.", "It weighs 387 g.", False),
    ],
)
def test_a_finding_in_the_words_of_its_quote_is_shown_once(claim, quote, told):
    assert is_told_by_quote(claim, quote) is told


CODE = "```\ngit widget --continue\n```"
SENTENCE = "The widget keeps its state in a folder of its own and writes each step there at once."


def test_a_listing_stands_with_the_sentence_before_it_however_full_the_excerpt_is() -> None:
    lead_in = "Once that is done, you can go on with"
    page = f"## Steps\n\n{' '.join([SENTENCE] * 6)} {lead_in}\n\n{CODE}\n\nand the rest follows.\n"
    with_code = [page[one.start : one.end] for one in excerpts(page) if "--continue" in one.text]
    assert [text.startswith(lead_in) for text in with_code] == [True]
    assert sum(lead_in in one.text for one in excerpts(page)) == 1


def test_a_part_of_a_page_that_begins_with_a_listing_or_list_takes_what_leads_to_it_from_above() -> None:
    for lead_in, block in (("You can go on with", CODE), ("These are kept:", "- the state\n- the log")):
        page = f"## Steps\n\n{SENTENCE} {lead_in}\n\n{block}\n"
        begin = page.index(block)
        part = Passage(text=block, start=begin, end=len(page), heading="Steps", tokens=9)
        (found,) = excerpts(page, [part])
        assert lead_in in found.text
