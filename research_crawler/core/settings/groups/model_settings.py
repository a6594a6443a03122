"""Settings: the models that are asked, and what they may cost."""

from typing import Annotated, Any, Final

from pydantic import Field, SecretStr, field_validator

from research_crawler.core.roles import ROLES
from research_crawler.core.settings.groups.group import SettingsGroup, parsed_mapping, unprefixed
from research_crawler.core.settings.provider_settings import HttpAddress, SentTo

MODEL_TIMEOUT_S: Final = 180.0
"""Longest time of a single model call, where the settings name no other."""


class LanguageModelSettings(SettingsGroup):
    """The models that are asked, and what they may cost."""

    brain: str = ""
    """Brain of an installed package that decides; empty: a model's if there is an endpoint, else the extractive one."""
    mind_model: str = unprefixed("", "MIND_MODEL")
    """Model of the thorough roles; unset without an endpoint."""
    mind_temperature: float = unprefixed(0.5, "MIND_TEMPERATURE", ge=0, le=2)
    """Temperature of the thorough roles."""
    reflex_model: str = unprefixed("", "REFLEX_MODEL")
    """Model of the quick roles; falls back to MIND_MODEL."""
    reflex_temperature: float = unprefixed(0.3, "REFLEX_TEMPERATURE", ge=0, le=2)
    """Temperature of the quick roles."""
    role_models: dict[str, str] = Field(default_factory=dict)
    """A model for a single role: {"report": "big-model"}. Roles: planner, scorer, extractor, report, auditor,
    section_writer, recommender, product_extractor, column_reader, claim_verifier."""
    openai_api_key: Annotated[SecretStr, SentTo("openai_base_url")] = unprefixed(
        SecretStr(""), "OPENAI_API_KEY"
    )
    """Key of the model endpoint."""
    openai_base_url: HttpAddress = unprefixed("", "OPENAI_BASE_URL")
    """Any OpenAI-compatible endpoint; empty with a key: OpenAI's own."""
    model_concurrency: int = Field(32, ge=1)
    """Maximum number of concurrent calls to one endpoint, over all workers."""
    model_timeout_seconds: float = Field(MODEL_TIMEOUT_S, gt=0)
    """Longest time of a single model call. It is not part of the time that a job has for its work."""
    model_context_tokens: int = Field(0, ge=0)
    """Context of the smallest of your models, in tokens; 0: large enough. Prompts, pages and answers are cut to fit."""
    role_answer_tokens: dict[str, int] = Field(default_factory=dict)
    """Maximum number of tokens of a role's answers: {"report": 6000}. Roles: as for `role_models`."""
    reasoning_answer_tokens: int = Field(8_000, ge=0)
    """Least number of tokens for the answers of models that think first (their thoughts count), and for an answer
    that was cut off and is asked for again; 0: no answer gets more tokens than its role has."""
    model_prices_usd: dict[str, tuple[float, float] | tuple[float, float, float]] = Field(
        default_factory=dict
    )
    """Prices of models that are not listed or differ, in US dollars for a million tokens that are sent, answered, and
    sent again where they were cached (without it, as those that are sent): {"my-model": [0.15, 0.6, 0.02]}."""
    day_max_tokens: int | None = Field(None, ge=1)
    """Most model tokens of a day (UTC), over all jobs and processes; unset: no limit."""
    day_max_usd: float | None = Field(None, gt=0)
    """Most money for models of a day (UTC), in US dollars, over all jobs and processes; unset: no limit."""
    embedding_model: str = ""
    """Folder or name of any sentence-transformers model on this machine; empty: the packaged all-MiniLM-L6-v2."""

    @field_validator("role_models", "role_answer_tokens", "model_prices_usd", mode="before")
    @classmethod
    def _parse_model_mappings(cls, value: Any) -> Any:
        return parsed_mapping(value)

    @field_validator("role_answer_tokens")
    @classmethod
    def _some_tokens(cls, value: dict[str, int]) -> dict[str, int]:
        if any(tokens < 1 for tokens in value.values()):
            raise ValueError("must be positive")
        return value

    @field_validator("role_models", "role_answer_tokens")
    @classmethod
    def _known_roles(cls, value: dict[str, Any]) -> dict[str, Any]:
        if unknown := next((role for role in value if role not in ROLES), None):
            raise ValueError(f"there is no role {unknown!r}; known: {', '.join(ROLES)}")
        return value
