"""Renders the templates. Every value is text: only the report's own renderer makes markup of what pages say."""

from collections.abc import Mapping
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from fastapi import Request
from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, RedirectResponse

from research_crawler.core.batch_template import without_braces
from research_crawler.core.models.jobs.columns import value_text
from research_crawler.core.models.people.reviews import MAX_ANSWER_CHARS
from research_crawler.core.ports.models import MOST_MODEL_NAME
from research_crawler.core.text.translatable import TranslatableText
from research_crawler.interfaces.dashboard.forms import sessions_of
from research_crawler.interfaces.dashboard.locale_text import LocaleText
from research_crawler.interfaces.dashboard.page_words import (
    PAGE_LANGUAGES,
    action_words,
    empty_words,
    fault_words,
    note_words,
    origin_words,
    page_text,
    progress_words,
    question_words,
    reason_words,
    setting_words,
    step_words,
    tone,
    translations_of,
    word,
)
from research_crawler.interfaces.dashboard.preferences import preferences_of
from research_crawler.interfaces.http.access import DASHBOARD
from research_crawler.interfaces.http.faults import bounded
from research_crawler.services.batches.corrections import MOST_VALUE_CHARS
from research_crawler.services.exports.manuscript import shortened_quote
from research_crawler.text.markdown_blocks.excerpt_markdown import is_told_by_quote

_PACKAGE: Final = "research_crawler.interfaces.dashboard"
FIELD_BOUNDS: Final = {
    "most_answer_chars": MAX_ANSWER_CHARS,
    "most_model_name": MOST_MODEL_NAME,
    "most_value_chars": MOST_VALUE_CHARS,
}
"""How much a field of a form takes: as much as the service that reads it."""
LONGEST_TITLE: Final = 110
"""Longest title in a list."""
ROWS_OF_BATCH: Final = 25
"""Rows of a batch that a list names below it."""


def page(
    request: Request, template: str, values: Mapping[str, object] = MappingProxyType({}), *, code: int = 200
) -> HTMLResponse:
    """A page of the dashboard: a template, and the values of its names. A name without a value is an error."""
    sessions = sessions_of(request)
    cookie = request.cookies.get(sessions.cookie, "")
    is_known = sessions.knows(cookie)
    chosen = preferences_of(request)
    query = f"?{request.url.query}" if request.url.query else ""
    here_path = request.url.path.removeprefix(DASHBOARD)
    text = (
        _templates(chosen.language)
        .get_template(template)
        .render(
            ui=DASHBOARD,
            here_path=here_path,
            here_address=here_path + query if request.method == "GET" else "/",
            code=code,
            is_known=is_known,
            language=chosen.language,
            theme=chosen.theme,
            languages=PAGE_LANGUAGES,
            form_key=sessions.form_key(cookie) if is_known else "",
            **values,
        )
    )
    return HTMLResponse(text.encode("utf-8", "replace"), code)


def shown_error(request: Request, error: Exception) -> str:
    """What went wrong, in the language of the page if the error knows its words, without the middle of long values."""
    text = next((one for one in error.args if isinstance(one, TranslatableText)), None)
    return bounded(str(error) if text is None else page_text(preferences_of(request).language, text))


def macros(language: str, template: str) -> Any:
    """The macros of a template in a language, for what is sent outside of a page."""
    return _templates(language).get_template(template).make_module({"ui": DASHBOARD})


def see(path: str) -> RedirectResponse:
    """Send the browser to a page after a form."""
    return RedirectResponse(f"{DASHBOARD}{path}", 303)


def short(text: str, most: int = LONGEST_TITLE) -> str:
    """A text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"


def with_code(text: str) -> Markup:
    """A text whose commands stand between backticks, with these as code."""
    code = Markup("<code>{}</code>")
    parts = (code.format(part) if place % 2 else part for place, part in enumerate(text.split("`")))
    return Markup("").join(parts)


def with_fields(template: str) -> Markup:
    """The question of a batch, whose fields are set apart, in their braces."""
    return Markup(without_braces(escape(template), "<var>{{{}}}</var>"))  # noqa: S704  # escaped before


def initial(host: str) -> str:
    """The letter that stands for the icon of a host: its first; of a host without one, such as an address, none."""
    return next((sign for sign in host.removeprefix("www.") if sign.isalpha()), "·")


def is_web(url: str) -> bool:
    """Whether a URL may be a link: never one that runs something."""
    return url.startswith(("http://", "https://"))


@cache
def static(name: str) -> str:
    """The address of a static file, with a mark of what is in it, so that browsers can keep it."""
    body = files(_PACKAGE).joinpath("static", name).read_bytes()
    return f"{DASHBOARD}/static/{name}?v={sha256(body).hexdigest()[:12]}"


@cache
def _sources() -> dict[str, str]:
    folder = files(_PACKAGE).joinpath("templates")
    return {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.is_file()}


def load_templates() -> None:
    """Read all templates and their words, so that an upgrade in place changes none of them under a running server.

    They are compiled from memory when they are first shown: compiling all of them would delay the start by seconds.
    """
    for language in PAGE_LANGUAGES:
        _templates(language)


@cache
def _templates(language: str) -> Environment:
    templates = Environment(
        loader=DictLoader(_sources()),
        auto_reload=False,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    templates.install_gettext_translations(translations_of(language), newstyle=True)  # type: ignore[attr-defined]
    shown = LocaleText(language)
    templates.filters |= {
        "short": short,
        "when": shown.when,
        "clock": shown.clock,
        "day": shown.day,
        "short_day": shown.short_day,
        "number": shown.number,
        "compact": shown.compact,
        "share": shown.share,
        "money": shown.money,
        "duration": shown.duration,
        "minutes": shown.minutes,
        "typed": shown.typed,
        "word": partial(word, language),
        "page_text": partial(page_text, language),
        "code": with_code,
        "fields": with_fields,
        "value_text": value_text,
        "excerpt": shortened_quote,
        "tone": tone,
        "initial": initial,
        "reason": partial(reason_words, language),
        "action": partial(action_words, language),
        "doing": partial(progress_words, language),
        "note": partial(note_words, language),
        "why_empty": partial(empty_words, language),
        "fault": partial(fault_words, language),
        "step": partial(step_words, language),
        "sub_question": partial(question_words, language),
        "language_name": shown.language_name,
        "origin": partial(origin_words, language),
        "setting": partial(setting_words, language),
        "interval": shown.interval,
    }
    templates.globals |= {"static": static, **FIELD_BOUNDS}
    templates.tests |= {"web": is_web, "told_by_quote": is_told_by_quote}
    return templates
