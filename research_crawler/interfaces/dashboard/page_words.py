"""The words of the pages: English as the templates have them, German from the .po files of `locale/de/`.

The files are read as they are, so there is nothing to compile. A part of the dashboard may have a file of its own.
"""

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final, get_args

from babel.core import negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

from research_crawler.core.models.evidence.findings import FindingKind
from research_crawler.core.models.jobs.batches import BatchState, RowState
from research_crawler.core.models.jobs.columns import ColumnType, ValueReason
from research_crawler.core.models.jobs.job import Outcome, State
from research_crawler.core.models.jobs.questions import Depth, ResearchType
from research_crawler.core.models.messages.events import ResultType
from research_crawler.core.models.offers.products import Availability, Condition
from research_crawler.core.models.people.interventions import InterventionState
from research_crawler.core.models.people.reviews import AppendKind
from research_crawler.core.models.reports.cited_parts import Verdict
from research_crawler.core.models.watches.watch import FollowedCondition, LookState, RunState, WatchState
from research_crawler.core.text.translatable import TranslatableText
from research_crawler.interfaces.dashboard.reason_words import WORDS_OF_ACTIONS, WORDS_OF_REASONS

PAGE_LANGUAGES: Final = {"en": "English", "de": "Deutsch"}
"""The languages of the pages, each with its own name."""
_PACKAGE: Final = "research_crawler.interfaces.dashboard"
_CLOSED: Final = (
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
    ValueReason,
    WatchState,
    RunState,
    LookState,
    ResultType,
    FindingKind,
    AppendKind,
)
"""The closed lists whose values are shown."""
_CHECKED: Final = (
    "python", "environment", "user agent", "proxy", "disk", "browser", "stores", "redis", "memory", "frontier",
    "archive", "index", "data folder", "retention", "vectors", "watches", "processes", "search", "embeddings",
    "model", "local model",
)  # fmt: skip
"""What `research doctor` checks."""
CLOSED_WORDS: Final = tuple(
    dict.fromkeys(
        value.replace("_", " ") for values in (*map(get_args, _CLOSED), _CHECKED) for value in values if value
    )
)
"""The values as words; each has a translation."""
TONES: Final = {
    "good": ("completed", "answered", "supported", "done", "in_stock", "verified", "active"),
    "busy": ("running", "planning", "executing", "synthesizing"),
    "warn": (
        "waiting_for_human",
        "partly",
        "qualified",
        "insufficient",
        "open",
        "stopped",
        "paused",
        "limited",
    ),
    "bad": ("failed", "contradicted", "nothing_worked", "out_of_stock", "expired"),
}
"""How a state is coloured; others are grey."""


@cache
def translations_of(language: str) -> NullTranslations:
    """The translations into a language; English needs none."""
    found = NullTranslations()
    folder = files(_PACKAGE).joinpath("locale", language)
    if language == "en":
        return found
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        with file.open("rb") as text:
            catalog = read_po(text, locale=language)
        compiled = BytesIO()
        write_mo(compiled, catalog)
        compiled.seek(0)
        read = Translations(compiled)
        found = found.merge(read) if isinstance(found, Translations) else read
    return found


def language_for(chosen: str, accepted: str) -> str:
    """The language of a person's pages.

    Args:
        chosen: what the person chose; empty: nothing.
        accepted: the Accept-Language header of the browser.
    """
    if chosen in PAGE_LANGUAGES:
        return chosen
    wanted = [part.partition(";")[0].strip() for part in accepted.split(",")[:10]]
    return negotiate_locale([one.replace("-", "_") for one in wanted if one], list(PAGE_LANGUAGES)) or "en"


def word(language: str, value: str) -> str:
    """A value of a closed list (`waiting_for_human`) as words."""
    said: str = translations_of(language).gettext(value.replace("_", " "))
    return said


def reason_words(language: str, text: str) -> str:
    """Why a page gave nothing, in words; the text of another program as it is."""
    said: str = translations_of(language).gettext(WORDS_OF_REASONS.get(text, text.replace("_", " ")))
    return said if text else word(language, "failed")


def action_words(language: str, action: str) -> str:
    """What a line of a timeline is about, in words."""
    said: str = translations_of(language).gettext(WORDS_OF_ACTIONS.get(action, action))
    return said


def page_text(language: str, text: str) -> str:
    """A text of a service in the language of the page, if it knows its words; else as it is."""
    if not isinstance(text, TranslatableText):
        return text
    words: str = translations_of(language).gettext(text.words)
    return words % {name: page_text(language, value) for name, value in text.values.items()}


def tone(state: str) -> str:
    """How a state is coloured; empty: not at all."""
    return next((name for name, states in TONES.items() if state in states), "")
