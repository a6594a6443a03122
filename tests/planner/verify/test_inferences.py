import pytest

from planner.verify.inferences import is_marked_inference


@pytest.mark.parametrize(
    "text",
    [
        "This suggests undoing it with `git reset ORIG_HEAD`.",
        "`ORIG_HEAD` is set, which suggests the same command.",
        "Together these imply a restart.",
        "From this it follows that a copy is needed.",
        "Das legt nahe, zuerst zu kopieren.",
        "Cela suggère une copie.",
        "Esto sugiere una copia.",
    ],
)
def test_a_sentence_says_that_it_only_follows(text):
    assert is_marked_inference(text)


@pytest.mark.parametrize(
    "text", ["The study suggests a cause.", "He suggested a restart.", "This is so.", ""]
)
def test_what_others_suggest_is_no_inference_of_the_writer(text):
    assert not is_marked_inference(text)
