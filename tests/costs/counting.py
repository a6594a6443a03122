"""`python counting.py FILE …`: runs the command `research` in this process, and writes into FILE what the run cost.

It counts in the main process and looks at the clock nowhere, so that a loaded machine gives the same counts. What a
thread or the loop does again and again while it waits (beats, looks for jobs) is left out.
"""

import functools
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

from research_crawler.adapters.models.embedder import SentenceEmbedder
from research_crawler.adapters.models.openai_chat import OpenAIChat
from research_crawler.adapters.sql.tables import archive_tables as tables
from research_crawler.cli.main import main
from research_crawler.extraction.process.pool import ParsePool
from research_crawler.frontier.scripts import ScriptPipe
from research_crawler.text.languages import words

OF_A_JOB = ("submit", "push", "permit", "download_ended", "stored", "settle", "commit", "reserve", "spend")
"""Scripts that run because of what a job does, each once for a step of it."""
BEHIND = "research_crawler/background/"
COUNTS: Counter[str] = Counter()
_SEEN: set[str] = set()


def _is_behind() -> bool:
    """Whether a loop behind the jobs made this call."""
    frame = sys._getframe(2)
    while frame is not None:
        if BEHIND in frame.f_code.co_filename:
            return True
        frame = frame.f_back  # type: ignore[assignment]  # None at the end
    return False


def count() -> None:
    """Count from now on."""
    embed, run, call = SentenceEmbedder.embed, ParsePool._run, ScriptPipe.call
    complete, compress = OpenAIChat.complete, tables.compress

    @functools.wraps(embed)
    async def counted_embed(self: Any, texts: Any) -> Any:
        if not _is_behind():
            COUNTS["texts embedded"] += len(texts)
            COUNTS["texts embedded again"] += sum(text in _SEEN for text in texts)
            COUNTS["tokens embedded"] += sum(self.count_tokens_many(list(texts)))
            _SEEN.update(texts)
        return await embed(self, texts)

    @functools.wraps(run)
    async def counted_run(self: Any, work: Any, *arguments: Any) -> Any:
        COUNTS["parse calls"] += 1
        COUNTS[f"parse calls: {work.__name__}"] += 1
        return await run(self, work, *arguments)

    @functools.wraps(call)
    def counted_call(self: Any, name: str, *arguments: Any) -> Any:
        if name in OF_A_JOB:
            COUNTS["scripts in Redis"] += 1
            COUNTS["bytes to Redis"] += sum(len(str(one).encode()) for one in arguments)
        return call(self, name, *arguments)

    @functools.wraps(complete)
    async def counted_complete(self: Any, **asked: Any) -> Any:
        if asked["max_tokens"] > 1:  # the first call at the start of a process asks for one
            COUNTS["model calls"] += 1
            COUNTS["characters of prompts"] += len(asked["system"]) + len(asked["user"])
        return await complete(self, **asked)

    @functools.wraps(compress)
    def counted_compress(data: bytes) -> bytes:
        packed = compress(data)
        COUNTS["bytes to the archive"] += len(packed)
        return packed

    SentenceEmbedder.embed = counted_embed  # type: ignore[method-assign]  # that is what counting needs
    ParsePool._run = counted_run  # type: ignore[method-assign]
    ScriptPipe.call = counted_call  # type: ignore[method-assign]
    OpenAIChat.complete = counted_complete  # type: ignore[method-assign]
    tables.compress = counted_compress


def write(path: Path) -> None:
    """Write what was counted."""
    known = words._terms.cache_info()
    COUNTS["texts tokenised"] = known.misses
    COUNTS["texts tokenised again"] = known.misses - known.currsize
    path.write_text(json.dumps(COUNTS))


def _exit_with(path: Path) -> None:
    """Write the counts where the command ends: it leaves the process without Python's own end."""
    leave = os._exit

    def left(code: int) -> NoReturn:
        write(path)
        leave(code)

    os._exit = left


if __name__ == "__main__":
    count()
    _exit_with(Path(sys.argv[1]))
    main(sys.argv[2:])
