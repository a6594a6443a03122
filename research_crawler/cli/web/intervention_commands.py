"""The commands `research interventions …`: walls that a person is asked to open, and the person's answers."""

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from research_crawler.cli.session import echo, echo_err, echo_json, run_connected, settings

if TYPE_CHECKING:
    from research_crawler.core.models.web.saved_sessions import StorageState
    from research_crawler.runtime.runtime import Runtime
    from research_crawler.services.interventions.intervention_answers import (
        InterventionAnswer,
        InterventionView,
    )

NEXT_LOOK_S = 2.0
"""How often open interventions are looked for while a command waits for one."""


@click.group()
def interventions() -> None:
    """Open CAPTCHAs, logins and consent walls for jobs that ask (`--on-blocker ask`).

    \b
    research run "…" --on-blocker ask
    research interventions list
    research interventions open ID
    """


@interventions.command("list")
@click.option("--open", "is_open", is_flag=True, help="Only those that wait for a person.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def list_interventions(*, is_open: bool, as_json: bool) -> None:
    """List what persons are asked, newest first; what ended stays for a day."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.interventions.intervention_answers import all_interventions

        found = await all_interventions(runtime, is_open=is_open)
        if as_json:
            echo_json(json.dumps([intervention.model_dump(mode="json") for intervention in found], indent=2))
            return 0
        for intervention in found:
            echo(_line(intervention))
        if not found:
            echo("nobody is asked anything")
        return 0

    run_connected(settings(), work)


@interventions.command()
@click.argument("intervention")
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the picture of the wall (JPEG) here.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def show(intervention: str, *, picture: Path | None, as_json: bool) -> None:
    """Show one intervention, by its id or the begin of it."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.interventions.intervention_answers import (
            picture_of,
            view_of_intervention,
        )

        view = await view_of_intervention(runtime, intervention)
        if as_json:
            echo_json(view.model_dump_json(indent=2))
        else:
            echo(_line(view))
            echo(f"  page   {view.url}")
            echo(f"  job    {view.task_id}; {_pages(view.pages_waiting, 'waits', 'wait')}")
            echo(f"  asked  {view.asked_at}, until {view.until}")
        if picture:
            await _write_picture(picture, await picture_of(runtime, intervention))
        return 0

    run_connected(settings(), work)


@interventions.command("open")
@click.argument("intervention", required=False)
@click.option(
    "--wait", "waits", is_flag=True, help="Open each wall that comes, one after the other, until stopped."
)
@click.option(
    "--remote-debugging",
    "remote_port",
    type=click.IntRange(1, 65_535),
    metavar="PORT",
    help="Without a window: the developer tools of another browser connect to this port of this machine.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def open_intervention(
    intervention: str | None, *, waits: bool, remote_port: int | None, as_json: bool
) -> None:
    """Open the page of INTERVENTION in a browser window; solve it there, and close the window.

    The session of the host is kept in the data folder, and the pages that waited are read with it. The window keeps to
    the address guard and to the pace of the host, as the crawler does.
    """
    if bool(intervention) == waits:
        raise click.UsageError("name an intervention, or say --wait")

    async def work(runtime: "Runtime") -> int:
        if waits:
            return await _open_all(runtime, remote_port or 0)
        from research_crawler.services.interventions.wall_opening import open_window

        answer = await open_window(
            runtime,
            intervention or "",
            remote_port=remote_port or 0,
            finished=_enter_pressed(),
            announce=echo_err,
        )
        _print(answer, as_json=as_json)
        return 0

    run_connected(settings(), work)


@interventions.command()
@click.argument("intervention")
@click.option(
    "--state",
    "file",
    type=click.File("r", encoding="utf-8"),
    help="Session in Playwright's form ({cookies, origins}), `-` for standard input: its part of the host is kept.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def done(intervention: str, *, file: TextIO | None, as_json: bool) -> None:
    """Say that the wall of INTERVENTION is open: its pages are read again, with the session if one is given."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.interventions.intervention_answers import end_intervention

        answer = await end_intervention(runtime, intervention, state=_state_of(file))
        _print(answer, as_json=as_json)
        return 0

    run_connected(settings(), work)


@interventions.command()
@click.argument("intervention")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def cancel(intervention: str, *, as_json: bool) -> None:
    """Say that nobody will open the wall: its pages end as blocked."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.interventions.intervention_answers import end_intervention

        _print(await end_intervention(runtime, intervention, cancel=True), as_json=as_json)
        return 0

    run_connected(settings(), work)


async def _open_all(runtime: "Runtime", remote_port: int) -> int:
    from research_crawler.core.errors import InterventionOver
    from research_crawler.services.interventions.intervention_answers import all_interventions
    from research_crawler.services.interventions.wall_opening import open_window

    echo_err("waiting for walls; Ctrl-C stops")
    while True:
        found = await all_interventions(runtime, is_open=True)
        if not found:
            await asyncio.sleep(NEXT_LOOK_S)
            continue
        try:
            answer = await open_window(runtime, found[-1].id, remote_port=remote_port, announce=echo_err)
        except InterventionOver as error:
            echo_err(str(error))
        else:
            _print(answer, as_json=False)


def _enter_pressed() -> asyncio.Event | None:
    """Set when the user presses Enter; None if nobody can."""
    if not (sys.stdin and sys.stdin.isatty()):
        return None
    pressed = asyncio.Event()
    loop = asyncio.get_running_loop()

    def read() -> None:
        sys.stdin.readline()
        loop.remove_reader(sys.stdin)
        pressed.set()

    loop.add_reader(sys.stdin, read)
    return pressed


def _state_of(file: TextIO | None) -> "StorageState | None":
    from research_crawler.core.models.web.saved_sessions import MAX_STATE_BYTES, read_session

    return read_session(file.read(MAX_STATE_BYTES + 1)) if file else None


async def _write_picture(path: Path, picture: bytes) -> None:
    if not picture:
        echo_err("there is no picture: the crawler that met the wall has no browser")
        return
    await asyncio.to_thread(path.write_bytes, picture)


def _line(view: "InterventionView") -> str:
    rest = f"{view.seconds_left / 60:.0f} min left" if view.state == "open" else view.state
    kind = view.kind.replace("_", " ")
    return f"{view.id}  {view.host}  {kind}{f' {view.detail}' if view.detail else ''}  {rest}"


def _print(answer: "InterventionAnswer", *, as_json: bool) -> None:
    if as_json:
        echo_json(answer.model_dump_json(indent=2))
        return
    goes_on = ("goes on", "go on") if answer.state == "done" else ("ends as blocked", "end as blocked")
    echo(f"{answer.id} {answer.state}: {_pages(answer.pages, *goes_on)}")


def _pages(count: int, one: str, several: str) -> str:
    return f"1 page {one}" if count == 1 else f"{count} pages {several}"
