"""The model endpoint before a job: asked whether it works, or brought along."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from research_crawler.core.config import Config


async def check_endpoint(config: Config) -> None:
    """Ask the model endpoint before anything is started; without one there is nothing to ask.

    Raises:
        EndpointUnusable: dead, refuses the key, or no model is named; one line that says what to do.
    """
    if not config.has_endpoint:
        return
    from research_crawler.adapters.models.openai_chat import OpenAIChat

    chat = OpenAIChat.from_config(config)
    try:
        await chat.check()
    finally:
        await chat.close()


@asynccontextmanager
async def with_local_model(config: Config, *, wanted: bool) -> AsyncIterator[Config]:
    """The settings, with the small packaged model as endpoint where it is wanted.

    Raises:
        NotStarted: it is not installed, or does not come up.
    """
    if not wanted:
        yield config
        return
    from research_crawler.adapters.models.local_model import local_model

    async with local_model() as model:
        yield config.changed(**model.settings())
