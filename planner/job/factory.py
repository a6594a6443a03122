"""Make a new job from the caller's inputs."""

import base64
import re
import secrets
from datetime import UTC, date, datetime
from typing import Final

from planner.goal.intent import detect_intent
from planner.goal.regions import (
    checked_currency,
    checked_language,
    checked_region,
    detect_currency,
    detect_region,
)
from planner.goal.report_language import messages_of
from planner.goal.stack import MAX_STACK, technologies_of
from planner.job.progress import first_progress
from planner.job.strategy import choose_strategy, reading_line
from planner.types.searching import detect_type
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.text.plain_text import clean
from research_crawler.core.text.translatable import translatable
from research_crawler.core.web.urls import canonical_url

MAX_GOAL_BYTES = 4_000
"""Longest goal, in bytes."""
MAX_CONTEXT_BYTES = 12_000
"""Most bytes of the context and of the earlier conversation, each. With the goal, topic and task they fit the 32 kB
of the job's inputs."""
MAX_SHORT_BYTES = 4_000
"""Longest topic, task and other short text of a question, in bytes."""
MAX_INPUTS_BYTES = 32_000
"""Largest question as a whole, in bytes."""
_MAX_URLS = 50
"""Most addresses that a question names."""
MAX_ANSWERING_VENDORS = 10
"""Most vendors whose answers a caller may want; `MAX_VENDORS` of `offers/vendor_candidates.py` are asked at most."""

_JOB_ID = re.compile(r"[a-z2-7]{12}")
_URL = re.compile(r"https?://[^\s<>\"'`]+", re.I)


def new_job_id() -> str:
    """Twelve random characters of base32: 60 bits."""
    return base64.b32encode(secrets.token_bytes(8)).decode("ascii")[:12].lower()


def is_job_id(text: str) -> bool:
    """Whether a text has the form of a job id."""
    return bool(_JOB_ID.fullmatch(text))


def make_job(
    inputs: JobInputs,
    limits: Limits,
    *,
    brain: str = "extractive",
    model: str = "",
    folder: str = "",
    job_id: str = "",
    created_at: datetime | None = None,
) -> Job:
    """A pending job, with its intent (detected if not given), the URLs of its goal, and its strategy.

    Raises:
        UsageError: the goal is empty or too long, or a URL or the job id is malformed.
    """
    if job_id and not is_job_id(job_id):
        raise UsageError(f"{job_id!r} is not a job id, which has 12 characters of a-z and 2-7")
    created = created_at or datetime.now(UTC)
    checked, warnings = _checked(inputs, created.date())
    choice = choose_strategy(checked)
    return Job(
        id=job_id or new_job_id(),
        inputs=checked,
        limits=limits,
        strategy=choice.strategy,
        strategy_reason=choice.reason,
        progress=first_progress(),
        brain=brain,
        model=model,
        folder=folder,
        owner=checked.batch_id,
        created_at=created.isoformat(timespec="seconds"),
        timeline=[]
        if checked.watch
        else [reading_line(checked, choice.reason, int(created.timestamp() * 1000))],
        warnings=[*warnings, *choice.warnings],
    )


def encoded(name: str, text: str) -> bytes:
    """An input as UTF-8.

    Raises:
        UsageError: it holds half of a surrogate pair, which JSON can carry and no document can.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise UsageError(translatable("%(name)s: this is not valid Unicode text", name=name)) from None


def _check_texts(inputs: JobInputs) -> None:
    """Refuse a text that cannot be stored, whichever input it is."""
    for name, value in inputs:
        if isinstance(value, str):
            encoded(name, value)
        for text in value if isinstance(value, list) else []:
            if isinstance(text, str):
                encoded(f"text in {name}", text)


_WORDS_OF_TEXTS: Final = {
    "goal": translatable("the goal"),
    "topic": translatable("the topic"),
    "task": translatable("the task"),
}
"""What an error calls the texts whose length is limited."""


def _checked(inputs: JobInputs, today: date) -> tuple[JobInputs, list[str]]:
    for name, text, most in (("goal", inputs.goal.strip(), MAX_GOAL_BYTES), ("topic", inputs.topic, MAX_SHORT_BYTES),
                             ("task", inputs.task, MAX_SHORT_BYTES)):  # fmt: skip
        if len(encoded(name, text)) > most:
            raise UsageError(
                translatable(
                    "%(name)s is longer than %(most)s bytes; put the details into the context",
                    name=_WORDS_OF_TEXTS[name],
                    most=most,
                )
            )
    inputs = inputs.changed(
        goal=clean(inputs.goal).strip(), topic=clean(inputs.topic), task=clean(inputs.task)
    )
    if not inputs.goal:
        raise UsageError(
            translatable('the goal is empty; say what to research, e.g. "how do heat pumps work"')
        )
    warnings: list[str] = []
    translate = messages_of(inputs)
    limit = translate.number(MAX_CONTEXT_BYTES)
    context, is_cut = _newest(inputs.context, "context")
    if is_cut:
        warnings.append(translate("context_cut", bytes=limit))
    prior, is_cut = _newest(inputs.prior_turn_context, "earlier conversation")
    if is_cut:
        warnings.append(translate("conversation_cut", bytes=limit))
    _check_texts(inputs)
    checked = inputs.changed(
        context=context,
        prior_turn_context=prior,
        intent=inputs.intent if inputs.intent_given else detect_intent(inputs.goal),
        urls=_urls(inputs.goal, inputs.urls),
        language=checked_language(inputs.language),
        since=_checked_day(inputs.since, "since"),
        until=_checked_day(inputs.until, "until"),
    )
    if checked.since and checked.until and checked.since > checked.until:
        raise UsageError(
            translatable(
                "since (%(since)s) is after until (%(until)s)", since=checked.since, until=checked.until
            )
        )
    checked = _typed(for_a_buyer(checked), today)
    if len(checked.to_wire()) > MAX_INPUTS_BYTES:
        raise UsageError(
            translatable("all inputs together are longer than 32 kB; shorten the context or name fewer URLs")
        )
    return checked, warnings


def _checked_day(text: str, name: str) -> str:
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise UsageError(
            translatable("%(name)s is no day such as 2026-01-31: %(text)r", name=name, text=text)
        ) from None


def for_a_buyer(inputs: JobInputs) -> JobInputs:
    """The inputs with the buyer's country and currency, for a job that looks for offers.

    A strategy with phase 2, or a job to continue from, makes the intent commerce unless the caller gave one.
    """
    if not 1 <= inputs.vendors <= MAX_ANSWERING_VENDORS:
        raise UsageError(
            translatable(
                "the number of vendors must be between 1 and %(most)s (got %(given)s)",
                most=MAX_ANSWERING_VENDORS,
                given=inputs.vendors,
            )
        )
    region, currency = checked_region(inputs.region), checked_currency(inputs.currency)
    wants_offers = inputs.strategy in ("phase1_and_phase2", "phase2_only") or bool(inputs.from_job)
    intent = "commerce" if wants_offers and not inputs.intent_given else inputs.intent
    if intent == "commerce":
        region = region or detect_region(inputs.goal, inputs.language)
        currency = currency or detect_currency(inputs.goal, region)
    return inputs.changed(region=region, currency=currency, intent=intent)


def _typed(inputs: JobInputs, today: date) -> JobInputs:
    """The inputs with their type of research and the technology that they are about, both detected if not given.

    A technology of the context alone counts only for a technical question.
    """
    if len(inputs.stack) > MAX_STACK:
        raise UsageError(
            translatable(
                "the stack is longer than %(most)s characters (got %(given)s)",
                most=MAX_STACK,
                given=len(inputs.stack),
            )
        )
    is_given = inputs.type_given or inputs.type != "general"
    type_ = (
        inputs.type
        if is_given
        else (detect_type(inputs.goal, inputs.intent, stack=inputs.stack, today=today.isoformat()))
    )
    context = inputs.context if type_ == "technical" else ""
    stack = " ".join(inputs.stack.split()) or (
        "" if inputs.intent == "commerce" else technologies_of(inputs.goal, context)
    )
    return inputs.changed(type=type_, stack=stack)


def _newest(text: str, name: str) -> tuple[str, bool]:
    """The text, or its last MAX_CONTEXT_BYTES if it is longer, and whether it was cut."""
    data = encoded(name, text.strip())
    if len(data) <= MAX_CONTEXT_BYTES:
        return data.decode(), False
    return data[-MAX_CONTEXT_BYTES:].decode(errors="ignore"), True


def _urls(goal: str, caller_urls: list[str]) -> list[str]:
    """The canonical URLs that the caller named as inputs or in the goal's text."""
    found = [canonical_url(_without_tail(url)) for url in _URL.findall(goal)]
    named = []
    for url in caller_urls:
        canonical = canonical_url(url)
        if not canonical:
            raise UsageError(translatable("%(url)r is not an http(s) URL", url=url))
        named.append(canonical)
    urls = list(dict.fromkeys(url for url in [*named, *found] if url))
    if len(urls) > _MAX_URLS:
        raise UsageError(translatable("more than %(most)s URLs were named", most=_MAX_URLS))
    return urls


def _without_tail(url: str) -> str:
    """A URL from running text without the punctuation after it, or a closing bracket that it did not open."""
    url = url.rstrip(".,;:!?…")
    while url.endswith(")") and url.count(")") > url.count("("):
        url = url[:-1].rstrip(".,;:!?")
    return url
