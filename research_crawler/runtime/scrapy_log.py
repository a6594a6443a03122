"""Keeps Scrapy from logging a line per page: the job's timeline and the events already say what happened."""

import logging
from typing import Any

from scrapy.logformatter import LogFormatter, LogFormatterResult


class QuietLogFormatter(LogFormatter):
    """The LOG_FORMATTER of crawler nodes."""

    def crawled(self, *_: Any, **__: Any) -> LogFormatterResult | None:  # type: ignore[override]  # None skips the line
        """Not logged."""
        return None

    def scraped(self, *_: Any, **__: Any) -> LogFormatterResult | None:  # type: ignore[override]  # None skips the line
        """Not logged."""
        return None

    def dropped(self, *args: Any, **kwargs: Any) -> LogFormatterResult:
        """Logged at debug level: an item is dropped when its lease is lost, which is no error."""
        return super().dropped(*args, **kwargs) | {"level": logging.DEBUG}

    def item_error(
        self, item: Any, exception: BaseException, response: Any, spider: Any
    ) -> LogFormatterResult:
        """Logged with the command's id, because a whole item would fill the screen."""
        args = {"item": getattr(getattr(item, "command", None), "id", type(item).__name__)}
        return {"level": logging.ERROR, "msg": "a pipeline failed on %(item)s", "args": args}

    def download_error(self, *args: Any, **kwargs: Any) -> LogFormatterResult:
        """Logged at debug level: the failure is stored in the command's event."""
        return super().download_error(*args, **kwargs) | {"level": logging.DEBUG}
