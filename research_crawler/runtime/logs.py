"""Logging to stderr: one line per event, for this project's logs and those of libraries."""

import logging
import re
import sys
import time
from typing import TextIO

from research_crawler.core.errors import ResearchError
from research_crawler.core.text.plain_text import clean

SILENT_S, _REMEMBERED = 60.0, 1_000
"""How long a line is not repeated, and how many lines are remembered for that."""
_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
CHATTY = ("scrapy", "sentence_transformers", "transformers", "httpx", "httpcore", "alembic")
"""Libraries whose INFO lines are useful only for debugging."""


def configure_logging(level: str) -> None:
    """Log this level and above."""
    number = logging.getLevelNamesMapping()[level]
    handler = _CurrentStderr()
    handler.addFilter(_RepeatFilter())
    handler.setFormatter(_OneLine("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=number, handlers=[handler], force=True)
    for name in CHATTY if number > logging.DEBUG else ():
        logging.getLogger(name).setLevel(max(number, logging.WARNING))


class _CurrentStderr(logging.StreamHandler[TextIO]):
    """Writes to the current `sys.stderr`, because a live display replaces it to keep its lines apart."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]  # the base class keeps one for good
        """The current stderr."""
        return sys.stderr


class _RepeatFilter(logging.Filter):
    """Drops lines that were logged a moment ago: a loop that retries every second logs the same line."""

    def __init__(self) -> None:
        super().__init__()
        self._logged_s: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """False for a line that was logged within the last minute. Debug lines always pass."""
        line, now_s = (record.name, record.getMessage()), time.monotonic()
        if record.levelno <= logging.DEBUG or now_s - self._logged_s.get(line, -SILENT_S) >= SILENT_S:
            if len(self._logged_s) >= _REMEMBERED:
                self._logged_s.clear()
            self._logged_s[line] = now_s
            return True
        return False


class _OneLine(logging.Formatter):
    """Shows this project's own errors in one line, and a traceback only for unexpected ones.

    Log lines hold URLs and names from the web, so they are printed without characters that command a terminal, and a
    line break in them begins no line that looks like another event: what follows the first line is indented.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the base class's name
        """The text of an event, without its traceback."""
        return _BREAKS.sub(" ", super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        """The record as text."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, ResearchError):
            return _BREAKS.sub("\n  ", clean(super().format(record)))
        plain = logging.makeLogRecord({**record.__dict__, "exc_info": None, "exc_text": None})
        return clean(_BREAKS.sub(" ", f"{super().format(plain)}: {error}"))
