"""Numbers and days as values of options, with errors in plain words: "'abc' is not a valid number."."""

import math
from datetime import datetime
from typing import Any

import click


class Number(click.FloatRange):
    """A number within a range, such as an amount of money or seconds."""

    name = "number"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """What stands for the value in the help."""
        return "X"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; `nan` and `inf` are none, because nothing is above the one and below the other."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a valid number.", param, ctx)
        return number


class WholeNumber(click.IntRange):
    """A whole number within a range, such as a count."""

    name = "whole number"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """What stands for the value in the help."""
        return "N"


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
