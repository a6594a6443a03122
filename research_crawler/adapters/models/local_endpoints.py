"""Finds the model servers that people run on their own machine, at their usual ports; only loopback is asked."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp

LOOPBACK: Final = re.compile(r"localhost|127\.\d+\.\d+\.\d+|::1")
"""Hosts that are this machine."""
USUAL_PORTS: Final[Mapping[int, str]] = {
    11434: "Ollama",
    8080: "llama.cpp server",
    1234: "LM Studio",
    8000: "vLLM",
}
PROBE_S: Final = 2.0
"""Longest time for a server's answer. A port without a server refuses at once."""
MOST_BYTES: Final = 1_000_000
"""So much is read of a local server's list of models."""
MOST_MODELS: Final = 50
"""Most models of a local server that are offered."""
OLLAMA_TOKENS: Final = 4_096
"""The context in which Ollama loads a model where OLLAMA_CONTEXT_LENGTH is not set; it cuts longer prompts silently."""
_OWNERS: Final = {"library": "Ollama", "llamacpp": "llama.cpp server", "vllm": "vLLM"}
_NO_CHAT: Final = re.compile(r"embed|rerank|whisper|\btts\b|\bbge-", re.I)
_NAME: Final = re.compile(r"[^\s\x00-\x1f\x7f-\x9f]{1,200}")


@dataclass(frozen=True)
class LocalEndpoint:
    """A server on this machine that answers as OpenAI's does, with the chat models that it offers."""

    program: str
    base_url: str
    models: tuple[str, ...]


async def find_endpoints(
    ports: Mapping[int, str] | None = None, *, timeout_s: float = PROBE_S
) -> list[LocalEndpoint]:
    """The servers that answer now, all asked at the same time.

    Args:
        ports: port → the program that usually has it, by default USUAL_PORTS; the answer may say another one.
        timeout_s: longest time for all of them together.
    """
    asked = USUAL_PORTS if ports is None else ports
    async with _session(timeout_s) as session:
        found = await asyncio.gather(*(_endpoint(session, port, name) for port, name in asked.items()))
    return [endpoint for endpoint in found if endpoint is not None]


async def context_tokens(base_url: str, model: str) -> int:
    """The context that a server on this machine gives a model, in tokens; 0 if it does not say, or is elsewhere.

    vLLM says it in its list of models, llama.cpp at /props, LM Studio and Ollama in their own lists of what is loaded.
    """
    url = urlsplit(base_url)
    if not LOOPBACK.fullmatch(url.hostname or ""):
        return 0
    root = f"{url.scheme}://{url.netloc}"
    async with _session(PROBE_S) as session:
        listed, props, studio, loaded = await asyncio.gather(
            _json(session, f"{base_url.rstrip('/')}/models"),
            _json(session, f"{root}/props"),
            _json(session, f"{root}/api/v0/models"),
            _json(session, f"{root}/api/ps"),
        )
    named = [
        *_numbers(_entries(listed, "data"), model, "max_model_len"),
        _number(_at(_at(props, "default_generation_settings"), "n_ctx")),
        *_numbers(_entries(studio, "data"), model, "loaded_context_length"),
        *_numbers(_entries(loaded, "models"), model, "context_length"),
    ]
    known = next(filter(None, named), 0)
    return known or (OLLAMA_TOKENS if isinstance(_at(loaded, "models"), list) else 0)


def _session(timeout_s: float) -> aiohttp.ClientSession:
    # Requests to this machine use no proxy of the environment, which is aiohttp's default.
    return aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=timeout_s))


async def _endpoint(session: aiohttp.ClientSession, port: int, usual: str) -> LocalEndpoint | None:
    base_url = f"http://127.0.0.1:{port}/v1"
    entries = _entries(await _json(session, f"{base_url}/models"), "data")
    names = [name for entry in entries if isinstance(name := entry.get("id"), str) and _NAME.fullmatch(name)]
    models = tuple(dict.fromkeys(name for name in names if not _NO_CHAT.search(name)))[:MOST_MODELS]
    if not models:
        return None
    owner = next((_OWNERS[one] for entry in entries if (one := str(entry.get("owned_by"))) in _OWNERS), usual)
    return LocalEndpoint(owner, base_url, models)


async def _json(session: aiohttp.ClientSession, url: str) -> Any:
    """The JSON at a URL; None if there is none, whatever the reason."""
    try:
        async with session.get(url, allow_redirects=False) as response:
            if response.status != 200:
                return None
            body = await response.content.read(MOST_BYTES)
            while not response.content.at_eof():
                if len(body) >= MOST_BYTES:
                    return None
                body += await response.content.read(MOST_BYTES)
            return _parsed(body)
    except (aiohttp.ClientError, TimeoutError, OSError):
        return None


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _at(data: Any, key: str) -> Any:
    return data.get(key) if isinstance(data, dict) else None


def _entries(data: Any, key: str) -> list[dict[str, Any]]:
    found = _at(data, key)
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _numbers(entries: Sequence[Mapping[str, Any]], model: str, key: str) -> list[int]:
    return [_number(entry.get(key)) for entry in entries if model in (entry.get("id"), entry.get("name"))]


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
