"""A job's record as the fields of its Redis hash: each is JSON, and a commit writes those that changed."""

import json
from collections.abc import Mapping
from typing import Any, Final

from pydantic_core import to_json

from research_crawler.core.errors import BadMessage
from research_crawler.core.models.base import OLDEST_READ
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.why import STORED
from research_crawler.frontier.scripts import as_text

MAX_COMMIT_BYTES: Final = 32_768
"""Largest commit of a job's step, in bytes."""
UNLIMITED_FIELDS: Final = frozenset({"report"})
"""Fields that do not count against MAX_COMMIT_BYTES. The report is written only once."""
STORED_FIELDS: Final = tuple(name for name in Job.model_fields if name not in ("v", "version"))


def encoded_fields(job: Job) -> dict[str, str]:
    """Each field of the record as JSON, without those that the scripts write: `v`, the wire version, and `version`."""
    return {name: as_json(getattr(job, name)) for name in STORED_FIELDS}


def changed_fields(old: Job, new: Job) -> dict[str, str]:
    """The fields whose JSON differs. Records are immutable, so the same object has not changed."""
    pairs = ((name, getattr(old, name), getattr(new, name)) for name in STORED_FIELDS)
    texts = ((name, as_json(before), as_json(after)) for name, before, after in pairs if before is not after)
    return {name: after for name, before, after in texts if before != after}


def as_json(value: Any) -> str:
    """A value as a field has it."""
    return to_json(value, context=STORED).decode()


def job_from(stored: Mapping[Any, Any]) -> Job:
    """The record in a job's hash.

    The wire version of one without a number is OLDEST_READ: up to version 3, records had none.

    Raises:
        NewerWire: a newer release wrote it.
    """
    fields = {"v": str(OLDEST_READ)} | {as_text(key): as_text(value) for key, value in stored.items()}
    parts = (f"{json.dumps(name)}:{value}" for name, value in fields.items() if not name.startswith("_"))
    return Job.from_wire("{" + ",".join(parts) + "}")


def check_size(job: str, changed: Mapping[str, str]) -> None:
    """Raise BadMessage if these fields are too long for one commit."""
    sizes = {name: len(text.encode()) for name, text in changed.items() if name not in UNLIMITED_FIELDS}
    total = sum(sizes.values())
    if total > MAX_COMMIT_BYTES:
        largest = max(sizes, key=lambda name: sizes[name])
        raise BadMessage(
            f"a commit of {job} would write {total:,} bytes, {MAX_COMMIT_BYTES:,} are allowed; "
            f"the largest field is {largest} with {sizes[largest]:,}: trim it"
        )
