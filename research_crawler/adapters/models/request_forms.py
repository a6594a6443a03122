"""The form of request that an endpoint accepts, found at its first calls and kept across restarts."""

import contextlib
import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, TypeAdapter, ValidationError

from research_crawler.core.models.base import Frozen
from research_crawler.core.ports.models import Schemas

FORMATS: Final = ("json_schema", "json_object", "plain")
"""Ways to ask for JSON, the best first."""
KEPT_DAYS: Final = 7
"""Then the best form is tried again: servers learn to take a schema."""
MOST_ENDPOINTS: Final = 64
"""Most endpoints whose form of request is remembered."""


class RequestForm(Frozen):
    """The form of request that an endpoint accepts."""

    form: int = Field(0, ge=0, lt=len(FORMATS))
    """Index in FORMATS."""
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    has_temperature: bool = True
    streams: bool = False
    """The endpoint answers in pieces only."""

    def user_message(self, user: str, schema: Mapping[str, Any] | None) -> str:
        """The user message; an endpoint that takes no schema beside it finds the schema at its end."""
        if schema is None or FORMATS[self.form] == "json_schema":
            return user
        return f"{user}\n\n### Schema\n{schema_text(schema)}"

    def arguments(
        self, temperature: float, max_tokens: int, schema: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Arguments of a call, besides model, messages and timeout."""
        body: dict[str, Any] = {self.limit: max_tokens}
        if self.has_temperature:
            body["temperature"] = temperature
        if self.streams:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        form = FORMATS[self.form]
        if schema is not None and form == "json_schema":
            json_schema = {"name": "answer", "schema": dict(schema)}
            body["response_format"] = {"type": form, "json_schema": json_schema}
        elif schema is not None and form == "json_object":
            body["response_format"] = {"type": form}
        return body


class _Kept(Frozen):
    form: RequestForm
    found: date
    account: str = ""
    schemas: Schemas | None = None
    """Which schemas its model keeps to, if its first answers have shown it."""


_FILE: Final = TypeAdapter(dict[str, _Kept])


class RequestFormCache:
    """The forms of all endpoints in one file of the data folder; one that cannot be read or written is done without."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def form_of(self, endpoint: str) -> RequestForm:
        """The form that was found within `KEPT_DAYS`, else the best one."""
        kept = self._read().get(_name_of(endpoint))
        return kept.form if kept else RequestForm()

    def has_answered(self, endpoint: str, account: str) -> bool:
        """Whether the endpoint has answered to this account within `KEPT_DAYS`."""
        kept = self._read().get(_name_of(endpoint))
        return kept is not None and kept.account == account

    def keep(self, endpoint: str, form: RequestForm, account: str = "") -> None:
        """Keep a form that an endpoint has answered to."""
        known = self._read().get(_name_of(endpoint))
        schemas = known.schemas if known else None
        self._write(endpoint, _Kept(form=form, found=_today(), account=account, schemas=schemas))

    def schemas_of(self, endpoint: str) -> Schemas | None:
        """Which schemas the endpoint's model has kept to within `KEPT_DAYS`; None: nobody knows."""
        kept = self._read().get(_name_of(endpoint))
        return kept.schemas if kept else None

    def keep_schemas(self, endpoint: str, schemas: Schemas) -> None:
        """Keep which schemas the endpoint's model keeps to, until what is known of its form is found again."""
        known = self._read().get(_name_of(endpoint)) or _Kept(form=RequestForm(), found=_today())
        self._write(endpoint, known.changed(schemas=schemas))

    def _write(self, endpoint: str, form: _Kept) -> None:
        kept = self._read()
        kept.pop(_name_of(endpoint), None)
        latest = dict(list(kept.items())[-(MOST_ENDPOINTS - 1) :])
        latest[_name_of(endpoint)] = form
        new = self._path.with_name(f".{self._path.name}.{secrets.token_hex(8)}")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            new.write_bytes(_FILE.dump_json(latest, indent=1))
            new.replace(self._path)

    def _read(self) -> dict[str, _Kept]:
        try:
            kept = _FILE.validate_python(json.loads(self._path.read_bytes()))
        except (OSError, ValueError, ValidationError, RecursionError):
            return {}
        today = _today()
        return {name: one for name, one in kept.items() if 0 <= (today - one.found).days < KEPT_DAYS}


class KeptSchemas:
    """Which schemas the model of one endpoint keeps to, in the file of the forms."""

    def __init__(self, cache: RequestFormCache, endpoint: str) -> None:
        self._cache, self._endpoint = cache, endpoint

    def read(self) -> Schemas | None:
        """What earlier processes have found."""
        return self._cache.schemas_of(self._endpoint)

    def keep(self, schemas: Schemas) -> None:
        """Keep it for later processes."""
        self._cache.keep_schemas(self._endpoint, schemas)


def _name_of(endpoint: str) -> str:
    """An address may hold a password, so it stands in no file."""
    return hashlib.sha256(endpoint.encode()).hexdigest()[:16]


def _today() -> date:
    return datetime.now(UTC).date()


_ID: Final = re.compile(r"[A-Z]\d+|none")


def schema_text(schema: Mapping[str, Any]) -> str:
    """A schema as JSON for a prompt: lists of ids are left out, for the ids stand in the prompt already."""
    return json.dumps(_without_ids(schema), ensure_ascii=False)


def _without_ids(part: Any) -> Any:
    if isinstance(part, list):
        return [_without_ids(one) for one in part]
    if not isinstance(part, dict):
        return part
    choices = part.get("enum")
    if isinstance(choices, list) and len(choices) > 1 and all(_ID.fullmatch(str(one)) for one in choices):
        return {"type": part.get("type", "string"), "description": f"an id shown above: {choices[0]} …"}
    return {key: _without_ids(value) for key, value in part.items()}
