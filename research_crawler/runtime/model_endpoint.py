"""The model endpoint of a job: checks that it works, or starts the packaged local model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from research_crawler.core.config import Config


async def check_endpoint(config: Config) -> Config:
    """Check the model endpoint before anything is started. Without an endpoint, do nothing.

    Returns:
        The settings, with the model's context if the endpoint is on this machine and says it.

    Raises:
        EndpointUnusable: it does not answer, it refuses the key, or no model is named. The message is one
            line that says what to do.
    """
    if not config.has_endpoint:
        return config
    from research_crawler.adapters.models.openai_chat import OpenAIChat

    chat = OpenAIChat.from_config(config)
    try:
        await chat.check()
    finally:
        await chat.close()
    if config.model_context_tokens:
        return config
    from research_crawler.adapters.models.local_endpoints import context_tokens

    tokens = await context_tokens(config.openai_base_url, config.mind_model)
    if not tokens:
        return config
    told = {"model_context_tokens": "the model's server"}
    return config.changed(model_context_tokens=tokens, origins=config.origins | told)


@asynccontextmanager
async def with_local_model(config: Config, *, wanted: bool) -> AsyncIterator[Config]:
    """The settings; if `wanted`, the packaged local model runs during the block and is their endpoint.

    Raises:
        NotStarted: the local model is not installed, or does not start.
    """
    if not wanted:
        yield config
        return
    from research_crawler.adapters.models.local_model import local_model

    async with local_model() as model:
        yield config.changed(**model.settings())
