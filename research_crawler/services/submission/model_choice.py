"""Chooses a model that runs on this machine, for a caller who asks for one; nothing is taken without being told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import SecretStr

from research_crawler.adapters.models.local_endpoints import LocalEndpoint
from research_crawler.core.config import Config
from research_crawler.core.errors import EndpointUnusable

AUTO: Final = "auto"
NOBODY: Final = (
    "no model server answers on this machine; start Ollama (port 11434), llama.cpp's llama-server (8080), LM Studio "
    "(1234) or vLLM (8000), or set OPENAI_BASE_URL or OPENAI_API_KEY, and MIND_MODEL"
)


@dataclass(frozen=True)
class ModelChoice:
    """A model of a server on this machine."""

    endpoint: LocalEndpoint
    model: str

    @property
    def shown(self) -> str:
        """The choice in one line."""
        return f"{self.model} ({self.endpoint.program}, {self.endpoint.base_url})"

    def used_by(self, config: Config) -> Config:
        """The settings with this model for all roles. No key is sent to it."""
        return config.changed(
            openai_base_url=self.endpoint.base_url,
            openai_api_key=SecretStr(""),
            mind_model=self.model,
            reflex_model="",
            role_models={},
        )

    def settings(self) -> dict[str, str | int]:
        """The settings to remember, by the names that users know."""
        return {"OPENAI_BASE_URL": self.endpoint.base_url, "MIND_MODEL": self.model}


def choices(endpoints: Sequence[LocalEndpoint], wanted: str) -> list[ModelChoice]:
    """The models that fit what the caller asked for: all for `auto`, else those of that name.

    Raises:
        EndpointUnusable: there is none; the message says what to do.
    """
    offered = [ModelChoice(endpoint, model) for endpoint in endpoints for model in endpoint.models]
    if not offered:
        raise EndpointUnusable(NOBODY)
    fitting = [choice for choice in offered if wanted in (AUTO, choice.model)]
    if not fitting:
        names = ", ".join(choice.model for choice in offered)
        raise EndpointUnusable(f"no server on this machine has a model {wanted!r}; they have: {names}")
    return fitting
