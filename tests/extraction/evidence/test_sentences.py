from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.evidence.sentences import split_sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["It costs $3.50 today.", "Tomorrow it is 4.20 again."],
        ["Dr. Smith met Mr. J. R. Jones in the U.S. last year.", "They talked."],
        ["See https://example.org/a.b?c=d. for more, e.g. this one, i.e. that."],
        ["Am 3. Mai kam er z. B. nach Wien.", "Dort blieb er."],
        ["“Really?”", "She laughed.", "Yes!"],
        ["He waited...", "Then he left."],
        ["東京は晴れです。", "明日は雨ですか？", "はい。"],
        ["Цена выросла.", "Потом она упала!"],
        ["¿Cuánto cuesta?", "¡Nada!"],
        ["Version 2.0.1 is out.", "It fixes node.js support."],
        ["one without an end"],
    ],
)
def test_text_is_split_into_the_expected_sentences(sentences):
    for joint in (" ", "\n"):
        text = joint.join(sentences)
        assert [text[a:b] for a, b in split_sentences(text)] == sentences


@given(st.text(alphabet="abC .!?。\n\"'“5,-", max_size=80))
def test_sentences_are_in_order_and_leave_out_only_white_space(text):
    spans = split_sentences(text)
    assert all(a < b for a, b in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
