"""The pages speak English and German, and write times and numbers as the reader's language does."""

import socket
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.pofile import read_po

from planner.brains.fallback import NO_VISITS
from research_crawler.adapters.models.openai_chat import OpenAIChat
from research_crawler.configuration import SystemConfig
from research_crawler.core.brain_errors import BrainUnavailable
from research_crawler.core.config import Config
from research_crawler.core.models.evidence.findings import FindingKind
from research_crawler.core.models.jobs.batches import BatchState, RowState
from research_crawler.core.models.jobs.caller_question import Depth, ResearchType
from research_crawler.core.models.jobs.columns import VALUE_REASONS, ColumnType
from research_crawler.core.models.jobs.job import Outcome, State, state_words
from research_crawler.core.models.messages.events import Priority, ResultType
from research_crawler.core.models.offers.products import Availability, Condition
from research_crawler.core.models.people.interventions import InterventionState
from research_crawler.core.models.people.reviews import AppendKind
from research_crawler.core.models.reports.cited_parts import Verdict
from research_crawler.core.models.watches.watch import (
    FollowedCondition,
    ObservationState,
    RunState,
    WatchState,
)
from research_crawler.core.settings.origins import setting_docs
from research_crawler.core.text.written_number import written_number
from research_crawler.frontier.command_locations import CommandLocation
from research_crawler.interfaces.dashboard.locale_text import LocaleText
from research_crawler.interfaces.dashboard.page_words import (
    TONES,
    fault_words,
    language_for,
    page_text,
    progress_words,
)
from research_crawler.services.jobs.waiting import waiting_lines
from tests.cases import each_case

SHOWN_LISTS = (
    State,
    Outcome,
    Depth,
    ResearchType,
    Verdict,
    BatchState,
    RowState,
    InterventionState,
    Availability,
    Condition,
    FollowedCondition,
    ColumnType,
    WatchState,
    RunState,
    ObservationState,
    ResultType,
    Priority,
    FindingKind,
    AppendKind,
)
"""The closed lists whose values are shown."""
CHECKED = (
    "python", "environment", "user agent", "proxy", "disk", "browser", "stores", "redis", "memory", "frontier",
    "archive", "index", "data folder", "retention", "vectors", "watches", "processes", "search", "embeddings",
    "model", "local model",
)  # fmt: skip
"""What `research doctor` checks."""
CLOSED_WORDS = tuple(
    dict.fromkeys(
        [state_words(value) for values in (*map(get_args, SHOWN_LISTS), CHECKED) for value in values if value]
        + list(VALUE_REASONS.values())
    )
)
"""The values as words; each has a translation."""

PACKAGE = Path(str(files("research_crawler.interfaces.dashboard")))


def said() -> dict[str, str]:
    """What has a translation into German, with the same place-holders."""
    found = {}
    for path in sorted(PACKAGE.joinpath("locale", "de").glob("*.po")):
        with path.open("rb") as text:
            catalog = read_po(text, locale="de")
        for message in catalog:
            if not message.id:
                continue
            one = message.id if isinstance(message.id, str) else message.id[0]
            words = (message.string,) if isinstance(message.string, str) else message.string
            assert all(words) and not message.fuzzy, (path.name, one)
            assert not list(message.check(catalog)), (path.name, one)
            found[one] = " ".join(words)
    return found


def test_every_message_of_the_pages_and_every_state_has_a_german_text():
    method = [("**.html", "jinja2.ext:babel_extract"), ("**.py", "python")]
    used = {
        (message if isinstance(message, str) else message[0]): name
        for name, _, message, _, _ in extract_from_dir(
            PACKAGE, method_map=method, options_map={"**.html": {"trimmed": "true", "silent": "false"}}
        )
    }
    assert len(used) > 20
    modules = (
        path
        for package in (PACKAGE.parents[1], Path(str(files("planner"))))
        for path in package.rglob("*.py")
    )
    for path in (path for path in modules if b"translatable(" in path.read_bytes()):
        found = extract_from_file("python", str(path), keywords={"translatable": None})
        used |= {str(message): path.name for _, message, _, _ in found}
    used |= {text: name for name, text in setting_docs(SystemConfig).items() if text}
    german = said()
    assert {message: name for message, name in used.items() if message not in german} == {}
    assert [value for value in CLOSED_WORDS if value not in german] == []
    assert [message for message in german if message not in used and message not in CLOSED_WORDS] == []


def test_every_coloured_state_is_one_that_exists():
    known = {value for values in map(get_args, SHOWN_LISTS) for value in values} | {"verified", "paused"}
    assert {state for states in TONES.values() for state in states} <= known


@each_case(
    ("chosen", "accepted", "language"),
    [("", "", "en"), ("", "de-AT,de;q=0.9,en;q=0.8", "de"), ("", "fr,de;q=0.5", "de"), ("en", "de", "en"),
     ("xx", "tlh", "en"), ("", "*" * 5_000, "en")],
)  # fmt: skip
def test_pages_come_in_the_language_that_was_chosen_or_that_the_browser_asks_for(chosen, accepted, language):
    assert language_for(chosen, accepted) == language


async def test_a_choice_of_language_and_light_is_kept_and_leads_nowhere_else(visitor):
    assert '<html lang="en">' in await visitor.page("/jobs")
    answer = await visitor.send("/preferences", language="de", theme="dark", back="/jobs?limit=5")
    assert answer.headers["location"] == "/ui/jobs?limit=5"
    page = await visitor.page("/jobs")
    assert '<html lang="de" data-theme="dark">' in page and "<h1>Aufträge</h1>" in page
    for back in ("//evil.example", "https://evil.example", "javascript:alert(1)", ""):
        answer = await visitor.send("/preferences", language="de", theme="<b>", back=back)
        assert answer.headers["location"].startswith("/ui/")
    assert '<html lang="de">' in await visitor.page("/jobs")


def test_times_numbers_and_money_are_written_as_the_language_does():
    english, german = LocaleText("en"), LocaleText("de")
    assert english.when("2026-11-24T09:08:00+00:00") == (
        '<time datetime="2026-11-24T09:08:00Z">24 Nov 2026, 09:08 UTC</time>'
    )
    assert german.when(0, exact=True) == (
        '<time datetime="1970-01-01T00:00:00Z" data-exact>1. Jan. 1970, 00:00 UTC</time>'
    )
    assert english.when("2026-11-24") == '<time datetime="2026-11-24">24 Nov 2026</time>'
    assert english.when("<b>soon</b>") == "&lt;b&gt;soon&lt;/b&gt;"
    assert (english.number(1200), german.number(1200.5)) == ("1,200", "1.200,5")
    assert (english.money(0.0004), german.money("12.5", "EUR")) == ("$0.0004", "12,50 €")
    assert (english.money("7", ""), english.share(0.256)) == ("7.00", "26%")
    assert (english.language_name("de"), german.language_name("de")) == ("German", "Deutsch")
    assert (english.duration(200), german.duration(7200)) == ("3 minutes", "2 Stunden")


@each_case("language", ["en", "de"])
@each_case("value", [1899.0, 1899.5, 2.5, 0.125, 1.234, 1234.567, 0.00012, 12_345_678, -3.5])
def test_a_number_that_stands_in_a_field_is_read_back_as_the_same_number(language, value):
    for is_money in {False, round(value, 2) == value}:  # an amount has no more than cents
        typed = LocaleText(language).typed(value, cents=is_money)
        assert float(written_number(typed, language=language, is_money=is_money)) == value
    assert LocaleText("de").typed(1899.0, cents=True) == "1899,00"


def test_what_a_job_does_and_waits_for_is_said_in_the_language_of_the_reader():
    assert progress_words("de", "Reading: a.example, b.example") == "Liest: a.example, b.example"
    assert progress_words("de", "Plotting: x") == "Plotting: x"
    location = CommandLocation("j:1", "visit", False, "render", "a.example", 0, 5_000, 3)
    [line] = waiting_lines([location], nodes=1)
    assert (
        page_text("de", line)
        == "wartet auf einen Crawler mit Browser, für Host a.example: noch 5 s, davor: 3"
    )


async def test_a_model_that_does_not_answer_is_told_of_in_the_language_of_the_reader():
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
    chat = OpenAIChat.from_config(Config(openai_base_url=nobody, openai_api_key="x", mind_model="tiny"))
    with pytest.raises(BrainUnavailable) as caught:
        await chat.complete(system="", user="x", temperature=0, max_tokens=1, schema=None, timeout_s=5)
    await chat.close()
    note = f"model brain: {caught.value}; {NO_VISITS}"
    assert (
        fault_words("de", note)
        == "Modell: tiny at 127.0.0.1 ist nicht erreichbar; es wollte keine Seite lesen"
    )
    assert fault_words("en", note) == note
    assert fault_words("de", f"3 rows in a row failed for the same reason: {note}").startswith(
        "3 Zeilen nach"
    )
    for other in ("", "; ", "the page says: 100% is not", "model brain: ", "%(why)s"):
        assert fault_words("de", other) == other


async def test_settings_say_what_they_are_for_and_where_they_come_from_in_the_language_of_the_reader(visitor):
    assert "Base URL of a SearXNG instance" in await visitor.page("/system")
    await visitor.send("/preferences", language="de", back="/system")
    page = await visitor.page("/system")
    assert "Basis-URL einer SearXNG-Instanz" in page and "Base URL" not in page
    assert "Vorgabe; nach der Tiefe: quick" in page and ">default" not in page


def test_an_interval_is_said_in_its_largest_whole_unit():
    german = LocaleText("de")
    assert [german.interval(ms) for ms in (300_000, 21_600_000, 129_600_000, 86_400_000)] == [
        "5 Minuten", "6 Stunden", "36 Stunden", "1 Tag"
    ]  # fmt: skip
