"""Failpoints: places where a test can kill the process, by `RESEARCH_FAILPOINT=<name>:<nth>`."""

import os
import signal
from collections import Counter
from functools import cache

from research_crawler.core.errors import ConfigError

VARIABLE = "RESEARCH_FAILPOINT"
FAILPOINTS: frozenset[str] = frozenset(
    {
        "after-lease",
        "after-permit",
        "after-bytes",
        "after-page-write",
        "after-stored",
        "after-model-answer",
        "before-settle",
        "after-settle",
        "before-index",
        "mid-index",
        "after-take",
        "after-model-call",
        "before-commit",
        "after-commit",
        "after-fire",
        "after-reserve",
    }
)

_reached: Counter[str] = Counter()


def failpoint(name: str) -> None:
    """Kill the process (SIGKILL) if the environment names this failpoint and it is reached for the nth time.

    Raises:
        ConfigError: the variable is malformed, or names an unknown failpoint.
    """
    setting = os.environ.get(VARIABLE)
    if not setting:
        return
    wanted, nth = _parse(setting)
    _reached[name] += 1
    if name == wanted and _reached[name] == nth:
        os.kill(os.getpid(), signal.SIGKILL)


@cache
def _parse(setting: str) -> tuple[str, int]:
    name, _, nth = setting.partition(":")
    if name not in FAILPOINTS:
        raise ConfigError(
            f"{VARIABLE}: there is no failpoint {name!r}; known: {', '.join(sorted(FAILPOINTS))}"
        )
    if not (nth or "1").isdigit() or int(nth or "1") < 1:
        raise ConfigError(
            f"{VARIABLE}: {nth!r} is not a count; write {name}:1 for the first time it is reached"
        )
    return name, int(nth or "1")
