"""The settings of the model brain: models and temperatures by role, and limits of length."""

from collections.abc import Mapping, Sequence
from typing import Final

from pydantic import Field

from planner.money.model_prices import ModelPrice, is_free, model_prices
from prompts.answer_shapes import Bounds
from research_crawler.core.config import Config
from research_crawler.core.models.base import Frozen
from research_crawler.core.ports.models import OPENAI_URL
from research_crawler.core.roles import Role
from research_crawler.core.settings.groups.model_settings import MODEL_TIMEOUT_S
from research_crawler.core.web.urls import origin_of

MIND_ROLES: Final[frozenset[Role]] = frozenset(
    (
        *("planner", "extractor", "report", "auditor", "section_writer"),
        *("recommender", "product_extractor", "column_reader"),
    )
)
"""The thorough roles, which use the MIND model; the others use the REFLEX model."""
ANSWER_TOKENS: Final[Mapping[str, int]] = {
    "planner": 2400,
    "scorer": 2500,
    "extractor": 4000,
    "report": 4000,
    "auditor": 6000,
    "section_writer": 4000,
    "recommender": 2000,
    "product_extractor": 600,
    "column_reader": 2000,
    "claim_verifier": 4000,
}
"""About twice what the schemas let a role write."""
CONTEXT_PER_ANSWER: Final = 4
"""An answer has at most one in so many tokens of a model's context."""
SMALL_ANSWER_TOKENS: Final[Mapping[str, int]] = {
    "planner": 160,
    "scorer": 360,
    "extractor": 360,
    "report": 360,
    "auditor": 360,
    "section_writer": 360,
    "recommender": 240,
    "product_extractor": 160,
    "column_reader": 360,
    "claim_verifier": 360,
}
"""At 50 tokens a second on a busy core, 360 tokens are seven seconds."""
SMALL_BOUNDS: Final = Bounds(items=2, text_chars=160, short_chars=100, reasons=False)
FLAT_BOUNDS: Final = Bounds(items=6, text_chars=400, short_chars=200, reasons=False)
WHOLE_TOKENS: Final = 4_500
"""A page of at most so many tokens (some 16,000 characters) is shown whole where the settings name no other number.
With 4,000, the manual of `git bisect` lost the section on how to end it, which a careful reader had quoted."""
STATEMENTS_A_CALL, FLAT_STATEMENTS_A_CALL = 40, 24
"""A verdict takes some 70 tokens with the words that are copied: 40 of them fit into an answer. Reports at standard
depth had 6 to 28 statements to check."""
SMALL_PAGE_TOKENS: Final = 800
"""With pages cut to at most so many tokens, a model is treated as a small one: the packaged one is (`PAGE_TOKENS` of
`adapters/models/local_model.py`)."""
SMALL_PROMPT_TOKENS: Final = 2_400
"""A small model reads so many tokens in 17 seconds at 140 tokens a second (one busy core), in 8 at 300 (idle)."""


class ModelSettings(Frozen):
    """All that the model brain needs to know besides the endpoint itself.

    A process takes it from its settings (`from_config`); the defaults are for a brain without any.
    """

    mind_model: str = ""
    reflex_model: str = ""
    role_models: dict[str, str] = Field(default_factory=dict)
    mind_temperature: float = 0.5
    reflex_temperature: float = 0.3
    origin: str = origin_of(OPENAI_URL)
    """The endpoint's scheme, host and port: the slot of its permits."""
    timeout_s: float = MODEL_TIMEOUT_S
    """Longest time of a single call."""
    page_tokens: int = 4000
    """Most tokens of a page that the model is shown."""
    whole_page_tokens: int = WHOLE_TOKENS
    """Of a page with more tokens, the model is shown the parts that are nearest to what is asked."""
    answer_tokens: dict[str, int] = Field(default_factory=lambda: dict(ANSWER_TOKENS))
    reasoning_answer_tokens: int = 8_000
    """Least number of tokens for answers of a model that thinks first, and for an answer that is asked for again
    because it was cut off; 0: neither is given more tokens."""
    most_tokens: int = 0
    """Most tokens of any answer, by the model's context; 0: no limit."""
    bounds: Bounds = Bounds()
    prompt_tokens: int | None = None
    """Most tokens of any prompt; None: the budget in each recipe."""
    scored_results: int = 8
    shown_evidence: int = 60
    audited_evidence: int = 120
    """Most findings that are put in order before a report with sections is written."""
    writes_sections: bool = True
    """Whether reports may have sections, which take several calls."""
    shown_offers: int = 12
    shown_passages: int = 32
    """Most passages that the model is shown for the open columns of a row."""
    statements_a_call: int = STATEMENTS_A_CALL
    """Most uncertain sentences of a report that the model compares with their quotes in one call."""
    prices: dict[str, ModelPrice] = Field(default_factory=dict)
    """Model → what it costs; one that is not here counts as free."""

    @classmethod
    def from_config(cls, config: Config) -> "ModelSettings":
        """The settings of a process; those for a small model, if pages are cut to at most SMALL_PAGE_TOKENS."""
        settings = cls(
            mind_model=config.mind_model,
            reflex_model=config.reflex_or_mind_model,
            role_models=config.role_models,
            mind_temperature=config.mind_temperature,
            reflex_temperature=config.reflex_temperature,
            origin=origin_of(config.openai_base_url or OPENAI_URL),
            timeout_s=config.model_timeout_seconds,
            answer_tokens=dict(ANSWER_TOKENS) | config.role_answer_tokens,
            reasoning_answer_tokens=config.reasoning_answer_tokens,
            page_tokens=config.page_tokens,
            whole_page_tokens=config.page_tokens
            if "page_max_tokens" in config.model_fields_set
            else WHOLE_TOKENS,
            prices=prices_of(config),
        )
        if settings.page_tokens <= SMALL_PAGE_TOKENS:
            return settings.for_small_model()
        return settings.within(config.model_context_tokens) if config.model_context_tokens else settings

    def usd(self, role: str, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float:
        """What a call of the role's model costs."""
        price = self.prices.get(self.model_of(role))
        return price.usd(prompt_tokens, completion_tokens, cached_tokens) if price else 0.0

    def within(self, context_tokens: int) -> "ModelSettings":
        """The settings with prompts and answers that fit together into a context of so many tokens."""
        longest = context_tokens // CONTEXT_PER_ANSWER
        return self.changed(
            answer_tokens={role: min(tokens, longest) for role, tokens in self.answer_tokens.items()},
            reasoning_answer_tokens=min(self.reasoning_answer_tokens, longest),
            most_tokens=longest,
            prompt_tokens=context_tokens - longest,
        )

    def flat(self) -> "ModelSettings":
        """The settings for a model that does not keep to large schemas: few fields, short lists, no sections."""
        return self.changed(
            bounds=FLAT_BOUNDS, writes_sections=False, statements_a_call=FLAT_STATEMENTS_A_CALL
        )

    def for_small_model(self) -> "ModelSettings":
        """The settings for a model of a few hundred million parameters: short pages, short answers."""
        return self.changed(
            page_tokens=min(self.page_tokens, SMALL_PAGE_TOKENS),
            answer_tokens=dict(SMALL_ANSWER_TOKENS),
            reasoning_answer_tokens=0,
            bounds=SMALL_BOUNDS,
            prompt_tokens=SMALL_PROMPT_TOKENS,
            scored_results=5,
            shown_evidence=8,
            statements_a_call=FLAT_STATEMENTS_A_CALL,
            shown_offers=4,
            shown_passages=8,
            writes_sections=False,
        )

    def model_of(self, role: str) -> str:
        """The name of the model for a role; empty if none is set."""
        return self.role_models.get(role) or (self.mind_model if role in MIND_ROLES else self.reflex_model)

    @property
    def labels_with_decision(self) -> bool:
        """Whether one answer has labels and decision: one model has both roles, and it may write so much."""
        return self.bounds.reasons and self.model_of("planner") == self.model_of("scorer")

    def temperature_of(self, role: str) -> float:
        """The temperature for a role: MIND's or REFLEX's."""
        return self.mind_temperature if role in MIND_ROLES else self.reflex_temperature

    def most_answer_tokens(self, role: str, is_reasoning: bool, also: Sequence[str] = ()) -> int:
        """Most tokens of an answer in a role, and `also` in others at once."""
        tokens = sum(self.answer_tokens[one] for one in (role, *also))
        longest = max(tokens, self.reasoning_answer_tokens if is_reasoning else 0)
        return min(longest, self.most_tokens) if self.most_tokens else longest

    def larger_answer_tokens(self, tokens: int) -> int:
        """Most tokens of an answer that was cut off after so many tokens and is asked for again."""
        if not self.reasoning_answer_tokens:
            return tokens
        larger = max(2 * tokens, self.reasoning_answer_tokens)
        return max(tokens, min(larger, self.most_tokens)) if self.most_tokens else larger

    def token_budget(self, recipe: int) -> int:
        """Most tokens of a prompt with this budget in its recipe; there is room for a page of `page_tokens`.

        Prompts are measured by `estimate_tokens`, which counts half to three quarters more tokens in English prose
        than a tokenizer.
        """
        budget = max(recipe, self.page_tokens * 7 // 4 + 2_000)
        return min(budget, self.prompt_tokens) if self.prompt_tokens else budget


def models_of(config: Config) -> list[str]:
    """The models that a process may ask, each once."""
    named = [config.mind_model, config.reflex_or_mind_model, *config.role_models.values()]
    return list(dict.fromkeys(name for name in named if name))


def prices_of(config: Config) -> dict[str, ModelPrice]:
    """The known prices of the models that a process may ask; an endpoint in the own network costs nothing, unless the
    settings name a price."""
    asked = models_of(config)
    if is_free(config.openai_base_url):
        asked = [name for name in asked if name in config.model_prices_usd]
    table = model_prices(config.model_prices_usd)
    return {name: price for name in asked if (price := table.price_of(name))}


def unpriced_models(config: Config) -> list[str]:
    """The models whose price is not known, on an endpoint that may cost money."""
    known = prices_of(config)
    return (
        [] if is_free(config.openai_base_url) else [name for name in models_of(config) if name not in known]
    )
