"""The limits of a job: one object from what a caller asks for to what Redis keeps."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Self

from pydantic import ConfigDict, Field, model_validator

from research_crawler.core.models.base import CallerInput, Wire, with_values_of
from research_crawler.core.models.evidence.quality import QualityThresholds

MOST_SEARCHES, MOST_VISITS, MOST_SECONDS, MOST_ATTEMPTS = 50, 200, 86_400, 20
"""Bounds of what one job may ask for, at every interface: a slip of the keyboard must not become days of traffic."""
HIGHEST_TOKEN_LIMIT, MOST_USD = 10**15, 10**9
"""Bounds of ceilings: Redis' scripts and JSON readers count tokens and millionths of a dollar exactly to 9 * 10**15."""
Tokens = Annotated[int, Field(strict=True, ge=1, le=HIGHEST_TOKEN_LIMIT)]
Usd = Annotated[float, Field(strict=True, gt=0, le=MOST_USD)]


class Ceilings(CallerInput):
    """The most that models may use; None: no ceiling."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    max_tokens: Tokens | None = None
    """Most model tokens of a job. Default: no limit."""
    max_usd: Usd | None = None
    """Most money for models of a job, in US dollars. Default: no limit."""


NO_CEILINGS: Final = Ceilings()


class Limits(Wire):
    """The limits of a job.

    A caller's question sets some of them (`JobQuestion.limits`); `completed` adds those that settings and depth give.
    The defaults are those of records, which leave them out; what a job gets where nobody says is in the settings.
    An alias is the name that a field has in the records of jobs, which former releases wrote.
    """

    max_searches: int = 2
    max_visits: int = 8
    timeout_seconds: float = Field(120.0, alias="timeout_s")
    """Work of phase 1: fetching, reading and models."""
    max_attempts: int = 3
    """Most rounds of searches whose results were read."""
    max_iterations: int = 10
    writing_timeout_seconds: float = Field(60.0, alias="writing_timeout_s")
    max_results: int = 10
    max_tokens: int | None = None
    max_usd: float | None = None
    """Most money for models, in US dollars."""
    batch_max_tokens: int | None = None
    """Most tokens of the whole batch that the job is a row of."""
    batch_max_usd: float | None = None
    visit_delay_seconds: float = Field(5.0, alias="visit_delay_s")
    page_tokens: int = 4000
    vendors_timeout_seconds: float = Field(120.0, alias="vendors_timeout_s")
    """Work of phase 2."""
    waiting_timeout_seconds: float = Field(3_600.0, alias="waiting_timeout_s")
    """Longest time that each phase may wait in all: for hosts, providers, nodes, slots of models."""
    memory_max_age_seconds: float = Field(7 * 86_400, alias="memory_max_age_s")
    """Older findings of earlier jobs are not used."""
    quality: QualityThresholds = QualityThresholds()

    @model_validator(mode="before")
    @classmethod
    def _attempts_of_former_records(cls, fields: Any) -> Any:
        """Former releases wrote the most attempts among the thresholds of quality."""
        if not isinstance(fields, Mapping) or not isinstance(quality := fields.get("quality"), Mapping):
            return fields
        return {"max_attempts": quality["max_attempts"], **fields} if "max_attempts" in quality else fields

    def completed(self, defaults: Self) -> Self:
        """The limits that somebody has set here, and the given ones where nobody has."""
        return with_values_of(defaults, self, self.model_fields_set)

    def has(self, asked: Self) -> bool:
        """Whether they are as a caller asked; what it left open may be anything."""
        return asked.completed(self) == self


NO_LIMITS: Final = Limits()
"""No limit is set: all come from settings and depth."""
