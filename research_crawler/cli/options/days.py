"""A day as the value of an option, with errors in plain words."""

from datetime import datetime

import click


class Day(click.ParamType[datetime]):
    """A day such as 2024-05-17, as midnight of it."""

    name = "day"

    def convert(
        self, value: str | datetime, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """The day that is written as year, month and day."""
        if isinstance(value, datetime):
            return value
        try:
            return datetime.strptime(value, "%Y-%m-%d")
        except ValueError:
            self.fail(f"{value!r} is not a day; write it as 2024-05-17", param, ctx)
