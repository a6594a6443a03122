"""Logging to stderr: one line an event, ours and the libraries'."""

import logging
import sys
import time
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

from research_crawler.core.errors import ResearchError

SILENT_S, _REMEMBERED = 60.0, 1_000
"""For so long a line is not repeated; how many lines are remembered for that."""
CHATTY = ("scrapy", "sentence_transformers", "transformers", "httpx", "httpcore", "alembic")
"""Libraries whose INFO is of use only to who debugs them."""


def configure_logging(level: str) -> None:
    """Log from this level on; structlog's events go the same way as the standard library's."""
    number = logging.getLevelNamesMapping()[level]
    handler = _CurrentStderr()
    handler.addFilter(_SaidOnce())
    handler.setFormatter(_OneLine("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=number, handlers=[handler], force=True)
    for name in CHATTY if number > logging.DEBUG else ():
        logging.getLogger(name).setLevel(max(number, logging.WARNING))
    log_through_standard_library(number)


def log_through_standard_library(number: int = logging.DEBUG) -> None:
    """Give structlog's events to the standard library's loggers, whoever configures those."""
    structlog.configure(
        processors=[_as_text],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


class _CurrentStderr(logging.StreamHandler[TextIO]):
    """Writes to what stderr is at the moment: a live display puts itself in its place to keep lines apart."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]  # the base class keeps one for good
        """The stream of this moment."""
        return sys.stderr


class _SaidOnce(logging.Filter):
    """Loops that try again every second say the same each time: once in a while is enough."""

    def __init__(self) -> None:
        super().__init__()
        self._said_s: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """False for what was said lately; debugging shows everything."""
        what, now_s = (record.name, record.getMessage()), time.monotonic()
        if record.levelno <= logging.DEBUG or now_s - self._said_s.get(what, -SILENT_S) >= SILENT_S:
            if len(self._said_s) >= _REMEMBERED:
                self._said_s.clear()
            self._said_s[what] = now_s
            return True
        return False


class _OneLine(logging.Formatter):
    """Errors of our own say in one line what to do; only what nobody foresaw is worth a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as text."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, ResearchError):
            return super().format(record)
        plain = logging.makeLogRecord({**record.__dict__, "exc_info": None, "exc_text": None})
        return f"{super().format(plain)}: {error}"


def _as_text(_: Any, __: str, event: MutableMapping[str, Any]) -> tuple[tuple[str], dict[str, Any]]:
    """structlog's event as the message of a standard record: the text, then its values."""
    exc_info = event.pop("exc_info", None)
    said = str(event.pop("event", ""))
    values = ", ".join(f"{name}={value}" for name, value in event.items())
    # A message of the standard library is a format: what a page or a server wrote must not be taken for one.
    text = (f"{said} ({values})" if values else said).replace("%", "%%")
    return (text,), {"exc_info": exc_info} if exc_info else {}
