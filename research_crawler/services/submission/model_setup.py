"""Sets the model endpoint for a person: tries it by a real call, then keeps it in the user's own settings file."""

import asyncio
import socket
from pathlib import Path
from typing import Final

from pydantic import SecretStr, ValidationError

from research_crawler.adapters.models.local_endpoints import LocalEndpoint, find_endpoints
from research_crawler.adapters.private_files import private_folder
from research_crawler.adapters.user_settings import remember
from research_crawler.core.config import Config, load_core_config
from research_crawler.core.errors import AddressRefused, EndpointUnusable, UsageError
from research_crawler.core.ports.models import MOST_MODEL_NAME, OPENAI_URL
from research_crawler.core.text.translatable import translatable
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.core.web.urls import host_of
from research_crawler.runtime.model_endpoint import check_endpoint

_KEPT: Final = ("openai_base_url", "openai_api_key", "mind_model")
_OF_OTHER_MODELS: Final = ("reflex_model", "role_models")
_FILE: Final = "config.toml"
_EXAMPLE: Final = "http://127.0.0.1:11434/v1"


async def models_here() -> list[LocalEndpoint]:
    """The model servers that answer on this machine."""
    return await find_endpoints()


async def try_model(config: Config, *, base_url: str, key: SecretStr, model: str) -> Config:
    """Try a model endpoint by one token, and return the settings with it.

    A key that is left empty is the one that is set already, but only for the address that has it.

    Raises:
        UsageError: the address is none that a model may have, or no model is named.
        EndpointUnusable: it does not answer, or refuses; the message says what to do.
    """
    address, name = base_url.strip(), model.strip()
    if not address and not key.get_secret_value() and not config.has_endpoint:
        raise UsageError(translatable("name the address of a model server, or give a key of OpenAI"))
    if not name or len(name) > MOST_MODEL_NAME:
        raise EndpointUnusable(
            "name the model", form_text=translatable("Name a model of the server."), about="model"
        )
    if address and not address.casefold().startswith(("http://", "https://")):
        raise _no_address()
    if not key.get_secret_value().isascii():
        raise EndpointUnusable(
            "the key has signs that no key has",
            form_text=translatable("The key has signs that no key has. Copy it once more."),
            about="key",
        )
    try:
        await _check_address(config, address or OPENAI_URL)
    except AddressRefused as error:
        raise EndpointUnusable(
            str(error),
            form_text=translatable(
                "No model server may have this address. One on this machine is like %(example)s.",
                example=_EXAMPLE,
            ),
        ) from error
    if not key.get_secret_value() and address == config.openai_base_url:
        key = config.openai_api_key
    try:
        tried = _with_model(config, address, key, name)
    except ValidationError:
        raise _no_address() from None
    return await check_endpoint(tried)


def without_model(config: Config) -> Config:
    """The settings without any model."""
    return _with_model(config, "", SecretStr(""), "")


def _with_model(config: Config, address: str, key: SecretStr, name: str) -> Config:
    """The settings with this model alone, which says where it comes from."""
    origins = dict.fromkeys(_KEPT, _FILE) | dict.fromkeys(_OF_OTHER_MODELS, "default")
    return config.changed(
        openai_base_url=address,
        openai_api_key=key,
        mind_model=name,
        reflex_model="",
        role_models={},
        origins=config.origins | origins,
    )


def keep_model(config: Config) -> Path:
    """Write the models of these settings to the user's settings file, which nobody else may read. It blocks.

    Raises:
        ConfigError: the file cannot be written.
    """
    private_folder(config.home)
    values = {
        "OPENAI_BASE_URL": config.openai_base_url,
        "OPENAI_API_KEY": config.openai_api_key.get_secret_value(),
        "MIND_MODEL": config.mind_model,
    }
    if load_core_config(type(config), home=config.home).reflex_model:
        values["REFLEX_MODEL"] = ""  # it may be none of this server
    return remember(config.home, values)


def set_elsewhere(config: Config) -> str:
    """The settings of a model that something nearer than the user's file has, so that it comes first; "" for none.

    Args:
        config: as it was read, before a person set a model.
    """
    nearer = (name for name in _KEPT if config.origins.get(name, _FILE) != _FILE)
    return ", ".join(name.upper() for name in nearer)


def _no_address() -> UsageError:
    return UsageError(
        translatable("the address of the model server is not one, such as http://127.0.0.1:11434/v1")
    )


async def _check_address(config: Config, url: str) -> None:
    """Refuse what is never a model server, as the keys that a cloud gives its machines."""
    guard, host = AddressGuard.of_crawlers(config), host_of(url)
    guard.check_url(url, service=True)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise EndpointUnusable(
            f"the host {host} of the model server is not known",
            form_text=translatable("There is no host %(host)s. Change the address.", host=host),
        ) from error
    guard.check_addresses(host, [str(entry[4][0]) for entry in found], service=True)
