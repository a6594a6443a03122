"""Runs one batch in this process, from its submission or resumption to its table of results."""

import asyncio
import json
import sys
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from research_crawler.cli.exit_codes import BAD_USAGE, FAILED
from research_crawler.cli.session import echo, echo_err, echo_json
from research_crawler.cli.views.batch_progress import BatchDisplay
from research_crawler.cli.views.batch_view import counts_of, entry_json, print_batch

if TYPE_CHECKING:
    from research_crawler.core.config import Config
    from research_crawler.core.models.jobs.batches import Batch, BatchEntry
    from research_crawler.runtime.runtime import Runtime
    from research_crawler.services.batches.batch_requests import BatchRequest


@dataclass
class BatchSession:
    """Starts crawler, planner and feeder for one batch, and follows it."""

    config: "Config"
    display: BatchDisplay
    as_json: bool = False

    async def start(self, request: "BatchRequest", *, is_detached: bool, is_agreed: bool) -> int:
        """Tell what a batch takes, add it, wait for its end unless it is detached, and return the exit code."""
        from research_crawler.services.batches.batch_control import add_batch
        from research_crawler.services.batches.batch_requests import checked_batch

        async with AsyncExitStack() as stack:
            runtime = await self._open_runtime(stack, is_client=is_detached)
            checked = checked_batch(runtime.config, request)
            if not is_agreed and not await self._is_wanted(runtime, checked.batch):
                return BAD_USAGE
            entry = await add_batch(runtime, checked)
            if is_detached:
                return await self._tell_detached(runtime, entry)
            return await self._follow(runtime, entry)

    async def resume(self, name: str) -> int:
        """Resume a batch, wait for its end, and return the exit code."""
        from research_crawler.runtime.runtime import connected
        from research_crawler.services.batches.batch_control import find_batch, resume_batch

        async with connected(self.config) as client:  # an unknown id ends it before all else
            entry = await find_batch(client, name)
        async with AsyncExitStack() as stack:
            runtime = await self._open_runtime(stack, is_client=False)
            await resume_batch(runtime, entry)
            return await self._follow(runtime, entry)

    async def _is_wanted(self, runtime: "Runtime", batch: "Batch") -> bool:
        """Tell what the batch is likely to take, and ask if it costs money or takes long."""
        from research_crawler.services.batches.estimate import LONG_H, estimate, estimate_text

        found = await estimate(runtime, batch)
        if self.display.shown or found.costs_money:
            echo_err(f"estimate: {estimate_text(found)}")
        can_ask = sys.stdin is not None and sys.stdin.isatty()
        if found.costs_money and not can_ask:
            echo_err("it costs money and nobody can be asked; start it with --yes")
            return False
        is_large = found.costs_money or found.usd is None or found.hours > LONG_H
        return not (can_ask and is_large) or await asyncio.to_thread(click.confirm, "start it?", err=True)

    async def _open_runtime(self, stack: AsyncExitStack, *, is_client: bool) -> "Runtime":
        from research_crawler.runtime.model_endpoint import check_endpoint
        from research_crawler.runtime.runtime import connected, running

        config = await check_endpoint(self.config)
        if is_client:
            return await stack.enter_async_context(connected(config))
        return await stack.enter_async_context(running(config, announce=self.display.say))

    async def _tell_detached(self, runtime: "Runtime", entry: "BatchEntry") -> int:
        from research_crawler.cli.hints import start_hint
        from research_crawler.services.jobs.job_lifecycle import missing_process

        if self.as_json:
            echo_json(json.dumps(entry_json(entry), indent=2, ensure_ascii=False))
        else:
            echo(entry.batch.id)
        if missing := await missing_process(runtime):
            echo_err(start_hint(missing))
        return 0

    async def _follow(self, runtime: "Runtime", entry: "BatchEntry") -> int:
        from research_crawler.services.batches.batch_control import every_row, follow_batch
        from research_crawler.services.batches.result_tables import save_tables

        batch = entry.batch
        runtime.feed_batches(batch.id)
        try:
            with self.display:
                async for state in follow_batch(runtime, batch.id):
                    self.display.show(state)
                    entry = state
        except BaseException:
            await self._tell_how_to_resume(runtime, batch.id)
            raise
        folder, home = Path(batch.folder), runtime.config.home
        saved = await save_tables(batch, lambda: every_row(runtime, batch.id), folder, home=home)
        if self.as_json:
            echo_json(json.dumps(entry_json(entry), indent=2, ensure_ascii=False))
        elif sys.stdout.isatty():
            print_batch(entry, [])
        else:
            echo(saved[0].read_text(encoding="utf-8").rstrip("\n"))
        echo_err(f"the results are in {batch.folder} ({', '.join(path.name for path in saved)})")
        return self._exit_code(entry)

    @staticmethod
    def _exit_code(entry: "BatchEntry") -> int:
        """0 if every row has ended as it should; else 1, with the line that says how to go on."""
        failed = entry.counts.get("failed", 0)
        if entry.state == "completed" and not failed:
            return 0
        if entry.reason:
            echo_err(f"batch {entry.batch.id} was stopped: {entry.reason}")
        what = f"{failed} of {entry.batch.rows} rows failed" if failed else f"the batch is {entry.state}"
        echo_err(f"{what}; try these rows again with: research batch resume {entry.batch.id}")
        return FAILED

    async def _tell_how_to_resume(self, runtime: "Runtime", batch: str) -> None:
        from research_crawler.services.batches.batch_control import find_batch
        from research_crawler.services.jobs.job_lifecycle import planner_runs

        with suppress(Exception):  # The user must see the original error, not one from here.
            entry = await find_batch(runtime, batch)
            if entry.state != "running":
                return
            if await planner_runs(runtime):
                echo_err(f"batch {batch} goes on in another process; see: research batch status {batch}")
            else:
                ended = f"{entry.ended_rows} of {entry.batch.rows} rows have ended ({counts_of(entry)})"
                echo_err(f"{ended}; go on with: research batch resume {batch}")
