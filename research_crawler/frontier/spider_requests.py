"""Turns the requests of a project's own spiders into JSON, and into commands of the frontier. Nothing is pickled.

scrapy-redis' queue classes take any serializer with `dumps` and `loads`; this project gives them `JsonRequests`. It
refuses a request that JSON would change.
"""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from research_crawler.core.errors import BadMessage
from research_crawler.core.models.messages.commands import ProjectRequest
from research_crawler.core.models.web.target import NO_SLOT
from research_crawler.core.web.urls import origin_of, page_key, slot_of

_OWN: Final = "own."
_CLASSES: Final = frozenset(
    {
        "scrapy.http.request.form.FormRequest",
        "scrapy.http.request.json_request.JsonRequest",
        "scrapy.http.request.rpc.XmlRpcRequest",
    }
)
"""Request classes that a queued request may name. No other class is loaded, because Redis must not choose the code."""
MAX_REQUEST_BYTES: Final = 262_144
"""Largest request of a project's own spider."""
_USUAL_PRIORITY, _MOST_PRIORITY = 5, 500
"""Priority of a request in the frontier, and how far Scrapy's may move it."""
_PLAIN_NAME = re.compile(r"[\w.-]{1,80}", re.ASCII)
_METHOD_NAME = re.compile(r"(?!__)[A-Za-z_]\w*")


class JsonRequests:
    """The serializer of request dictionaries (`Request.to_dict`)."""

    @staticmethod
    def dumps(request: Mapping[str, Any]) -> str:
        """A request as JSON: header values as text, the body in base64.

        Raises:
            BadMessage: meta, cb_kwargs, cookies or flags hold a value that JSON cannot represent, the class is not
                one of Scrapy's, or the request is over 256 kB.
        """
        data, url = dict(request), str(request.get("url", ""))
        _check_class(data, url)
        for name in ("meta", "cb_kwargs", "cookies", "flags"):
            _check(data.get(name), name, url)
        headers = data.get("headers") or {}
        data["headers"] = {
            _text(name): [_text(value) for value in values] for name, values in headers.items()
        }
        data["body"] = base64.b64encode(data.get("body") or b"").decode("ascii")
        try:
            text = json.dumps(data, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise BadMessage(f"the request of {url} cannot be written as JSON: {error}") from error
        if len(text) > MAX_REQUEST_BYTES:
            raise BadMessage(
                f"the request of {url} has {len(text):,} bytes; {MAX_REQUEST_BYTES:,} are allowed"
            )
        return text

    @staticmethod
    def loads(text: str | bytes) -> dict[str, Any]:
        """The dictionary for `request_from_dict`.

        Raises:
            BadMessage: the text is not a request, or it names a class or method that is not allowed.
        """
        try:
            data: dict[str, Any] = json.loads(text)
            data["body"] = base64.b64decode(data["body"], validate=True)
            data["headers"] = {_bytes(k): [_bytes(value) for value in v] for k, v in data["headers"].items()}
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadMessage(f"a queued request cannot be read: {error!r}") from error
        _check_class(data, str(data.get("url", "")))
        for name in ("callback", "errback"):
            method = data.get(name)
            if method is not None and not (isinstance(method, str) and _METHOD_NAME.fullmatch(method)):
                raise BadMessage(f"a queued request has {method!r} as its {name}")
        return data


def queue_of(spider: str) -> str:
    """The name of the frontier's queue for a project's spider."""
    plain = spider if _PLAIN_NAME.fullmatch(spider) else hashlib.sha256(spider.encode()).hexdigest()[:32]
    return f"{_OWN}{plain}"


def command_of(
    text: str, *, url: str, spider: str, identity: str, priority: int = 0, fingerprint: str = ""
) -> ProjectRequest:
    """The command that carries a request through the frontier.

    Args:
        text: the request as `JsonRequests` writes it.
        url: the request's URL, unchanged, since the order of its parameters may matter to the spider.
        spider: the name of the spider that made the request.
        identity: a text that distinguishes it from the spider's other requests; a repeated request has the same one.
        priority: Scrapy's priority; higher is earlier, the default is 0.
        fingerprint: the fingerprint of a request that is made only once; empty for `dont_filter`.

    Raises:
        BadMessage: the URL is not an http(s) URL.
    """
    slot = slot_of(url)
    if not origin_of(url) or slot == NO_SLOT:
        raise BadMessage(f"{url[:200]!r} is not an http(s) URL")
    number = hashlib.sha256(f"{spider}\n{identity}".encode(errors="surrogatepass")).hexdigest()[:20]
    return ProjectRequest(
        id=f"-:{number}",
        job="-",
        spider=queue_of(spider),
        url=url,
        slot=slot,
        page_key=page_key(url),
        max_age_s=0,
        priority=_USUAL_PRIORITY - max(-_MOST_PRIORITY, min(_MOST_PRIORITY, priority)),
        request=text,
        fingerprint=fingerprint,
    )


def _check_class(data: Mapping[str, Any], url: str) -> None:
    if "_class" in data and data["_class"] not in _CLASSES:
        raise BadMessage(
            f"the request of {url} is a {data['_class']}; only Scrapy's own request classes are queued: "
            "put the values that it adds into meta or cb_kwargs"
        )


def _check(value: Any, where: str, url: str) -> None:
    """Refuse values that JSON would lose or change, except that a tuple comes back as a list."""
    if isinstance(value, dict):
        for name, entry in value.items():
            if not isinstance(name, str):
                raise BadMessage(f"{where} of the request of {url} has the key {name!r}; keys must be str")
            _check(entry, f"{where}[{name!r}]", url)
    elif isinstance(value, list | tuple):
        for entry in value:
            _check(entry, where, url)
    elif value is not None and not isinstance(value, str | int | float | bool):
        raise BadMessage(
            f"{where} of the request of {url} is a {type(value).__name__}; requests wait in Redis as JSON: "
            "pass str, numbers, bool, None, lists and dicts"
        )


def _text(value: bytes | str) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _bytes(value: str) -> bytes:
    return value.encode("latin-1")
