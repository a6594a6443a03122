"""The loggers of this project: those of the standard library, whose lines name values.

`log.warning("redis does not answer", command="j1:2")` logs `redis does not answer (command=j1:2)`. It does what we used
structlog for, which imports rich, pygments and a part of Twisted: 65 ms at the start of every command.
"""

import logging
from collections.abc import MutableMapping
from typing import Any

_OF_LOGGING = ("exc_info", "stack_info", "stacklevel", "extra")
"""Arguments that the standard library's loggers understand themselves."""


class Log(logging.LoggerAdapter[logging.Logger]):
    """A logger that takes values by name and writes them behind the text."""

    def process(self, msg: object, kwargs: MutableMapping[str, Any]) -> tuple[str, MutableMapping[str, Any]]:
        """The line of a text and its values. Only called for levels that are logged."""
        values = ", ".join(f"{name}={value}" for name, value in kwargs.items() if name not in _OF_LOGGING)
        text = f"{msg} ({values})" if values else str(msg)
        return text, {name: kwargs[name] for name in _OF_LOGGING if name in kwargs}


def get_log(name: str) -> Log:
    """The logger of a module; `name` is its `__name__`."""
    return Log(logging.getLogger(name))
