"""The command `research page --render`, on pages of the local web that are made by scripts."""

import pytest

from tests.browser import real_browser

PLANTED = "the channel is 6.4 metres deep"


def test_a_page_made_by_scripts_is_read_when_a_browser_is_there(research, web):
    real_browser()
    answer = research("page", "--json", web.hazards["script_built"])
    assert answer.code == 0, answer.err
    assert PLANTED in answer.json["text"]


@pytest.mark.long
def test_any_page_can_be_rendered(research, web):
    real_browser()
    answer = research("page", "--render", "always", "--json", web.hazards["private_links"])
    assert answer.code == 0, answer.err
    assert answer.json["title"] == "My router pages"


@pytest.mark.parametrize(
    ("browser", "how", "reason"),
    [("off", "auto", "needs_render: no browser"), ("", "never", "no_text"), ("off", "never", "no_text")],
)
@pytest.mark.long
def test_the_reason_says_why_a_page_made_by_scripts_was_not_read(research, web, browser, how, reason):
    answer = research.having(RESEARCH_BROWSER=browser)(
        "page", "--render", how, "--json", web.hazards["script_built"]
    )
    assert answer.code == 1
    assert answer.json["error"] == reason


@pytest.mark.long
def test_a_page_that_lacked_a_browser_is_read_as_soon_as_there_is_one(research, web):
    real_browser()
    without = research.having(RESEARCH_BROWSER="off")("page", "--json", web.hazards["script_built"])
    assert without.json["error"] == "needs_render: no browser"
    answer = research("page", "--json", web.hazards["script_built"])
    assert answer.code == 0, answer.err
    assert PLANTED in answer.json["text"]


@pytest.mark.long
def test_doctor_says_what_switched_the_browser_off(research):
    assert "browser      RESEARCH_BROWSER=off" in research.having(RESEARCH_BROWSER="off")("doctor").out
    missing = research.having(RESEARCH_BROWSER="/no/such/browser")("doctor").out
    assert "browser      RESEARCH_BROWSER is not a program: /no/such/browser" in missing


@pytest.mark.long
def test_render_always_without_a_browser_says_how_to_get_one(research, web):
    answer = research.having(RESEARCH_BROWSER="off")(
        "page", "--render", "always", web.hazards["script_built"]
    )
    assert answer.code == 1
    assert "playwright install chromium" in answer.err


def test_doctor_says_how_to_get_a_browser(research):
    answer = research.having(RESEARCH_BROWSER="off")("doctor")
    assert "playwright install chromium" in answer.out
