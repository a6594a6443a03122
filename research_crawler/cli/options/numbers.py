"""Numbers as values of options, with errors in plain words: "'abc' is not a valid number."."""

import click


class Number(click.FloatRange):
    """A number within a range, such as an amount of money or seconds."""

    name = "number"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """What stands for the value in the help."""
        return "X"


class WholeNumber(click.IntRange):
    """A whole number within a range, such as a count."""

    name = "whole number"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """What stands for the value in the help."""
        return "N"
