"""Reads the robots.txt of one origin by RFC 9309, into a form that nodes can share.

This module reads lines and groups itself, because the RFC is stricter about them than protego is (complete
product tokens; unknown records do not end a group). Protego then matches paths within the group that applies.
"""

import json
import math
import re
from collections import OrderedDict
from hashlib import blake2b
from typing import Any, Literal, Self
from urllib.parse import quote

from protego import Protego
from pydantic import ConfigDict, ValidationError

from research_crawler.core.errors import BadMessage, NewerWire
from research_crawler.core.models.base import Changeable

State = Literal["rules", "allow", "unreachable"]
Line = tuple[Literal["agent", "allow", "disallow", "delay"], str]

WIRE = 1
"""Version of the form in which nodes share rules."""
ROBOTS_MAX_BYTES = 500 * 1024
"""How much of a robots.txt is downloaded and read (RFC 9309, 2.5: at least 500 KiB); the rest is ignored."""
RULES_TTL_S = 86_400
"""RFC 9309, 2.4: not used longer than 24 hours."""
UNREACHABLE_S = (30, 120, 600)
"""How long a host rests whose robots.txt could not be read: once, twice, more often in a row."""
REMEMBERED_S = 3_600
"""How long it is remembered that a robots.txt could not be read, so that the next time counts as a further one."""
MAX_PARSERS = 1_000
"""Most groups of rules that a process keeps."""

_FIELDS: dict[str, Literal["agent", "allow", "disallow", "delay"]] = {
    "user-agent": "agent",
    "useragent": "agent",
    "user agent": "agent",
    "allow": "allow",
    "disallow": "disallow",
    # Misspellings that Google's parser accepts too.
    "dissallow": "disallow",
    "dissalow": "disallow",
    "disalow": "disallow",
    "diasllow": "disallow",
    "disallaw": "disallow",
    "crawl-delay": "delay",
    "crawldelay": "delay",
    "crawl delay": "delay",
}
_TOKEN = re.compile(r"[a-z_-]+|\*(?=\s|$)", re.IGNORECASE)
_ODD = re.compile(r"[^\x21-\x7e]+")


class RobotsRules(Changeable):
    """The robots.txt rules of an origin, or the fact that it has none, or that it cannot be fetched now."""

    model_config = ConfigDict(frozen=True)

    v: int = WIRE
    state: State
    """rules: `text` has them. allow: there is no robots.txt. unreachable: nothing may be fetched for now."""
    text: str = ""
    """The known records, cleaned, without other records and comments."""
    fetched_ms: int = 0
    failures: int = 1
    """How often in a row it could not be read, if it is unreachable."""

    @property
    def ttl_s(self) -> int:
        """How long these rules may be used, counted from `fetched_ms`."""
        if self.state != "unreachable":
            return RULES_TTL_S
        return UNREACHABLE_S[min(self.failures, len(UNREACHABLE_S)) - 1]

    @property
    def kept_s(self) -> int:
        """How long they are stored: what is unreachable also to count how often in a row it was."""
        return self.ttl_s + (REMEMBERED_S if self.state == "unreachable" else 0)

    @property
    def until_ms(self) -> int:
        """When they are read again."""
        return self.fetched_ms + self.ttl_s * 1000

    def after(self, earlier: "RobotsRules | None") -> "RobotsRules":
        """These rules, read after earlier ones: one more failure, if neither could be read."""
        if earlier is None or not self.state == earlier.state == "unreachable":
            return self
        return self.changed(failures=earlier.failures + 1)

    def is_fresh(self, now_ms: int) -> bool:
        """Whether the rules may still be used."""
        return now_ms < self.until_ms

    def allowed(self, url: str, product_token: str) -> bool:
        """Whether a crawler with this product token may fetch the URL (RFC 9309, 2.2.2)."""
        if self.state != "rules":
            return self.state == "allow"
        return _parsers.get(self.text, product_token).permits(url)

    def crawl_delay_s(self, product_token: str) -> float | None:
        """The Crawl-delay of the group that applies, in seconds; the longest if there are several."""
        return _parsers.get(self.text, product_token).delay_s if self.state == "rules" else None

    def to_json(self) -> str:
        """The rules in the wire format: JSON with the version first."""
        return self.model_dump_json()

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read the rules that `to_json` wrote.

        Raises:
            NewerWire: a process with a newer wire format wrote them.
            BadMessage: they do not validate.
        """
        try:
            data: Any = json.loads(text)
            version = data.get("v") if isinstance(data, dict) else None
            if isinstance(version, int) and version > WIRE:
                raise NewerWire(version)
            return cls.model_validate(data)
        except (ValidationError, ValueError) as error:
            raise BadMessage(f"robots.txt rules do not validate: {error}") from error


def parse_robots(status: int | None, body: bytes, *, now_ms: int) -> RobotsRules:
    """Read the response to GET /robots.txt (RFC 9309, 2.3.1).

    Args:
        status: status of the last response, after redirects; None if there was no response.
        body: decompressed body. Only its first `ROBOTS_MAX_BYTES` are read.
        now_ms: when the response arrived.
    """
    if status is None or status == 429 or status >= 500 or status < 200:
        return RobotsRules(state="unreachable", fetched_ms=now_ms)
    if status >= 300:
        # 4xx, and 3xx if the redirects led nowhere: "unavailable", so the crawler may access anything.
        return RobotsRules(state="allow", fetched_ms=now_ms)
    if len(body) > ROBOTS_MAX_BYTES:
        # The last line may be cut in the middle of a path, and would then match more URLs than was meant.
        body = body[:ROBOTS_MAX_BYTES].rpartition(b"\n")[0]
    lines = _read_lines(body.decode("utf-8", errors="replace").removeprefix("\ufeff"))
    text = "".join(f"{field}: {value}\n" for field, value in lines)
    return RobotsRules(state="rules", text=text, fetched_ms=now_ms)


def _read_lines(text: str) -> list[Line]:
    """All lines that are a known record. Other lines are ignored (RFC 9309, 2.2.4)."""
    found: list[Line] = []
    for raw in re.split(r"\r\n|\r|\n", text):
        line = raw.partition("#")[0].strip()
        if line and (record := _read_record(line)):
            found.append(record)
    return found


def _read_record(line: str) -> Line | None:
    name, colon, value = line.partition(":")
    field = _FIELDS.get(" ".join(name.lower().split()))
    if not colon or field is None:
        # The colon is missing: the line has exactly two words, and the first is a field.
        words = line.split()
        field = _FIELDS.get(words[0].lower()) if len(words) == 2 else None
        value = words[-1]
    if field is None:
        return None
    if field == "agent":
        token = _TOKEN.match(value.strip())
        return field, token[0].lower() if token else ""
    # Protego would end the line at control characters and white space within a path.
    return field, _ODD.sub(lambda odd: quote(odd[0]), value.strip())


class _Group:
    """The rules that apply to one product token, compiled for matching."""

    def __init__(self, text: str, product_token: str) -> None:
        records = _records_for(text, product_token.strip().lower())
        delays = [_seconds(value) for field, value in records if field == "delay"]
        self.delay_s = max((delay for delay in delays if delay is not None), default=None)
        rules = "".join(f"{field}: {value}\n" for field, value in records if field != "delay")
        self._parser = Protego.parse("user-agent: *\n" + rules)

    def permits(self, url: str) -> bool:
        return bool(self._parser.can_fetch(url, "*"))


def _records_for(text: str, token: str) -> list[Line]:
    """The records of all groups for the token; if it has none, of all groups for `*` (RFC 9309, 2.2.1)."""
    own: list[Line] = []
    common: list[Line] = []
    is_named = False
    agents: set[str] = set()
    in_rules = False
    for line in text.splitlines():
        field, _, value = line.partition(": ")
        if field == "agent":
            agents = {value} if in_rules else agents | {value}
            in_rules = False
            is_named = is_named or bool(token and value == token)
            continue
        in_rules = True
        record: Line = (field, value)  # type: ignore[assignment]  # written by parse_robots
        if token in agents:
            own.append(record)
        if "*" in agents:
            common.append(record)
    return own if is_named else common


def _seconds(text: str) -> float | None:
    try:
        delay = float(text)
    except ValueError:
        return None
    return delay if math.isfinite(delay) and delay >= 0 else None


class _Parsers:
    """A cache of the most recently used groups. The keys are digests, because the texts are long."""

    def __init__(self) -> None:
        self._groups: OrderedDict[tuple[bytes, str], _Group] = OrderedDict()

    def get(self, text: str, product_token: str) -> _Group:
        key = (blake2b(text.encode(), digest_size=16).digest(), product_token)
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = _Group(text, product_token)
            if len(self._groups) > MAX_PARSERS:
                self._groups.popitem(last=False)
        self._groups.move_to_end(key)
        return group


_parsers = _Parsers()
