import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.sentences import plain
from research_crawler.text.statements import is_personal, is_statement, only_refers, statements


@pytest.mark.parametrize(
    "text",
    [
        "See git-merge(1) for details.",
        "For more information, see the chapter on backups.",
        "This chapter describes how servers are started.",
        "It restricts deletion to the owner of the file.",
        "The HEAD in such a state is called detached by most people.",
        "Will fail unless you run the command by hand first.",
        "section of the manual that says what those are.",
        "Is the sticky bit of any use on a file?",
        "Posts: 1,204",
        "The behavior of the available levels is detailed in the following subsections.",
        "Stashes are described in git-stash(1).",
        "To recover or reuse disk space occupied by updated or deleted rows.",
        "The following table lists the default modules of various systems.",
    ],
)
def test_what_says_nothing_by_itself_is_no_statement(text):
    assert not is_statement(text)


@pytest.mark.parametrize(
    "text",
    [
        "The sticky bit restricts deletion of files to their owner.",
        "--force-with-lease protects all remote refs that are going to be updated.",
        "“Nobody was hurt,” said the mayor of the town on Monday.",
        "128 megabytes is the default of that setting.",
        "To restore the database, run pg_restore as its owner.",
        "Autovacuum is a daemon, which is described in Section 25.1.6, that cleans tables.",
        "The levels are detailed in the standard, and each of them forbids one more anomaly.",
    ],
)
def test_a_whole_sentence_is_a_statement(text):
    assert is_statement(text)


def test_lines_that_are_no_sentences_do_not_run_into_the_next_one():
    quote = (
        "SECURITY setgid directory\n\nThe setgid bit also applies to directories.\n\n```\nchmod g+s .\n```\n"
    )
    assert statements(quote) == ["The setgid bit also applies to directories."]


@pytest.mark.parametrize(
    ("text", "personal"),
    [
        ("I bought one in 2019 and it still runs.", True),
        ("After a year my washer showed the same error.", True),
        ("Ich habe den Filter zweimal getauscht.", True),
        ("Set `my_name` before you call it.", False),
        ("The file my.cnf is read first.", False),
        ("“I was surprised,” the engineer said.", False),
        ("I/O is slow on such disks.", False),
    ],
)
def test_somebody_s_own_account_is_recognised(text, personal):
    assert is_personal(text) is personal


@given(
    st.lists(
        st.sampled_from(
            [
                "A dog barks at the moon tonight. ",
                "see below",
                "\n\n",
                "- an item\n",
                "| a | b |\n",
                "```\n",
                "[Links go there](http://a.test) all day long. ",
                "*Now* it rains. ",
            ]
        )
    )
)
def test_every_statement_stands_in_its_quote(pieces):
    quote = "".join(pieces)
    whole = " ".join(plain(line) for line in quote.splitlines())
    for text in statements(quote):
        assert text in " ".join(whole.split())


@pytest.mark.parametrize(
    "text", ["git-add(1), git-rm(1), gitattributes(5)", "Part of the git(1) suite", "See also pump(8)."]
)
def test_a_list_of_manual_pages_only_refers(text):
    assert only_refers(text)


@pytest.mark.parametrize(
    "text", ["See pump(8), which fills the tank.", "The pump fills the tank.", "git-add(1) stages files"]
)
def test_what_also_tells_something_does_not_only_refer(text):
    assert not only_refers(text)
