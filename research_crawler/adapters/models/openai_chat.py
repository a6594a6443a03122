"""Chat by the OpenAI SDK: any endpoint that speaks its wire, one try a call."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Self

from pydantic import SecretStr

from research_crawler.core.config import Config
from research_crawler.core.errors import BrainUnavailable, EndpointUnusable
from research_crawler.core.model_ports import OPENAI_URL, ChatAnswer
from research_crawler.core.urls import host_of

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI
    from openai.types.chat import ChatCompletion

FORMATS: Final = ("json_schema", "json_object", "plain")
"""How JSON is asked for, best first; what an endpoint takes is remembered."""
MAX_ADAPTATIONS: Final = 6
USUAL_CHARS_PER_TOKEN: Final = 4
"""For endpoints that count nothing."""
UNREADABLE: Final = (AttributeError, TypeError, ValueError, IndexError)
"""What the SDK raises where a web page, or half a document, comes back instead of an answer."""
CHECK_TIMEOUT_S: Final = 10.0
DEFAULT_PAUSE_MS: Final = 2_000
"""After a 429 that names no time."""
MODELS_NAMED: Final = 8
THOUGHTS: Final = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
_LOOPBACK: Final = re.compile(r"localhost|127\.\d+\.\d+\.\d+|::1")


@dataclass(frozen=True)
class _Manner:
    """How an endpoint likes to be asked."""

    form: int = 0
    """Place in FORMATS."""
    limit: str = "max_tokens"
    has_temperature: bool = True

    def arguments(
        self, temperature: float, max_tokens: int, schema: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Arguments of a call, besides model, messages and time."""
        body: dict[str, Any] = {self.limit: max_tokens}
        if self.has_temperature:
            body["temperature"] = temperature
        form = FORMATS[self.form]
        if schema is not None and form == "json_schema":
            named = {"name": "answer", "schema": dict(schema)}
            body["response_format"] = {"type": form, "json_schema": named}
        elif schema is not None and form == "json_object":
            body["response_format"] = {"type": form}
        return body


class OpenAIChat:
    """One endpoint with one default model; the SDK is imported at the first call."""

    def __init__(
        self, base_url: str, api_key: SecretStr, model: str, *, other_models: Sequence[str] = ()
    ) -> None:
        """`base_url` empty: OpenAI's own. `other_models` are checked too; a call may name them."""
        self._base_url, self._api_key, self._model = base_url or OPENAI_URL, api_key, model
        self._models = list(dict.fromkeys(name for name in (model, *other_models) if name))
        self.name = f"{model or 'no model'} at {host_of(self._base_url)}"
        self._client: AsyncOpenAI | None = None
        self._manner, self._is_proved = _Manner(), False

    @classmethod
    def from_config(cls, config: Config) -> Self:
        """The endpoint of the settings."""
        return cls(
            config.openai_base_url,
            config.openai_api_key,
            config.mind_model,
            other_models=[config.reflex_model, *config.role_models.values()],
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
        """One answer. An endpoint that refuses a parameter is asked again without it, which costs nothing.

        Raises:
            BrainUnavailable: dead, refusing, or too slow; with the pause it asked for.
        """
        from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

        name = model or self._model
        for _ in range(MAX_ADAPTATIONS):
            manner = self._manner
            try:
                made = await self._ready().chat.completions.create(
                    model=name,
                    messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
                    timeout=timeout_s,
                    **manner.arguments(temperature, max_tokens, schema),
                )
                answer = _answer(made, f"{system}{user}", name)
            except APITimeoutError as error:
                raise BrainUnavailable(
                    f"{self.name} gave no answer within {timeout_s:.0f} s", maybe_paid=True
                ) from error
            except APIConnectionError as error:
                raise BrainUnavailable(f"{self.name} is not reachable") from error
            except APIStatusError as error:
                if error.status_code in (400, 422) and self._adapt(manner, str(error.message), schema):
                    continue
                raise self._refused(error) from error
            except (OpenAIError, *UNREADABLE) as error:
                raise BrainUnavailable(f"{self.name}: {_line(error)}", maybe_paid=True) from error
            self._is_proved = self._is_proved or schema is not None
            return answer
        raise BrainUnavailable(f"{self.name} refuses every form of request")

    async def check(self) -> None:
        """Find out whether jobs can be run on this endpoint, without spending anything.

        Raises:
            EndpointUnusable: one line that says what to do.
        """
        offered = await self._offered()
        if not self._model:
            raise EndpointUnusable(f"set MIND_MODEL; the endpoint offers: {_named(offered)}")
        for name in self._models:
            if offered is not None and name not in offered:
                await self._check_unlisted(name, offered)

    async def close(self) -> None:
        """Free connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    def _ready(self) -> "AsyncOpenAI":
        if self._client is None:
            # The SDK looks into httpx wherever somebody has begun to import it. Qdrant's client does, in another
            # thread: half imported, it would fail a call. To import it here waits for its end.
            import httpx  # noqa: F401
            from openai import AsyncOpenAI, DefaultAsyncHttpxClient

            # A model on this machine is not asked through a company's proxy.
            local = _LOOPBACK.fullmatch(host_of(self._base_url)) is not None
            self._client = AsyncOpenAI(
                base_url=self._base_url,
                api_key=self._api_key.get_secret_value() or "none",
                max_retries=0,
                http_client=DefaultAsyncHttpxClient(trust_env=not local),
            )
        return self._client

    def _adapt(self, sent: "_Manner", complaint: str, schema: Mapping[str, Any] | None) -> bool:
        """Change what the endpoint complains of; False when there is nothing left to change."""
        if sent != self._manner:
            return True  # another call has changed it meanwhile
        if "max_completion_tokens" in complaint and sent.limit == "max_tokens":
            self._manner = replace(sent, limit="max_completion_tokens")
        elif "temperature" in complaint and sent.has_temperature:
            self._manner = replace(sent, has_temperature=False)
        elif schema is None or self._is_proved:
            return False
        elif sent.form + 1 < len(FORMATS):
            self._manner = replace(sent, form=sent.form + 1)
        else:
            # It was something else that it did not like: the next call starts from the best form again.
            self._manner = replace(sent, form=0)
            return False
        return True

    def _refused(self, error: "APIStatusError") -> BrainUnavailable:
        pause_ms = _pause_ms(error)
        return BrainUnavailable(
            f"{self.name} answered {error.status_code}: {_line(error)}", retry_after_ms=pause_ms
        )

    async def _offered(self) -> list[str] | None:
        """Names of the endpoint's models; None where it does not list them."""
        from openai import APIConnectionError, APIStatusError, OpenAIError

        try:
            page = await self._ready().models.list(timeout=CHECK_TIMEOUT_S)
        except APIConnectionError as error:
            raise EndpointUnusable(
                f"no answer from the model endpoint {self._base_url}; start it, or change OPENAI_BASE_URL"
            ) from error
        except APIStatusError as error:
            if error.status_code in (401, 403):
                raise self._key_refused() from error
            if error.status_code in (404, 405, 501):
                return None
            raise EndpointUnusable(
                f"the model endpoint {self._base_url} answered {error.status_code}; try again later, or "
                "change OPENAI_BASE_URL"
            ) from error
        except (OpenAIError, *UNREADABLE) as error:
            raise self._no_wire() from error
        return [model.id for model in page.data or []]

    async def _check_unlisted(self, name: str, offered: list[str]) -> None:
        """Some endpoints answer to names that they do not list: ask for this one by itself."""
        from openai import APIStatusError, OpenAIError

        try:
            await self._ready().models.retrieve(name, timeout=CHECK_TIMEOUT_S)
        except APIStatusError as error:
            if error.status_code in (401, 403):
                raise self._key_refused() from error
            raise EndpointUnusable(
                f"the endpoint has no model {name!r}; it offers: {_named(offered)}; set MIND_MODEL"
            ) from error
        except (OpenAIError, *UNREADABLE) as error:
            raise EndpointUnusable(f"the endpoint could not look up {name!r}: {_line(error)}") from error

    def _no_wire(self) -> EndpointUnusable:
        return EndpointUnusable(f"{self._base_url} does not speak the OpenAI wire; check OPENAI_BASE_URL")

    def _key_refused(self) -> EndpointUnusable:
        return EndpointUnusable(f"the model endpoint {self._base_url} refuses the key; check OPENAI_API_KEY")


def _answer(made: "ChatCompletion", prompt: str, model: str) -> ChatAnswer:
    text = (made.choices[0].message.content or "") if made.choices else ""
    used = made.usage
    return ChatAnswer(
        THOUGHTS.sub("", text),
        used.prompt_tokens if used else len(prompt) // USUAL_CHARS_PER_TOKEN + 1,
        used.completion_tokens if used else len(text) // USUAL_CHARS_PER_TOKEN + 1,
        made.model or model,
    )


def _pause_ms(error: "APIStatusError") -> int | None:
    """The pause that an answer asks for: 429 always, 503 where it names one, none where money is short."""
    if error.status_code not in (429, 503) or error.code == "insufficient_quota":
        return None
    headers = error.response.headers
    for name, factor in (("retry-after-ms", 1), ("retry-after", 1000)):
        try:
            return max(1, int(float(headers.get(name, "")) * factor))
        except (ValueError, OverflowError):
            continue
    return DEFAULT_PAUSE_MS if error.status_code == 429 else None


def _named(offered: list[str] | None) -> str:
    if not offered:
        return "(it lists none)"
    more = f" and {len(offered) - MODELS_NAMED} more" if len(offered) > MODELS_NAMED else ""
    return ", ".join(offered[:MODELS_NAMED]) + more


def _line(error: BaseException) -> str:
    """An error's message as one short line."""
    return " ".join(str(error).split())[:200]
