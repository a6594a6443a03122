"""The archive's tables of batches. Rows wait here, not in Redis, so that memory does not grow with their number."""

import json
from typing import Any

from sqlalchemy import BigInteger, Column, Float, Index, Integer, String, Table, Text
from sqlalchemy.engine import RowMapping

from research_crawler.adapters.sql.tables.archive_tables import METADATA
from research_crawler.core.models.jobs.batches import BatchRow, RowResult

BATCHES = Table(
    "batches",
    METADATA,
    Column("id", String(12), primary_key=True),
    Column("name", Text, nullable=False),
    Column("state", String(10), nullable=False, index=True),
    Column("reason", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("batch", Text, nullable=False),
)

BATCH_ROWS = Table(
    "batch_rows",
    METADATA,
    Column("batch", String(12), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("fields", Text, nullable=False),
    Column("state", String(12), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("job", String(12), nullable=False, index=True),
    Column("ended_ms", BigInteger, nullable=False),
    Column("cause", Text, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("usd", Float, nullable=False),
    Column("pages", Integer, nullable=False),
    Column("pages_fetched", Integer, nullable=False),
    Column("result", Text, nullable=False),
    Index("ix_batch_rows_state", "batch", "state", "n"),
)

BATCH_CORRECTIONS = Table(
    "batch_corrections",
    METADATA,
    Column("batch", String(12), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("name", String(200), primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("value", Text, nullable=False),
)
"""What persons wrote into cells. It stands beside the results, so that no later attempt of a row overwrites it."""

NOT_ENDED = {
    "ended_ms": 0,
    "cause": "",
    "tokens": 0,
    "usd": 0.0,
    "pages": 0,
    "pages_fetched": 0,
    "result": "{}",
}
"""The columns of a row that has no result."""


def row_of(row: RowMapping) -> BatchRow:
    """The row of a batch in a row of `batch_rows`."""
    return BatchRow(
        batch=row["batch"],
        n=row["n"],
        fields=json.loads(row["fields"]),
        state=row["state"],
        attempt=row["attempt"],
        ended_ms=row["ended_ms"],
        result=RowResult.model_validate_json(row["result"]),
    )


def storable_text(text: str) -> str:
    """A text without NUL, which PostgreSQL cannot store; in JSON it is an escape sequence."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").replace("\\u0000", "\\ufffd")


def new_row(batch: str, n: int, fields: dict[str, str]) -> dict[str, Any]:
    """The columns of a row that waits."""
    return {
        "batch": batch,
        "n": n,
        "fields": storable_text(json.dumps(fields, ensure_ascii=False)),
        "state": "waiting",
        "attempt": 0,
        "job": "",
        **NOT_ENDED,
    }
