"""Notices: what is sent to the destinations that a job's caller named, when the job is over or asks something."""

from typing import Any

from pydantic import Field

from research_crawler.core.models.base import Frozen

MAX_DESTINATIONS = 10
"""Most destinations that a job may tell."""


class Notice(Frozen):
    """An event of a job that is sent."""

    key: str
    """Idempotency key: one notice per event of a job, however often the event is seen."""
    job: str
    title: str
    text: str
    body: dict[str, Any] = Field(default_factory=dict)
    """What a webhook gets beside key, title and text."""

    def document(self) -> dict[str, Any]:
        """The body of a webhook."""
        return {"id": self.key, "title": self.title, "text": self.text, **self.body}
