"""Run by test_system: starts a runtime in a process of its own, because a process has only one reactor."""

import asyncio
import json
import sys
import time

from research_crawler import app
from research_crawler.configuration import load_system_config
from research_crawler.core.errors import NotStarted


async def fails_when_the_planner_starts():
    runtime = app.Runtime(load_system_config(), crawl=True, plan=True, warm=False)

    async def fail():
        begun.append(time.monotonic())
        raise NotStarted("no planner today")

    begun: list[float] = []
    runtime._start_planning = fail
    message = ""
    try:
        await runtime.open()
    except NotStarted as error:
        message = str(error)
    closed_s = time.monotonic() - begun[0]
    left = [repr(task) for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    return {
        "error": message,
        "closed_s": closed_s,
        "left": left,
        "redis": runtime.container.folder._embedded.is_running,
    }


async def opens_and_closes():
    async with app.running(load_system_config(), warm=False) as runtime:
        begun_s = time.monotonic()
        assert not runtime.resumed
    left = [repr(task) for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    return {"closed_s": time.monotonic() - begun_s, "left": left}


async def is_cancelled_while_it_opens(after_s):
    runtime = app.Runtime(load_system_config(), warm=False)
    opening = asyncio.create_task(runtime.open())
    await asyncio.sleep(after_s)
    opening.cancel()
    begun_s = time.monotonic()
    await asyncio.wait([opening])
    left = [repr(task) for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    if not opening.cancelled():
        await runtime.close()
    return {"closed_s": time.monotonic() - begun_s, "left": left if opening.cancelled() else []}


async def researches(goal):
    question = app.JobQuestion(goal=goal, topic="Coffee", context="a camping trip")
    report = await app.execute_research(question, config=load_system_config())
    return json.loads(report.model_dump_json())


if __name__ == "__main__":
    name, *arguments = sys.argv[1:]
    values = [json.loads(argument) for argument in arguments]
    sys.stdout.write(json.dumps(asyncio.run(globals()[name](*values))))
