import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import BadMessage
from research_crawler.core.vectors import pack_vector, unpack_vector, vector_bytes, vector_of_bytes

unit_floats = st.floats(-1, 1, allow_nan=False)


@given(st.lists(unit_floats, max_size=400))
def test_a_packed_vector_is_equal_within_half_precision(vector):
    back = unpack_vector(pack_vector(vector))
    assert len(back) == len(vector)
    assert all(math.isclose(a, b, rel_tol=2**-10, abs_tol=2**-24) for a, b in zip(vector, back, strict=True))


@given(st.lists(unit_floats, max_size=50))
def test_packing_again_changes_nothing(vector):
    once = pack_vector(vector)
    assert pack_vector(unpack_vector(once)) == once


def test_a_vector_of_the_embedder_takes_768_bytes():
    assert len(vector_bytes([0.5] * 384)) == 768


@pytest.mark.parametrize("text", ["?", "AAA", "AAAA", "ä"])
def test_a_text_that_is_not_a_vector_is_a_bad_message(text):
    with pytest.raises(BadMessage):
        unpack_vector(text)


def test_an_odd_number_of_bytes_is_an_error():
    with pytest.raises(BadMessage):
        vector_of_bytes(b"abc")
