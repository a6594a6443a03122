"""Keeps a `research up` running beside a process that only answers questions, where nobody else does the work.

Planning, crawling and reading load a processor and import for seconds. A process that must answer at once leaves them
to a second one, which ends with it.
"""

import asyncio
import contextlib
import subprocess

from redis.exceptions import RedisError

from research_crawler.adapters.redis.connection import answers
from research_crawler.adapters.redis.embedded import EmbeddedRedis
from research_crawler.adapters.redis.presence import PLANNER
from research_crawler.core.config import Config
from research_crawler.core.errors import ResearchError
from research_crawler.core.log import get_log
from research_crawler.core.python_child import python_command, python_environment
from research_crawler.runtime.runtime import Runtime

LOOK_AGAIN_S = 2.0
"""How often it looks whether somebody does the work."""
ASK_S = 3.0
"""A Redis that does not answer within this time has lost its owner."""
END_S = 25.0
"""How long a companion may take to end; a running system ends within 20 s."""
MOST_PAUSE_S = 60.0
"""Longest pause before `research up` is started once more after it ended."""
COMMAND = ("-m", "research_crawler.cli")

log = get_log(__name__)


class Companion:
    """Starts `research up` where no planner or no crawler runs, and again if it ends."""

    def __init__(self, config: Config, *options: str) -> None:
        """`options` stand before the name of the command, for example `--trust-folder`."""
        self._config, self._options = config, options
        self._process: subprocess.Popen[bytes] | None = None
        self._pause_s = LOOK_AGAIN_S
        self._is_missed = True

    @property
    def is_starting(self) -> bool:
        """Whether a companion was started and nobody does the work yet."""
        return self._is_missed and self._process is not None and self._process.poll() is None

    @property
    def fault(self) -> str:
        """Why there is no companion although one was started; "" if there is one, or none was needed."""
        code = self._process.poll() if self._process else None
        if code is None:
            return ""
        return f"`research up` ended with exit code {code}; run it in a terminal to see why"

    async def start_where_nobody_is(self) -> None:
        """Start at once where no Redis answers yet, so that the caller can connect to the companion's."""
        socket = None if self._config.redis_url else EmbeddedRedis(self._config.home / "redis").socket
        if not self._config.redis_url and not (socket and await answers(socket)):
            self._start()

    async def keep_work_done(self, runtime: Runtime) -> None:
        """Look for a planner and a crawler until cancelled, and start a companion where one is missing."""
        while True:
            if self._process is not None and self._process.poll() is not None:
                log.warning("the companion ended", reason=self.fault)
                await asyncio.sleep(self._pause_s)
                self._pause_s = min(2 * self._pause_s, MOST_PAUSE_S)
                self._process = None
            self._is_missed = await self._is_work_left(runtime)
            if not self._is_missed:
                self._pause_s = LOOK_AGAIN_S
            elif self._process is None:
                self._start()
            await asyncio.sleep(LOOK_AGAIN_S)

    async def close(self) -> None:
        """End the companion and wait for its end. If this call is cancelled, it ends by itself."""
        if self._process is None:
            return
        process, self._process = self._process, None
        if process.stdin:
            with contextlib.suppress(OSError):
                process.stdin.close()
        give_up_at = asyncio.get_running_loop().time() + END_S
        while process.poll() is None:
            if asyncio.get_running_loop().time() > give_up_at:
                process.kill()
            await asyncio.sleep(0.05)

    async def _is_work_left(self, runtime: Runtime) -> bool:
        """Whether nobody plans or nobody crawls; also if Redis cannot be asked, because its owner has ended."""
        try:
            async with asyncio.timeout(ASK_S):
                if not await runtime.container.presence.others(PLANNER):
                    return True
                return not (await runtime.container.frontier.counts(audit=False)).nodes
        except (RedisError, ResearchError, OSError, TimeoutError):
            return True

    def _start(self) -> None:
        """Start it in a session of its own, so that Ctrl-C does not reach it; its messages go to our stderr."""
        self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
            python_command(*COMMAND, *self._options, "up", "--until-eof"),
            stdin=subprocess.PIPE,
            stdout=2,
            env=python_environment(),
            start_new_session=True,
        )
