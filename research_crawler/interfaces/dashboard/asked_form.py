"""Turns the form of a question into the question that every interface asks. Pure, but for the files it writes."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from research_crawler.core.errors import UsageError
from research_crawler.core.models.base import first_fault
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.interfaces.dashboard.forms import Form, UploadedFile
from research_crawler.services.exports.saving import MOST_NAME_BYTES

TEXT_FIELDS: Final = ("goal", "context", "depth", "type", "language", "region", "currency", "since", "until")
"""Fields of the form that are fields of a question as they stand."""
NUMBER_FIELDS: Final = ("max_searches", "max_visits", "max_tokens", "max_usd", "max_words")
LINE_FIELDS: Final = ("urls", "include_hosts", "exclude_hosts")
"""Fields with one entry a line."""
LONGEST_ENDING_CHARS: Final = 20
"""Longest ending of an uploaded file's name."""
SHOWN_FIELDS: Final = (*TEXT_FIELDS, *NUMBER_FIELDS, *LINE_FIELDS, "minutes", "buy", "walls")


def question_of(form: Form) -> JobQuestion:
    """The question of a form.

    Raises:
        UsageError: a value cannot be one; the message names the field.
    """
    given: dict[str, Any] = {name: form.one(name) for name in TEXT_FIELDS if form.one(name).strip()}
    given |= {name: _number(form.one(name)) for name in NUMBER_FIELDS if form.one(name).strip()}
    given |= {name: form.one(name).split() for name in LINE_FIELDS if form.one(name).strip()}
    if form.one("buy"):
        given["intent"] = "commerce"
    if form.one("walls"):
        given["on_blocker"] = "ask"
    if minutes := form.one("minutes"):
        given["timeout_seconds"] = _seconds(minutes)
    try:
        return JobQuestion(**given)
    except ValidationError as error:
        raise UsageError(first_fault(error)) from None


def form_values(form: Form) -> dict[str, str]:
    """What a form had in its fields, to show it again."""
    return {name: form.one(name) for name in SHOWN_FIELDS}


def asked_again(job: Job, usual: Limits) -> dict[str, str]:
    """The fields that ask the question of a job anew, with its options; files have to be chosen again.

    Args:
        job: the job.
        usual: the limits of its depth; only others are filled in.
    """
    inputs, limits = job.inputs, job.limits
    found: dict[str, Any] = {name: getattr(inputs, name) for name in TEXT_FIELDS}
    found["type"] = inputs.type if inputs.type_given else ""
    found["language"] = "" if inputs.language == "en" else inputs.language
    found |= {name: "\n".join(getattr(inputs, name)) for name in LINE_FIELDS}
    found |= {
        name: getattr(limits, name)
        for name in NUMBER_FIELDS
        if name != "max_words" and getattr(limits, name) != getattr(usual, name)
    }
    found["max_words"] = inputs.max_words
    found["minutes"] = (
        f"{limits.timeout_seconds / 60:g}" if limits.timeout_seconds != usual.timeout_seconds else ""
    )
    found["buy"] = "1" if inputs.intent_given and inputs.intent == "commerce" else ""
    found["walls"] = "1" if inputs.blocker_policy == "ask" else ""
    found["about"] = inputs.about_job
    return {name: "" if value is None else str(value) for name, value in found.items()}


def request_key(form: Form) -> str:
    """The key of a request: the same form that is sent twice, by two clicks, asks once; a changed one asks anew."""
    digest = hashlib.sha256(form.one("once").encode("utf-8", "replace"))
    for name in (*SHOWN_FIELDS, "about"):
        digest.update(f"\0{form.one(name)}".encode("utf-8", "replace"))
    for file in form.files:
        digest.update(file.body)
    return digest.hexdigest() if form.one("once") else ""


def written_files(folder: Path, uploads: Sequence[UploadedFile]) -> tuple[Path, ...]:
    """Write uploaded files below a folder of their own, by their names without any folder. It blocks."""
    paths = []
    for place, upload in enumerate(uploads):
        name = _file_name(upload.name)
        path = folder / str(place) / (name if name.strip(".") else "file")
        path.parent.mkdir()
        path.write_bytes(upload.body)
        paths.append(path)
    return tuple(paths)


def _file_name(given: str) -> str:
    """A name that every file system takes, with its ending: a letter may have four bytes, or be half of one."""
    name = Path(given.replace("\\", "/")).name.replace("\0", "").encode("utf-8", "replace").decode()
    ending = Path(name).suffix[:LONGEST_ENDING_CHARS]
    stem = name.removesuffix(ending).encode()[: MOST_NAME_BYTES - len(ending.encode())]
    return stem.decode("utf-8", "ignore") + ending


def _number(text: str) -> float | str:
    """The number that a field has; what is none is left to be refused under the field's name."""
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def _seconds(minutes: str) -> float:
    try:
        return float(minutes.replace(",", ".")) * 60
    except ValueError:
        raise UsageError(f"minutes: {minutes} is not a number") from None
