"""The command `research serve`, which answers over HTTP."""

from contextlib import closing

import click

from research_crawler.cli.options.option_values import WholeNumber
from research_crawler.cli.session import echo_err, run_session, settings

ADDRESS_OPTIONS = {
    "host": "Address to listen on. Default: RESEARCH_SERVE_HOST (127.0.0.1).",
    "port": "Port to listen on; 0: a free one. Default: RESEARCH_SERVE_PORT (8321).",
}


@click.command()
@click.option("--host", metavar="ADDRESS", help=ADDRESS_OPTIONS["host"])
@click.option("--port", type=WholeNumber(0, 65_535), help=ADDRESS_OPTIONS["port"])
def serve(*, host: str | None, port: int | None) -> None:
    """Answer over HTTP, until stopped: jobs, watches and prices for programs.

    It neither crawls nor plans: `research up` does, on the same data folder or the same REDIS_URL.
    `research up --serve` does all of it in one process.
    """
    config = settings(serve_host=host, serve_port=port)

    async def work() -> int:
        from research_crawler.interfaces.http.listening import Listening

        listening = Listening.prepared(config)
        from research_crawler.interfaces.http.http_server import serving, spare_collections
        from research_crawler.runtime.runtime import running

        with closing(listening.socket):
            async with (
                running(config, crawl=False, plan=False, may_own=False) as runtime,
                serving(runtime, listening) as server,
            ):
                echo_err(f"{listening.notice}; press Ctrl-C to stop")
                if listening.sign_in_line:
                    echo_err(listening.sign_in_line)
                spare_collections()
                await server.task
        return 0

    run_session(config, work)
