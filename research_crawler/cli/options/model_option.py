"""The option --model: which model plans, reads and writes."""

import asyncio
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from research_crawler.cli.exit_codes import BAD_USAGE
from research_crawler.cli.options.option_values import WholeNumber
from research_crawler.cli.session import echo_err, fail

if TYPE_CHECKING:
    from research_crawler.core.config import Config
    from research_crawler.services.submission.model_choice import ModelChoice

model_option = click.option(
    "--model",
    metavar="NAME",
    default="",
    help="The model that plans, reads and writes. `auto`: your endpoint, else one found on this machine (Ollama, "
    "llama.cpp server, LM Studio or vLLM at their usual ports); if there are several, you are asked once. A name: that "
    "model of your endpoint, or of one found on this machine.",
)


def with_model(config: "Config", model: str) -> "Config":
    """The settings with the model that --model asks for; a choice that the user makes is remembered.

    Ends the command if there is no such model, or several and nobody to ask.
    """
    if not model:
        return config
    from research_crawler.adapters.models.local_endpoints import find_endpoints
    from research_crawler.core.errors import EndpointUnusable
    from research_crawler.services.submission.model_choice import AUTO, choices

    if model == AUTO and config.has_endpoint:
        return config
    if config.has_endpoint:
        return config.changed(mind_model=model, reflex_model="", role_models={})
    try:
        found = choices(asyncio.run(find_endpoints()), model)
    except EndpointUnusable as error:
        fail(str(error))
    if model == AUTO and config.mind_model:
        found = [choice for choice in found if choice.model == config.mind_model] or found
    choice = found[0] if len(found) == 1 else _asked(config, found)
    echo_err(f"using {choice.shown}")
    return choice.used_by(config)


def _asked(config: "Config", found: "Sequence[ModelChoice]") -> "ModelChoice":
    """The one that the user chooses."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        names = ", ".join(choice.shown for choice in found)
        fail(f"several models run on this machine: {names}; name one with --model", code=BAD_USAGE)
    for number, choice in enumerate(found, start=1):
        echo_err(f"{number}  {choice.shown}")
    number = click.prompt("Which model", type=WholeNumber(1, len(found)), default=1, err=True)
    _remember(config, found[number - 1])
    return found[number - 1]


def _remember(config: "Config", choice: "ModelChoice") -> None:
    from research_crawler.adapters.private_files import private_folder
    from research_crawler.adapters.user_settings import remember
    from research_crawler.core.errors import ConfigError

    try:
        private_folder(config.home)
        echo_err(f"remembered in {remember(config.home, choice.settings())}")
    except (ConfigError, OSError) as error:
        echo_err(f"not remembered: {error}")
