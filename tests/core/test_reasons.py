"""A reason crosses Redis and the archive as a value, and texts of earlier releases are read as what they meant."""

import json
import re
from importlib.resources import files
from typing import get_args

from hypothesis import assume, given
from hypothesis import strategies as st

from research_crawler.adapters.redis.job_fields import as_json
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.messages.commands import PageEntry
from research_crawler.core.models.messages.events import CommandDone, read_event
from research_crawler.core.models.reasons import WALLS, Reason
from research_crawler.core.models.why import STORED, Refusal, Why
from research_crawler.extraction.blockers.model import BlockerKind
from tests.cases import each_case

EARLIER = {
    "": Why(),
    "robots": Why(Reason.ROBOTS),
    "robots_unreachable": Why(Reason.ROBOTS_UNREACHABLE),
    "guard: private_address": Why(Reason.GUARD, "private_address"),
    "host_list": Why(Reason.HOST_LIST),
    "too_slow(40 s)": Why(Reason.TOO_SLOW, "40 s"),
    "too_slow(40)": Why(Reason.TOO_SLOW, "40"),
    "busy(12 s)": Why(Reason.BUSY, "12 s"),
    "http 404": Why(Reason.HTTP, "404"),
    "http 401: the key is refused": Why(Reason.HTTP, "401: the key is refused"),
    "proxy: 407": Why(Reason.PROXY, "407"),
    "needs_render: no browser": Why(Reason.NEEDS_RENDER, "no browser"),
    "captcha": Why(Reason.CAPTCHA),
    "captcha by hcaptcha": Why(Reason.CAPTCHA, by="hcaptcha"),
    "rate_limit (http 429)": Why(Reason.RATE_LIMIT, "http 429"),
    "challenge by cloudflare (http 403)": Why(Reason.CHALLENGE, "http 403", "cloudflare"),
    "dropped": Why(Reason.DROPPED),
    "dropped: lease lost": Why(Reason.DROPPED, "lease lost"),
    "pipeline: ValueError: no": Why(Reason.PIPELINE, "ValueError: no"),
    "no spider for visit": Why(Reason.NO_SPIDER, "visit"),
    "blocked (captcha by hcaptcha (http 403))": Why(Reason.BLOCKED, "captcha by hcaptcha (http 403)"),
    "its host is busy for 40 s": Why(Reason.VENDOR_BUSY, "40 s"),
    "no products": Why(Reason.NO_PRODUCTS),
    "no price": Why(Reason.NO_PRICE),
    "no price on the page": Why(Reason.NO_PRICE_SHOWN),
    "timeout: the page was not fetched in time": Why(Reason.TIMEOUT, "the page was not fetched in time"),
    "the answer has no results: is this Bing's form?": Why(
        Reason.UNKNOWN_FORM, "has no results: is this Bing's form?"
    ),
    "no search provider for web is switched on": Why(Reason.NO_PROVIDER, "for web is switched on"),
    "searxng: http 503; brave: dns": Why(Reason.OTHER, "searxng: http 503; brave: dns"),
    "resting for 42 s after: http 429": Why(Reason.OTHER, "resting for 42 s after: http 429"),
}
"""Texts that jobs, archives and messages of earlier releases hold."""
ENTRIES = {
    "": Refusal(),
    "http 404": Refusal(Why(Reason.HTTP, "404")),
    "redirect_loop": Refusal(Why(Reason.REDIRECT_LOOP)),
    "blocked: captcha by hcaptcha (http 403)": Refusal(
        Why(Reason.CAPTCHA, "http 403", "hcaptcha"), "blocked"
    ),
    "failed: too_large": Refusal(Why(Reason.TOO_LARGE), "failed"),
    "failed: proxy: 403": Refusal(Why(Reason.PROXY, "403"), "failed"),
}
DETAILS = st.text(min_size=1, max_size=40)


def test_texts_of_earlier_releases_are_read_and_stay_the_same():
    assert {text: Why.from_stored(text) for text in EARLIER} == EARLIER
    assert [why.text for why in EARLIER.values()] == list(EARLIER)


@each_case("text", ENTRIES)
def test_page_entries_of_earlier_releases_say_how_a_command_ends(text):
    entry = PageEntry.from_wire(json.dumps({"v": 1, "kind": "refused", "reason": text}))
    assert (entry.reason, entry.reason.text) == (ENTRIES[text], text)


@given(st.text() | st.sampled_from(sorted(EARLIER)).flatmap(lambda text: st.text().map(text.__add__)))
def test_no_text_of_an_earlier_release_is_changed_by_reading_it(text):
    assume(not text.startswith(('["', "{")))
    assert Why.from_stored(text).text == text
    assert Refusal.from_stored(text).text == text


WHYS = st.builds(Why, st.sampled_from(Reason), st.just("") | DETAILS, st.sampled_from(["", "hcaptcha"]))


@given(why=WHYS, what=st.sampled_from(["refused", "blocked", "failed"]))
def test_every_reason_comes_back_from_what_is_stored(why, what):
    assume(why.kind is not Reason.NONE or why == Why())
    refusal = Refusal(why, what)
    assert Why.from_stored(why.stored) == why
    assert Refusal.from_stored(refusal.stored) == refusal


def test_a_reason_that_only_a_later_release_knows_is_kept_as_its_text():
    assert Why.from_stored('["tired", "since noon"]') == Why(Reason.OTHER, "tired: since noon")
    assert Why.from_stored("tired") == Why(Reason.OTHER, "tired")


@given(
    why=st.builds(Why.from_stored, st.text(max_size=500) | st.sampled_from(sorted(EARLIER))),
    most=st.integers(40, 300),
)
def test_a_cut_reason_fits_and_stays_the_same_reason(why, most):
    short = why.cut(most)
    assert len(short.text) <= most
    assert short == why or len(why.text) > most


def test_a_long_detail_is_cut_and_the_reason_stays():
    long = Why(Reason.PIPELINE, "x" * 500)
    assert (long.cut(200).kind, len(long.cut(200).text)) == (Reason.PIPELINE, 200)


def test_messages_and_records_hold_the_value_and_interfaces_show_the_text():
    for kind in Reason:
        why = Why(kind, "some detail" if kind is not Reason.NONE else "")
        event = CommandDone(uid="j:1", command="j:1", outcome="failed", reason=why)
        assert json.loads(event.to_wire()).get("reason", "") == why.stored
        assert read_event(event.to_wire()) == event
        record = VisitRecord(n=1, command="j:1", url="https://a.example/", round=1, reason=why)
        assert json.loads(as_json([record]))[0]["reason"] == why.stored
        assert VisitRecord.model_validate(record.model_dump(context=STORED)) == record
        assert record.model_dump()["reason"] == json.loads(record.model_dump_json())["reason"] == why.text


def test_walls_are_what_the_reader_of_pages_finds():
    assert {wall.value for wall in WALLS} == set(get_args(BlockerKind))


def test_the_words_of_the_scripts_are_reasons():
    lua = "".join(path.read_text() for path in files("research_crawler.frontier").joinpath("lua").iterdir())
    words = re.findall(r"outcome\(command, '\w+', (?:command\.trouble or )?'(\w+)'", lua)
    words += re.findall(r"command\.trouble = command\.trouble or '(\w+)'", lua)
    assert sorted(words) == ["gave_up", "host_busy", "node_lost", "too_many_redirects"]
    assert {word for word in words if Why.from_stored(word) == Why(Reason(word))} == set(words)


def test_the_status_of_an_http_error_is_a_number():
    assert [Why.from_stored(text).status for text in ("http 503", "http 429: slower", "dns", "http error")] == [
        503, 429, None, None,
    ]  # fmt: skip
