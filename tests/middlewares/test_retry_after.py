"""How long a host's answer keeps everybody away."""

import time
from email.utils import formatdate

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.middlewares.politeness import (
    BUSY_BLOCK_MS,
    FAILED_DOWNLOAD_REST_MS,
    LONGEST_BLOCK_MS,
    block_ms_of,
)
from tests.cases import each_case


@each_case(
    ("status", "header", "expected_ms"),
    [
        (429, b"7", 7_000),
        (503, b" 7 ", 7_000),
        (429, b"0", 0),
        (429, b"86400", LONGEST_BLOCK_MS),
        (429, None, BUSY_BLOCK_MS),
        (503, b"soon", BUSY_BLOCK_MS),
        (429, "²".encode("latin-1"), BUSY_BLOCK_MS),
        (429, b"-5", BUSY_BLOCK_MS),
        (500, b"60", FAILED_DOWNLOAD_REST_MS),
        (0, None, FAILED_DOWNLOAD_REST_MS),
        (200, b"60", 0),
        (301, b"60", 0),
        (404, b"60", 0),
    ],
)
def test_only_answers_that_ask_for_it_block_the_host(status, header, expected_ms):
    assert block_ms_of(status, header) == expected_ms


def test_a_date_is_read_as_the_time_until_then():
    header = formatdate(time.time() + 30, usegmt=True).encode()
    assert 28_000 <= block_ms_of(503, header) <= 30_000


def test_a_date_without_a_zone_is_in_utc():
    header = formatdate(time.time() + 30, usegmt=True).removesuffix(" GMT").encode() + b" -0000"
    assert 28_000 <= block_ms_of(503, header) <= 30_000


def test_a_date_that_has_passed_blocks_nobody():
    assert block_ms_of(429, b"Wed, 21 Oct 2015 07:28:00 GMT") == 0


@given(st.sampled_from([429, 503]), st.binary(max_size=40))
def test_no_header_breaks_it(status, header):
    assert 0 <= block_ms_of(status, header) <= LONGEST_BLOCK_MS
