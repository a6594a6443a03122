"""Reads the CSV of observations back, to compare it with what was written."""

import csv
import io
from datetime import datetime
from decimal import Decimal

from research_crawler.core.models.watches.watch import Observation
from research_crawler.text.writing.spreadsheet_cells import unguarded_cell


def read_csv(text: str) -> list[Observation]:
    """The observations that `as_csv` wrote."""
    rows = csv.DictReader(io.StringIO(text, newline=""))
    return [_observation({name: unguarded_cell(value) for name, value in row.items()}) for row in rows]


def _observation(row: dict[str, str]) -> Observation:
    at = datetime.fromisoformat(row.pop("at"))
    fields: dict[str, object] = dict(row)
    fields["at_ms"] = round(at.timestamp() * 1000)
    fields["price"] = Decimal(row["price"]) if row["price"] else None
    fields["confirmed"] = row["confirmed"] == "true"
    return Observation.model_validate(fields)
