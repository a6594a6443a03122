"""Reads the CSV of observations back, to compare it with what was written."""

import csv
import io
import re
from datetime import datetime
from decimal import Decimal

from research_crawler.core.models.watches.watch import Observation


def read_csv(text: str) -> list[Observation]:
    """The observations that `as_csv` wrote."""
    rows = csv.DictReader(io.StringIO(text, newline=""))
    return [_observation({name: _unguarded(value) for name, value in row.items()}) for row in rows]


def _unguarded(cell: str) -> str:
    """The text of a cell that `guarded_cell` made."""
    pieces = re.split(r"([;\t\r\n]+)", cell)
    return "".join(piece if at % 2 else piece.removeprefix("'") for at, piece in enumerate(pieces))


def _observation(row: dict[str, str]) -> Observation:
    at = datetime.fromisoformat(row.pop("at"))
    fields: dict[str, object] = dict(row)
    fields["at_ms"] = round(at.timestamp() * 1000)
    fields["price"] = Decimal(row["price"]) if row["price"] else None
    fields["confirmed"] = row["confirmed"] == "true"
    return Observation.model_validate(fields)
