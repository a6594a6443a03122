from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.languages.sentences import without_markdown
from research_crawler.text.languages.statements import is_personal, statements
from tests.cases import each_case


def test_a_sentence_that_leans_on_another_is_no_statement():
    assert statements(
        "The sticky bit restricts deletion of files. It is set by the owner of the folder."
    ) == ["The sticky bit restricts deletion of files."]


def test_lines_that_are_no_sentences_do_not_run_into_the_next_one():
    quote = (
        "SECURITY setgid directory\n\nThe setgid bit also applies to directories.\n\n```\nchmod g+s .\n```\n"
    )
    assert statements(quote) == ["The setgid bit also applies to directories."]


@each_case(
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
    whole = " ".join(without_markdown(line) for line in quote.splitlines())
    for text in statements(quote):
        assert text in " ".join(whole.split())
