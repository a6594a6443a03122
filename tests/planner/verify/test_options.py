import pytest

from planner.verify.options import missing_options, options_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "`git reset --soft HEAD^` and `-R`, (--write-recovery-conf)",
            {"--soft", "-R", "--write-recovery-conf"},
        ),
        ("--target=target, -t target", {"--target", "-t"}),
        ("a well-known e-mail of -5 °C -- and – so on", set()),
        ("", set()),
    ],
)
def test_options_are_read_and_hyphens_and_numbers_are_none(text, found):
    assert options_in(text) == found


def test_an_option_that_was_asked_about_is_missing_only_below_the_term_of_another_one():
    asked = {"--soft", "--mixed"}
    assert missing_options("With `--soft` it stays.", ["It stays."]) == {"--soft"}
    assert not missing_options("With `--soft` it stays.", ["It stays."], asked=asked)
    assert not missing_options("With `--soft` it stays.", ["It stays."], ["Options > --soft"])
    assert missing_options("With `--soft` it stays.", ["It stays."], ["Options > --mixed"], asked) == {
        "--soft"
    }
    assert missing_options("With `--hard` it goes.", ["It goes."], asked=asked) == {"--hard"}
