"""The commands around the terminal: `research open`, which shows a report in the browser, and `research completion`."""

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from research_crawler.cli.exit_codes import BAD_USAGE
from research_crawler.cli.session import echo, echo_err, fail, run_session, settings, write

COMPLETE_VARIABLE = "_RESEARCH_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


@click.command("open")
@click.argument("job")
@click.option("--print", "only_print", is_flag=True, help="Only print the address of the page.")
def open_report(job: str, *, only_print: bool) -> None:
    """Show the report of JOB in the browser: one page, where a citation shows its quotes."""
    config = settings()

    async def work() -> int:
        import asyncio
        import webbrowser

        from research_crawler.runtime.runtime import running
        from research_crawler.services.exports.formats import EXPORT_FORMATS
        from research_crawler.services.exports.saving import SaveName, save_report

        async with running(config, crawl=False, plan=False) as runtime:
            path = await save_report(runtime, job, SaveName(Path("report.html"), EXPORT_FORMATS["html"]))
        if only_print or not await asyncio.to_thread(webbrowser.open, path.as_uri()):
            echo(path.as_uri())
            if not only_print:
                echo_err("there is no browser here that can be opened; the report is at this address")
        return 0

    run_session(config, work)


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False)
def completion(shell: str | None) -> None:
    """Print what completes commands and options in SHELL (bash, zsh or fish; default: yours).

    \b
    eval "$(research completion bash)"              in ~/.bashrc
    eval "$(research completion zsh)"               in ~/.zshrc
    research completion fish | source               in ~/.config/fish/config.fish
    """
    name = shell or Path(os.environ.get("SHELL", "")).name
    kind = get_completion_class(name) if name in SHELLS else None
    if kind is None:
        fail(f"name your shell: research completion {'|'.join(SHELLS)}", code=BAD_USAGE)
    root = click.get_current_context().find_root().command
    write(kind(root, {}, "research", COMPLETE_VARIABLE).source())
