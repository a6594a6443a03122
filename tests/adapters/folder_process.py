"""A process that opens a data folder, for tests: it counts up in Redis until its standard input is closed.

Prints one JSON line per event: {"owner": bool} after opening or taking over, {"count": n} per increment.
"""

import asyncio
import json
import sys
from pathlib import Path

from research_crawler.adapters.data_folder import DataFolder
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import ResearchError


def say(**what):
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


async def count(home: Path) -> None:
    folder = DataFolder(load_core_config(home=home))

    async def became_owner() -> None:
        say(owner=folder.owner)

    folder.on_owner(became_owner)
    await folder.open()
    say(owner=folder.owner)
    ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    while not ended.done():
        say(count=await folder.redis.incr("count"))
        await asyncio.sleep(0.02)
    await folder.close()


try:
    asyncio.run(count(Path(sys.argv[1])))
except ResearchError as error:
    say(error=str(error))
    sys.exit(1)
