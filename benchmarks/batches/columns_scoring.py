"""Compares the values of columns with what is true of the things of `columns_world`."""

import re
from datetime import datetime
from typing import Any, Final

_FORMATS: Final = (("%d %B %Y", "%Y-%m-%d"), ("%B %Y", "%Y-%m"), ("%Y", "%Y"))
STRICT_TYPES: Final = ("number", "money", "date", "url", "email")
"""The types whose share of right values has a target."""


def is_right(kind: str, truth: str | None, value: Any) -> bool:
    """Whether a value is the planted one; None where nothing was planted."""
    if truth is None or value is None:
        return truth is None and value is None
    match kind:
        case "number" | "money":
            return isinstance(value, int | float) and abs(value - _number(truth)) < 1e-6
        case "date":
            return bool(value == _iso(truth))
        case "yes_no":
            return value is (truth == "yes")
        case "text":
            return truth in str(value)
    return str(value).rstrip("/") == truth.rstrip("/")


def is_contained(kind: str, record: dict[str, Any]) -> bool:
    """Whether the quote of a value has it, as it is shown."""
    quote = " ".join(str(record["quote"]).replace("\\|", "|").split())  # as Markdown writes a bar in a cell
    shown = " ".join(str(record["shown"]).split())
    return bool(quote) and (shown in quote if shown else kind == "yes_no")


def _number(text: str) -> float:
    return float(re.sub(r"[^\d.]", "", text))


def _iso(text: str) -> str:
    for form, iso in _FORMATS:
        try:
            return f"{datetime.strptime(text, form):{iso}}"  # a day without a time
        except ValueError:
            continue
    raise ValueError(text)
