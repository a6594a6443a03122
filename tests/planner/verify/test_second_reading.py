"""What a reader copies to show that a statement is said: it has to stand in a quote."""

import pytest

from planner.verify.second_reading import bears_out, is_copied

QUOTE = "If, on the other hand, you are getting server errors, the directive used there is not permitted by default."


@pytest.mark.parametrize(
    "words",
    [
        QUOTE,
        "you are getting server errors … is not permitted by default",
        "If you are getting server errors",
        "you are getting server errors, the directive is not permitted by default",
    ],
    ids=["all", "with the sign", "without the sign at the beginning", "without the sign inside"],
)
def test_words_that_stand_in_a_quote_are_copied_also_where_one_cut_is_not_marked(words):
    assert is_copied(words, ["Something else.", QUOTE])


@pytest.mark.parametrize(
    "words",
    [
        "",
        "server errors",
        "you are getting no server errors at all",
        "the directive used there is permitted by default",
        "permitted by default, you are getting server errors",
        "If you are server errors, the directive permitted by default",
    ],
    ids=["nothing", "too short", "words of his own", "without its denial", "in another order", "cut up"],
)
def test_other_words_are_not(words):
    assert not is_copied(words, [QUOTE])


def test_a_copy_without_a_denial_bears_nothing_out():
    assert not bears_out(
        "the directive used there is permitted by default", "It is permitted by default.", [QUOTE]
    )
