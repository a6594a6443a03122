"""The words of the pages: English as the templates have them, German from the .po files of `locale/de/`.

The files are read as they are, so there is nothing to compile. A part of the dashboard may have a file of its own.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from io import BytesIO
from typing import Any, Final

from babel.core import negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import NullTranslations, Translations

from research_crawler.core.models.evidence.quality import Evaluation
from research_crawler.core.models.jobs.columns import VALUE_REASONS, ValueReason
from research_crawler.core.models.jobs.job import state_words
from research_crawler.core.models.reasons import Reason
from research_crawler.core.text.translatable import TranslatableText
from research_crawler.text.writing.rewording import reworded, with_needs_reworded

PAGE_LANGUAGES: Final = {"en": "English", "de": "Deutsch"}
"""The languages of the pages, each with its own name."""
_PACKAGE: Final = "research_crawler.interfaces.dashboard"
_PLACE: Final = re.compile(r"%\((\w+)\)s")
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
    said: str = translations_of(language).gettext(state_words(value))
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
    return words % {name: _value_text(language, value) for name, value in text.values.items()}


def _value_text(language: str, value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return format_decimal(value, "#,##0.0" if isinstance(value, float) else "#,##0", locale=language)
    return page_text(language, value)


def progress_words(language: str, text: str) -> str:
    """What a job does now, in words; the queries or pages behind the colon as they are."""
    head, colon, rest = text.partition(": ")
    said: str = translations_of(language).gettext(head) if head in WORDS_OF_PROGRESS else head
    return f"{said}{colon}{rest}"


def step_words(language: str, text: str) -> str:
    """The text of a line of a timeline: what is said by us in words of the language, queries and quotes as they are."""
    if (message := message_words(language, text)) is not None:
        return message
    words = Evaluation(relevance=0, coverage=0, confidence=0).scores_text.words
    if scores := _pattern_of(words).match(text):
        translated: str = translations_of(language).gettext(words) % scores.groupdict()
        reason = text[scores.end() :].split(": ", 1)[1:]
        return ": ".join([translated, *(_step_part(language, part) for part in reason)])
    return " – ".join(_step_part(language, part) for part in text.split(" – "))


def _step_part(language: str, text: str) -> str:
    """A part of a line of a timeline in words of the language, if it is made of known ones; its values too."""
    translated = translations_of(language).gettext
    if (message := message_words(language, text)) is not None:
        return message
    for words in WORDS_OF_STEPS:
        values = _values_in(words, text)
        if values is not None and values.get("num", "0").isdecimal():
            said: str = translated(words)
            return said % {
                name: _labels(language, value) if name == "labels" else _step_part(language, value)
                for name, value in values.items()
            }
    if not text:
        return text
    known: str = translated(WORDS_OF_REASONS.get(text, text))
    return with_needs_reworded(fault_words(language, text), language) if known == text else known


def message_words(language: str, text: str) -> str | None:
    """A message that a planner wrote in the language of its question; None if the text is none."""
    return reworded(text, language, partial(_step_part, language))


def question_words(language: str, text: str) -> str:
    """A sub-question: what every purchase needs in the language of the page, what was asked as it is."""
    return message_words(language, text) or text


def _labels(language: str, text: str) -> str:
    """The labels of a result, each in words."""
    return ", ".join(word(language, label) for label in text.split(", "))


@cache
def _pattern_of(words: str) -> re.Pattern[str]:
    """What matches a text that was made of these words, with a group for each of its shares in percent."""
    parts = _PLACE.split(words)
    groups = (rf"(?P<{part}>\d++%)" if place % 2 else re.escape(part) for place, part in enumerate(parts))
    return re.compile("".join(groups))


def note_words(language: str, text: str) -> str:
    """Why a cell is empty, or what speaks against its value; what a page says behind the first words as it is."""
    said = "; ".join(_with_head(language, part, WORDS_OF_NOTES) for part in text.split("; "))
    return fault_words(language, text) if said == text else said


def fault_words(language: str, text: str) -> str:
    """Why a job or a row came to nothing, or went on without its model; what others say in it as it is."""
    for words in WORDS_OF_FAULTS:
        if (values := _values_in(words, text)) is not None:
            said: str = translations_of(language).gettext(words)
            return said % {name: fault_words(language, value) for name, value in values.items()}
    parts = text.split("; ")
    return "; ".join(fault_words(language, part) for part in parts) if len(parts) > 1 else text


def _values_in(words: str, text: str) -> dict[str, str] | None:
    """The values of a text that was made of these words, by their names; None if it was made of others."""
    first, *rest = _PLACE.split(words)
    if not text.startswith(first) or (not rest and text != first):
        return None
    found, text = dict[str, str](), text.removeprefix(first)
    for name, behind in zip(rest[::2], rest[1::2], strict=True):
        is_last = len(found) * 2 + 2 == len(rest)
        value, is_there, text = _split_at(text, behind, is_last=is_last)
        if not (value and is_there):
            return None
        found[name] = value
    return found


def _split_at(text: str, behind: str, *, is_last: bool) -> tuple[str, bool, str]:
    """What stands before the words behind a value, whether they are there, and what follows them."""
    if is_last:
        return text.removesuffix(behind), text.endswith(behind), ""
    value, found, rest = text.partition(behind)
    return value, bool(found), rest


def origin_words(language: str, text: str) -> str:
    """Where a setting comes from, with the name of a file, variable or depth as it is."""
    return _with_head(language, text, WORDS_OF_ORIGINS)


def setting_words(language: str, text: str) -> str:
    """What a setting is for; of one that another package declares, in the words of that package."""
    said: str = translations_of(language).gettext(text)
    return said


def empty_words(language: str, reason: ValueReason) -> str:
    """Why a cell is empty, in a few words."""
    said: str = translations_of(language).gettext(VALUE_REASONS[reason])
    return said


def _with_head(language: str, text: str, heads: Sequence[str]) -> str:
    """A text that begins with one of these words, which alone are translated."""
    found = translations_of(language)
    translated = (
        f"{found.gettext(head)}{text.removeprefix(head)}" for head in heads if text.startswith(head)
    )
    return next(translated, text)


def tone(state: str) -> str:
    """How a state is coloured; empty: not at all."""
    return next((name for name, states in TONES.items() if state in states), "")


# Why a page gave nothing, and what a line of a timeline is about: English words, which the catalogue has in
# German.


def N_(text: str) -> str:  # noqa: N802  # the name by which translators' tools find a text that is translated later
    """Mark a text for the catalogue."""
    return text


WORDS_OF_PROGRESS: Final = (
    N_("Generating search queries"),
    N_("Searching"),
    N_("Reading"),
    N_("Reading stored pages"),
    N_("Reading sections"),
    N_("Synthesizing report"),
)
"""What a planner says that a job does; other texts are shown as they are."""
WORDS_OF_NOTES: Final = (
    N_("no page was read"),
    N_("no page that was read states such a value"),
    N_("pages state such values, but of something else"),
    N_("no sentence about it answers the question"),
    N_("numbers are found, but none in"),
    N_("only a candidate is found"),
    N_("another page says"),
    N_("from another shop"),
    N_("a new one"),
    N_("a used one"),
    N_("a refurbished one"),
    N_("an open-box one"),
    N_("no offer in the wanted condition is found"),
)
"""What a planner says of a cell, or what that begins with."""
WORDS_OF_FAULTS: Final = (
    N_("%(num)s rows in a row failed for the same reason: %(why)s"),
    N_("the model was not asked: %(why)s"),
    N_("model brain: %(why)s"),
    N_("the model endpoint gave no answer within %(seconds)s s"),
    N_("the model endpoint had no slot within %(seconds)s s"),
    N_("%(model)s gave no answer within %(seconds)s s"),
    N_("%(model)s answered %(status)s: %(words)s"),
    N_("%(model)s is not reachable"),
    N_("it asked for no page to be read"),
    N_("its searches have no word of the question, and found nothing"),
    N_("the token ceiling of the %(whose)s does not allow another %(amount)s tokens"),
    N_("the money ceiling of the %(whose)s does not allow another %(amount)s"),
    N_("no search works (%(cause)s)"),
    N_("no page can be fetched (%(cause)s)"),
)
"""What a job says of its model and of its end, whose words alone are translated; the first that fits counts."""
WORDS_OF_STEPS: Final = (
    N_("read as commerce in %(market)s, type %(type)s"),
    N_("read as informational, type %(type)s"),
    N_("the goal asks for knowledge, not for an offer"),
    N_("the goal asks for an offer, and nothing is known from before"),
    N_("the caller chose it"),
    N_("Nothing has been searched yet; these are the words of the question."),
    N_("These words weigh most in the best excerpts of what was read."),
    N_("Not answered yet: %(gaps)s."),
    N_("%(num)s results labelled"),
    N_("%(num)s product pages"),
    N_("%(num)s product page"),
    N_("its sitemap"),
    N_("its pages by a web search, for %(why)s"),
    N_("its pages by a web search"),
    N_("once more, its price is hard to believe"),
    N_("no further vendor is known"),
    N_("the time limit of phase 2 is reached"),
    N_("phase 2 has waited too long for hosts or providers"),
    N_("asked for while the results are labelled"),
    N_("round %(round)s of the review begins"),
    N_("question %(number)s (%(kind)s): %(words)s"),
    N_("a person answered: %(what)s"),
    N_("%(what)s is not allowed any more"),
    N_("ask_human is not allowed"),
    N_("a contradiction was left out (%(about)s): no known quote says “%(words)s”"),
    N_("%(num)s sentences were not read beside their quotes: %(why)s"),
    N_("%(num)s sentence was not read beside their quotes: %(why)s"),
    N_("The %(which)s of %(pages)s, on %(hosts)s, best %(score)s (%(labels)s); so far %(findings)s."),
    N_("%(num)s most promising"),
    N_("most promising"),
    N_("%(num)s pages"),
    N_("%(num)s page"),
    N_("%(num)s hosts"),
    N_("%(num)s host"),
    N_("%(num)s findings"),
    N_("%(num)s finding"),
    N_("After %(findings)s from %(hosts)s, %(pages)s worth reading are left; other words may find more."),
    N_("The goal names %(pages)s to read before anything else."),
    N_("The best evidence links %(links)s."),
    N_("The last steps brought nothing new (%(why)s); other words may find other pages."),
    N_("%(why)s; the next step is a markedly different query"),
    N_("%(why)s; the next step is a narrower sub-question"),
    N_("%(why)s; the next step is an unused lead"),
    N_("%(why)s; the next step is a person"),
    N_("the last steps brought nothing new"),
    N_("enough to answer"),
    N_("waiting for pages that were asked for ahead"),
    N_("%(why)s; %(searches)s searches and %(pages)s pages so far; not answered: %(gaps)s"),
    N_("%(why)s; %(searches)s searches and %(pages)s pages so far"),
    N_("The evidence is still uncertain after %(num)s attempts."),
    N_("Searched for %(queries)s; read %(read)s of %(requested)s requested pages."),
    N_("%(some)s of %(all)s with evidence: %(findings)s of %(hosts)s; without: %(gaps)s"),
    N_("%(some)s of %(all)s with evidence: %(findings)s of %(hosts)s"),
    N_("%(num)s sub-questions"),
    N_("%(num)s sub-question"),
    N_("a person is asked to open %(links)s (research interventions list)"),
    N_("Is this the answer that you wanted?"),
    N_("Shall the research go by this plan?"),
    N_("What should be looked for now, or where? A fact, a page or a narrower wish helps."),
    N_("%(num)s offers of %(vendors)s vendors"),
    N_("enough vendors have answered"),
    N_("%(num)s findings of %(jobs)s, from pages read %(days)s"),
    N_("search “%(query)s”: %(why)s"),
    N_("round %(round)s: continued without %(some)s of its answers"),
    N_("no process worked on the job for %(seconds)s s, which do not count"),
    N_("%(num)s results about something else than %(stack)s were left out"),
    N_("%(num)s URLs were dropped that no result or page has named: %(link)s"),
    N_("%(page)s: not used, because it is dated %(day)s"),
    N_("%(page)s: refused %(why)s"),
    N_("%(page)s: failed %(why)s"),
    N_("%(page)s: busy %(why)s"),
    N_("%(page)s: blocked %(why)s"),
    N_("refused %(why)s"),
    N_("failed %(why)s"),
    N_("busy %(why)s"),
    N_("the decision has no page that may be visited"),
    N_("the decision has no section that may be read"),
)
"""What the parts of a line of a timeline are made of, whose words alone are translated; the first that fits counts."""
WORDS_OF_ORIGINS: Final = (
    N_("default; by depth"),
    N_("default"),
    N_("environment"),
    N_("option"),
    N_("the model's server"),
)
"""Where a setting comes from, or what that begins with; a longer one stands before its beginning."""
WORDS_OF_REASONS: Final[Mapping[str, str]] = {
    Reason.ROBOTS: N_("refused by robots.txt"),
    Reason.ROBOTS_UNREACHABLE: N_("its robots.txt cannot be read"),
    Reason.TOO_SLOW: N_("its robots.txt asks for too long a delay"),
    Reason.GUARD: N_("no address of the public web"),
    Reason.HOST_LIST: N_("excluded by your lists of sites"),
    Reason.BUSY: N_("its host is busy for too long"),
    Reason.HOST_BUSY: N_("its host is busy for too long"),
    Reason.HTTP: N_("the host answered with an error"),
    Reason.TIMEOUT: N_("no answer in time"),
    Reason.DNS: N_("no such host"),
    Reason.TLS: N_("no secure connection"),
    Reason.CONNECTION: N_("the connection broke"),
    Reason.CONNECTION_REFUSED: N_("the host takes no connection"),
    Reason.PROXY: N_("the proxy refuses"),
    Reason.TOO_LARGE: N_("too large"),
    Reason.BOMB: N_("too large"),
    Reason.EMPTY: N_("empty"),
    Reason.BINARY: N_("no text"),
    Reason.NO_TEXT: N_("no text"),
    Reason.PDF_BROKEN: N_("a damaged PDF"),
    Reason.PDF_LOCKED: N_("a PDF with a password"),
    Reason.NEEDS_RENDER: N_("needs a browser"),
    Reason.NO_BROWSER: N_("needs a browser"),
    Reason.CAPTCHA: N_("asks for a CAPTCHA"),
    Reason.CHALLENGE: N_("checks browsers"),
    Reason.LOGIN_PAGE: N_("asks to log in"),
    Reason.CONSENT_WALL: N_("asks for consent"),
    Reason.RATE_LIMIT: N_("too many requests"),
    Reason.GEO_BLOCK: N_("not in this country"),
    Reason.SOFT_404: N_("no such page"),
    Reason.EMPTY_SHELL: N_("needs a browser"),
    Reason.ACCESS_DENIED: N_("access denied"),
    Reason.CANCELLED: N_("cancelled"),
    Reason.NO_PRODUCT_SHOWN: N_("no product on the page"),
    Reason.NO_PRICE_SHOWN: N_("no price on the page"),
    Reason.CONTRADICTION: N_("the page contradicts itself"),
    Reason.OTHER_CURRENCY: N_("another currency than before"),
}
"""Reason → what a card of a page says; other reasons are shown by their own names."""
WORDS_OF_ACTIONS: Final[Mapping[str, str]] = {
    "intent": N_("goal"),
    "search": N_("search"),
    "visit": N_("page"),
    "section": N_("section"),
    "done": N_("done"),
    "forced": N_("without a model"),
    "stuck": N_("stuck"),
    "brain": N_("results"),
    "warning": N_("warning"),
    "judged": N_("judged"),
    "beside": N_("besides"),
    "wait": N_("wait"),
    "asks": N_("asks"),
    "report": N_("report"),
    "vendor": N_("vendor"),
    "lookup": N_("search for shops"),
    "vendors_done": N_("shops done"),
    "review": N_("review"),
    "memory": N_("memory"),
    "resumed": N_("resumed"),
    "failed": N_("failed"),
}
"""Action of a timeline's line → what it is called; others by their own names."""
