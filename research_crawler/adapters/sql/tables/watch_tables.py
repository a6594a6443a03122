"""The archive's tables of watches. Prices are stored as text, which is exact in SQLite and PostgreSQL."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Table, Text, UniqueConstraint
from sqlalchemy.engine import RowMapping

from research_crawler.adapters.sql.tables.archive_tables import METADATA
from research_crawler.core.models.watches.watch import Observation, RunEntry, Watch, WatchEntry
from research_crawler.core.models.why import STORED

WATCHES = Table(
    "watches",
    METADATA,
    Column("id", String(12), primary_key=True),
    Column("state", String(10), nullable=False),
    Column("next_due_ms", BigInteger, index=True),
    Column("last_slot_ms", BigInteger, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("watch", Text, nullable=False),
)

WATCH_RUNS = Table(
    "watch_runs",
    METADATA,
    Column("id", String(12), primary_key=True),
    Column("watch", String(12), nullable=False),
    Column("slot_ms", BigInteger, nullable=False),
    Column("state", String(10), nullable=False, index=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("note", Text, nullable=False),
    Column("is_manual", Boolean, nullable=False),
    UniqueConstraint("watch", "slot_ms", name="uq_watch_runs_slot"),
)

ENDED = ("done", "failed")
HAS_ENDED = WATCH_RUNS.c.state.in_(ENDED)

WATCH_PRODUCTS = Table(
    "watch_products",
    METADATA,
    Column("watch", String(12), primary_key=True),
    Column("product", String(12), primary_key=True),
    Column("tracked", Text, nullable=False),
)

WATCH_EDITS = Table(
    "watch_edits",
    METADATA,
    Column("watch", String(12), primary_key=True),
    Column("at_ms", BigInteger, primary_key=True),
    Column("edit", Text, nullable=False),
)

OBSERVATIONS = Table(
    "observations",
    METADATA,
    Column("id", String(36), primary_key=True),
    Column("watch", String(12), nullable=False),
    Column("run", String(12), nullable=False, index=True),
    Column("product", String(12), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("state", String(20), nullable=False),
    Column("price", String(40)),
    Column("currency", String(8), nullable=False),
    Column("availability", String(20), nullable=False),
    Column("condition", String(20), nullable=False),
    Column("vendor", String(255), nullable=False),
    Column("name", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("page_sha", String(64), nullable=False, index=True),
    Column("look", Integer, nullable=False),
    Column("confirmed", Boolean, nullable=False),
    Column("proves", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
    Index("ix_observations_watch", "watch", "at_ms"),
)

WATCH_ALERTS = Table(
    "watch_alerts",
    METADATA,
    Column("key", String(36), primary_key=True),
    Column("watch", String(12), nullable=False, index=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("alert", Text, nullable=False),
)

WATCH_DELIVERIES = Table(
    "watch_deliveries",
    METADATA,
    Column("key", String(36), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("url", Text, nullable=False),
    Column("state", String(10), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_ms", BigInteger, nullable=False),
    Column("note", Text, nullable=False),
    Index("ix_watch_deliveries_due", "state", "next_ms"),
)

NOTICES = Table(
    "notices",
    METADATA,
    Column("key", String(64), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("job", String(12), nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("state", String(10), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_ms", BigInteger, nullable=False),
    Column("note", Text, nullable=False),
    Column("notice", Text, nullable=False),
    Index("ix_notices_due", "state", "next_ms"),
)
"""Notices of jobs that are over, which are delivered as alerts are."""


def entry_of(row: RowMapping) -> WatchEntry:
    """The watch in a row of `watches`."""
    return WatchEntry(
        watch=Watch.from_wire(row["watch"]),
        state=row["state"],
        last_slot_ms=row["last_slot_ms"],
        next_due_ms=row["next_due_ms"],
        revision=row["revision"],
    )


def run_of(row: Mapping[Any, Any]) -> RunEntry:
    """The run in a row of `watch_runs`."""
    return RunEntry(**row)


def observation_row(observation: Observation) -> dict[str, Any]:
    """The row of an observation, without NUL, which PostgreSQL cannot store in text."""
    row = observation.model_dump(context=STORED) | {
        "price": None if observation.price is None else f"{observation.price:f}"
    }
    return {
        name: value.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(value, str) else value
        for name, value in row.items()
    }


def observation_of(row: Mapping[str, Any]) -> Observation:
    """The observation in a row."""
    return Observation(**{**row, "price": None if row["price"] is None else Decimal(row["price"])})
