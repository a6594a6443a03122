"""The option --plain of commands that show more on a terminal than in a log."""

import click

plain_option = click.option(
    "--plain",
    is_flag=True,
    help="One line a step and the report as Markdown, as where the output is no terminal: for logs and screen readers.",
)
