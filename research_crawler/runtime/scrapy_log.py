"""Scrapy's log without a line per page: the job's timeline and the events say what happened."""

import logging
from typing import Any

from scrapy.logformatter import LogFormatter, LogFormatterResult


class QuietLogFormatter(LogFormatter):
    """LOG_FORMATTER of the nodes."""

    def crawled(self, *_: Any, **__: Any) -> LogFormatterResult | None:  # type: ignore[override]  # None skips the line
        """Not logged."""
        return None

    def scraped(self, *_: Any, **__: Any) -> LogFormatterResult | None:  # type: ignore[override]  # None skips the line
        """Not logged."""
        return None

    def dropped(self, *args: Any, **kwargs: Any) -> LogFormatterResult:
        """Only when debugging: a lost lease is nobody's fault."""
        return super().dropped(*args, **kwargs) | {"level": logging.DEBUG}

    def item_error(
        self, item: Any, exception: BaseException, response: Any, spider: Any
    ) -> LogFormatterResult:
        """By the command's id: a whole item would fill the screen."""
        args = {"item": getattr(getattr(item, "command", None), "id", type(item).__name__)}
        return {"level": logging.ERROR, "msg": "a pipeline failed on %(item)s", "args": args}

    def download_error(self, *args: Any, **kwargs: Any) -> LogFormatterResult:
        """Only when debugging: the failure becomes the command's event."""
        return super().download_error(*args, **kwargs) | {"level": logging.DEBUG}
