"""Chat by the OpenAI SDK with any OpenAI-compatible endpoint. A failed call is not repeated here."""

import asyncio
import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

from pydantic import SecretStr

from research_crawler.adapters.models.answer_limits import STREAM, AnswerTooLong, bounded_client
from research_crawler.adapters.models.completions import (
    NoCompletion,
    SentAnswer,
    completion_of,
    models_in,
    pause_ms_of,
    read_answer,
    whole_completion,
)
from research_crawler.adapters.models.request_forms import FORMATS, KeptSchemas, RequestForm, RequestFormCache
from research_crawler.core.brain_errors import BrainUnavailable
from research_crawler.core.config import Config
from research_crawler.core.errors import EndpointUnusable
from research_crawler.core.ports.models import OPENAI_URL, ChatAnswer
from research_crawler.core.settings.sources import MASK
from research_crawler.core.text.translatable import translatable
from research_crawler.core.web.urls import host_of

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI
    from openai._legacy_response import LegacyAPIResponse

MAX_ADAPTATIONS: Final = 6
"""Most other forms of a request that are tried with an endpoint that refuses the first."""
UNREADABLE: Final = (AttributeError, TypeError, ValueError, IndexError, RecursionError)
"""Errors of the SDK if a web page or a truncated document comes back instead of an answer."""
CHECK_TIMEOUT_S: Final = 10.0
"""How long an endpoint may take to list its models."""
LEAST_KEY_CHARS: Final = 8
"""A shorter text is a placeholder for an endpoint that needs no key."""
MODELS_NAMED: Final = 8
"""Most models that a message about an unknown one names."""
_WANTS_STREAM: Final = re.compile(r"\bstream", re.I)
_LOOPBACK: Final = re.compile(r"localhost|127\.\d+\.\d+\.\d+|::1")


def kept_schemas(config: Config) -> KeptSchemas:
    """Which schemas the planner's model keeps to, as earlier processes have found."""
    model = config.role_models.get("planner") or config.mind_model
    return KeptSchemas(_form_cache_of(config), f"{config.openai_base_url or OPENAI_URL} {model}")


def _form_cache_of(config: Config) -> RequestFormCache:
    return RequestFormCache(config.home / "model_forms.json")


class OpenAIChat:
    """One endpoint with a default model. The SDK is imported at the first call."""

    def __init__(
        self,
        base_url: str,
        api_key: SecretStr,
        model: str,
        *,
        other_models: Sequence[str] = (),
        form_cache: RequestFormCache | None = None,
    ) -> None:
        """Prepare the calls.

        Args:
            base_url: empty: OpenAI's own.
            other_models: those that calls may name; `check` checks them too.
            form_cache: where the form of request that the endpoint accepts is kept for later processes.
        """
        self._base_url, self._api_key, self._model = base_url or OPENAI_URL, api_key, model
        self._models = list(dict.fromkeys(name for name in (model, *other_models) if name))
        self.name = f"{model or 'no model'} at {host_of(self._base_url)}"
        self._client: AsyncOpenAI | None = None
        self._form_cache, self._kept_as = form_cache, f"{self._base_url} {model}"
        self._form = form_cache.form_of(self._kept_as) if form_cache else RequestForm()
        self._has_answered = form_cache is not None and form_cache.has_answered(self._kept_as, self._account)
        self._cached_form = self._form if self._has_answered else None
        self._schema_works = False

    @classmethod
    def from_config(cls, config: Config) -> Self:
        """The configured endpoint."""
        return cls(
            config.openai_base_url,
            config.openai_api_key,
            config.mind_model,
            other_models=[config.reflex_model, *config.role_models.values()],
            form_cache=_form_cache_of(config),
        )

    async def complete(
        self,
        *,
        system: str,
        user: str,
        temperature: float,
        max_tokens: int,
        schema: Mapping[str, Any] | None,
        timeout_s: float,
        model: str = "",
    ) -> ChatAnswer:
        """One answer. If the endpoint refuses a parameter, it is asked again without it, which costs nothing.

        Raises:
            BrainUnavailable: the endpoint is down, refuses, or is too slow; with the pause that it asks for.
        """
        from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

        name = model or self._model
        for _ in range(MAX_ADAPTATIONS):
            form = self._form
            try:
                sent = await self._open_client().chat.completions.with_raw_response.create(
                    model=name,
                    messages=[
                        {"role": "system", "content": system},
                        {"role": "user", "content": form.user_message(user, schema)},
                    ],
                    timeout=timeout_s,
                    **form.arguments(temperature, max_tokens, schema),
                )
                completion = await _completion_in(sent, streams=form.streams)
                answer = read_answer(completion, f"{system}{user}", name)
            except APITimeoutError as error:
                raise BrainUnavailable(
                    f"{self.name} gave no answer within {timeout_s:.0f} s", maybe_paid=True, is_timeout=True
                ) from error
            except APIConnectionError as error:
                is_long = isinstance(error.__cause__, AnswerTooLong)
                why = f": {error.__cause__}" if is_long else " is not reachable"
                raise BrainUnavailable(f"{self.name}{why}", maybe_paid=is_long) from error
            except APIStatusError as error:
                if error.status_code in (400, 422) and self._adapt(form, str(error.message), schema):
                    continue
                raise self._refused(error) from error
            except (OpenAIError, *UNREADABLE) as error:
                raise BrainUnavailable(f"{self.name}: {_line(error)}", maybe_paid=True) from error
            self._schema_works = self._schema_works or schema is not None
            await self._keep(form)
            return answer
        raise BrainUnavailable(f"{self.name} refuses every form of request")

    async def check(self) -> None:
        """Check that jobs can use this endpoint: look up the models, then ask each for a single token, unless it has
        answered to this key lately.

        Some services list their models to everybody, and refuse a key, or an account without credit, at the first
        call only. Other faults of that call may pass (too busy, still loading), so they do not stop anything.

        Raises:
            EndpointUnusable: the message is one line that says what to do.
        """
        offered = await self._listed_models()
        if not self._model:
            raise EndpointUnusable(
                f"set MIND_MODEL; the endpoint offers: {_name_list(offered)}",
                form_text=translatable("Name a model of the server."),
                about="model",
                offered=offered or (),
            )
        for name in self._models:
            if offered is not None and name not in offered:
                await self._check_unlisted(name, offered)
        unknown = [name for name in self._models if name != self._model or not self._has_answered]
        await asyncio.gather(*map(self._check_first_call, unknown))

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    def _open_client(self) -> "AsyncOpenAI":
        if self._client is None:
            # The SDK uses httpx as soon as any thread has begun to import it. Qdrant's client imports it in
            # another thread, and a half-imported httpx would fail a call. This import waits until it is
            # complete.
            import httpx  # noqa: F401
            from openai import AsyncOpenAI

            # Requests to a model on this machine do not use a company's proxy.
            local = _LOOPBACK.fullmatch(host_of(self._base_url)) is not None
            self._client = AsyncOpenAI(
                base_url=self._base_url,
                api_key=self._api_key.get_secret_value() or "none",
                max_retries=0,
                http_client=bounded_client(trust_env=not local),
            )
        return self._client

    @property
    def _account(self) -> str:
        """Tells one key from another, and is too short to find one by."""
        return hashlib.sha256(self._api_key.get_secret_value().encode()).hexdigest()[:3]

    async def _keep(self, form: RequestForm) -> None:
        """Keep the form of a call that was answered, if it is not the one that is kept."""
        if self._form_cache and form != self._cached_form:
            self._cached_form = form
            await asyncio.to_thread(self._form_cache.keep, self._kept_as, form, self._account)

    def _adapt(self, sent: RequestForm, complaint: str, schema: Mapping[str, Any] | None) -> bool:
        """Change the form of request that the endpoint refused; False if there is nothing left to change."""
        if sent != self._form:
            return True  # another call has changed it in the meantime
        if "max_completion_tokens" in complaint and sent.limit == "max_tokens":
            self._form = sent.changed(limit="max_completion_tokens")
        elif "temperature" in complaint and sent.has_temperature:
            self._form = sent.changed(has_temperature=False)
        elif _WANTS_STREAM.search(complaint) and not sent.streams:
            self._form = sent.changed(streams=True)
        elif schema is None or self._schema_works:
            return False
        elif sent.form + 1 < len(FORMATS):
            self._form = sent.changed(form=sent.form + 1)
        else:
            # The endpoint refused for another reason: the next call starts with the best form again.
            self._form = sent.changed(form=0)
            return False
        return True

    def _refused(self, error: "APIStatusError") -> BrainUnavailable:
        pause_ms = pause_ms_of(error)
        told = _redirection(error) or f"answered {error.status_code}: {self._told(error)}"
        return BrainUnavailable(f"{self.name} {told}", retry_after_ms=pause_ms)

    async def _listed_models(self) -> list[str] | None:
        """Names of the endpoint's models; None if it does not list them."""
        from openai import APIConnectionError, APIStatusError, OpenAIError

        try:
            sent = await self._open_client().models.with_raw_response.list(timeout=CHECK_TIMEOUT_S)
            return models_in(sent.content)
        except APIConnectionError as error:
            raise EndpointUnusable(
                f"no answer from the model endpoint {self._base_url}; start it, or change OPENAI_BASE_URL",
                form_text=translatable(
                    "No server answers at %(address)s. Start it, or change the address.",
                    address=self._base_url,
                ),
            ) from error
        except APIStatusError as error:
            if error.status_code in (401, 403):
                raise self._key_refused() from error
            if error.status_code in (404, 405, 501):
                return None
            if error.response.has_redirect_location:
                raise EndpointUnusable(
                    f"the model endpoint {self._base_url} {_redirection(error)}; set OPENAI_BASE_URL to the address "
                    "that answers",
                    form_text=translatable(
                        "The server sends on to another address. Give the one that answers."
                    ),
                ) from error
            raise EndpointUnusable(
                f"the model endpoint {self._base_url} answered {error.status_code}; try again later, or "
                "change OPENAI_BASE_URL",
                form_text=translatable(
                    "The server answers with the error %(code)s. Try again later, or change the address.",
                    code=str(error.status_code),
                ),
            ) from error
        except (OpenAIError, *UNREADABLE) as error:
            raise self._not_compatible() from error

    async def _check_unlisted(self, name: str, offered: list[str]) -> None:
        """Look up one model by name, because some endpoints have models that they do not list."""
        from openai import APIStatusError, OpenAIError

        try:
            await self._open_client().models.with_raw_response.retrieve(name, timeout=CHECK_TIMEOUT_S)
        except APIStatusError as error:
            if error.status_code in (401, 403):
                raise self._key_refused() from error
            raise EndpointUnusable(
                f"the endpoint has no model {name!r}; it offers: {_name_list(offered)}; set MIND_MODEL",
                form_text=translatable("The server has no model %(name)s.", name=name),
                about="model",
                offered=offered,
            ) from error
        except (OpenAIError, *UNREADABLE) as error:
            raise EndpointUnusable(
                f"the endpoint could not look up {name!r}: {_line(error)}", about="model"
            ) from error

    async def _check_first_call(self, name: str) -> None:
        from openai import APIStatusError

        try:
            async with asyncio.timeout(2 * CHECK_TIMEOUT_S):  # a stream may trickle for ever
                await self.complete(
                    system="Answer with one word.",
                    user="Hello",
                    temperature=0.0,
                    max_tokens=1,
                    schema=None,
                    timeout_s=CHECK_TIMEOUT_S,
                    model=name,
                )
        except (BrainUnavailable, TimeoutError) as error:
            cause = error.__cause__
            if not isinstance(cause, APIStatusError):
                return
            if cause.status_code in (401, 403):
                raise self._key_refused(f" for {name} ({self._told(cause)})") from error
            if cause.status_code == 402 or cause.code == "insufficient_quota":
                raise EndpointUnusable(
                    f"the account of the key has no credit for {name} at {self._base_url} ({self._told(cause)}); "
                    "top it up, or change OPENAI_API_KEY",
                    form_text=translatable("The account of this key has no credit for %(name)s.", name=name),
                    about="key",
                ) from error
            if cause.status_code in (404, 405, 501):
                raise EndpointUnusable(
                    f"the model endpoint {self._base_url} answered {cause.status_code} to a question to {name} "
                    f"({self._told(cause)}); check OPENAI_BASE_URL, which mostly ends in /v1, and MIND_MODEL",
                    form_text=translatable(
                        "The server does not answer questions to %(name)s at this address, which mostly ends in /v1. "
                        "Check both.",
                        name=name,
                    ),
                ) from error

    def _told(self, error: Exception) -> str:
        """What an endpoint told, in one line; some repeat the key that they refuse."""
        key = self._api_key.get_secret_value()
        return _line(error).replace(key, MASK) if len(key) >= LEAST_KEY_CHARS else _line(error)

    def _not_compatible(self) -> EndpointUnusable:
        return EndpointUnusable(
            f"{self._base_url} is not an OpenAI-compatible endpoint; check OPENAI_BASE_URL",
            form_text=translatable(
                "The server at this address does not answer as OpenAI's does. Check the address."
            ),
        )

    def _key_refused(self, answer: str = "") -> EndpointUnusable:
        if not self._api_key.get_secret_value():
            return EndpointUnusable(
                f"the model endpoint {self._base_url} needs a key{answer}; set OPENAI_API_KEY",
                form_text=translatable("The server needs a key."),
                about="key",
            )
        return EndpointUnusable(
            f"the model endpoint {self._base_url} refuses the key{answer}; check OPENAI_API_KEY",
            form_text=translatable("The server refuses this key."),
            about="key",
        )


async def _completion_in(sent: "LegacyAPIResponse[Any]", *, streams: bool) -> SentAnswer:
    """The completion in what an endpoint sent, of which only what is used is kept."""
    if not streams:
        return completion_of(sent.content)
    if not sent.headers.get("content-type", "").startswith(STREAM):
        await sent.http_response.aclose()
        raise NoCompletion("its answer does not come in pieces")
    return await whole_completion(sent.parse())


def _redirection(error: "APIStatusError") -> str:
    """Where an endpoint wants a prompt to go, which is not sent on; "" if it wants nothing of the kind."""
    if not error.response.has_redirect_location:
        return ""
    return (
        f"redirects to {host_of(error.response.headers['location']) or 'another path'}, which is not followed"
    )


def _name_list(offered: list[str] | None) -> str:
    if not offered:
        return "(it lists none)"
    more = f" and {len(offered) - MODELS_NAMED} more" if len(offered) > MODELS_NAMED else ""
    return ", ".join(offered[:MODELS_NAMED]) + more


def _line(error: BaseException) -> str:
    """An error's message as one short line."""
    return " ".join(str(error).split())[:200]
