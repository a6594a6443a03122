"""A process that answers a job's question and works on the job until it rests, if it is not killed before.

`python -m tests.services.reviews.mortal TASK`: TASK is JSON with `redis`, `home`, `now_ms` and `answer` (the request;
null: there is only work to do). RESEARCH_FAILPOINT says where it is killed.
"""

import asyncio
import json
import sys
from pathlib import Path

from research_crawler.adapters.redis.connection import connect_url
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.core.config import load_core_config
from tests.services.reviews.world import ReviewWorld


async def main(task) -> None:
    redis, archive = connect_url(task["redis"]), SqlArchive(load_core_config(home=Path(task["home"])))
    world = ReviewWorld(redis, archive=archive, now_ms=task["now_ms"])
    if task["answer"]:
        await world.answer(**task["answer"])
    await world.until_quiet()
    await world.close()
    await archive.close()
    await redis.aclose()


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))
