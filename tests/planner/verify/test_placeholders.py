"""Commands of quotes whose placeholders a writer fills with values of quotes."""

import pytest

from planner.verify.cited_text import CitedText
from planner.verify.coverage import WordWeights, word_set
from planner.verify.listings import listing_in
from planner.verify.placeholders import is_filled
from planner.verify.statement import Statement

HEAD = "Before the operation, ORIG_HEAD is set to the tip of the branch."
QUOTES = [
    "Run git reset --soft <commit>. It keeps all files.",
    HEAD,
    "`git show <dangling blob>` and git reset [<mode>] [<commit>] do so, and --hard too.",
    "Use `cp FILE target`, `gc --prune=<date>` or `gc --keep=NUM`; the values now, 7 and notes.txt are common.",
]


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("git reset --soft ORIG_HEAD", True),
        ("git reset --hard ORIG_HEAD", True),
        ("git show ORIG_HEAD", True),
        ("cp notes.txt target", True),
        ("gc --prune=now", True),
        ("gc --keep=7", True),
        # A value that no quote names, another command or option, one word more or less, an option for a commit.
        ("git reset --soft HEAD~3", False),
        ("git restore --soft ORIG_HEAD", False),
        ("git reset --mixed ORIG_HEAD", False),
        ("git reset --soft ORIG_HEAD now", False),
        ("git reset ORIG_HEAD", False),
        ("git reset --soft --hard", False),
        ("gc --prune=--hard", False),
        ("ORIG_HEAD", False),
        ("", False),
    ],
)
def test_a_placeholder_is_filled_with_a_value_of_a_quote_and_nothing_else_is_changed(line, is_one):
    assert is_filled(line, QUOTES) == is_one


@pytest.mark.parametrize(
    ("quote", "line"),
    [
        ("git reset --hard HEAD clears it.", "git reset --hard ORIG_HEAD"),
        ("Then CREATE TABLE NAME makes one, like ORIG_HEAD.", "CREATE TABLE ORIG_HEAD"),
        ("Run git show [1] to see it.", "git show ORIG_HEAD"),
        ("git reset --soft target leaves it.", "git reset --soft ORIG_HEAD"),
    ],
)
def test_a_value_and_a_keyword_are_no_placeholders(quote, line):
    assert not is_filled(line, [quote, HEAD])


def test_a_listing_may_be_a_quoted_command_with_its_placeholder_filled():
    assert listing_in("git reset --soft ORIG_HEAD", QUOTES) == "git reset --soft ORIG_HEAD"
    assert listing_in("$ git reset --soft HEAD~3", QUOTES) == ""
    assert listing_in("git reset --soft ORIG_HEAD\nrm -rf /", QUOTES) == ""


@pytest.mark.parametrize(("code", "has"), [("git show ORIG_HEAD", True), ("git show HEAD~3", False)])
def test_a_sentence_has_the_code_of_its_quotes_also_with_the_placeholder_filled(code, has):
    source = CitedText(QUOTES)
    weights = WordWeights(map(word_set, QUOTES))
    assert Statement(f"`{code}` shows what it names.", source, weights).has_its_code == has
