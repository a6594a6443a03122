"""Creates the tables of watches, their runs, products and observations, and of alerts and deliveries."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "watches",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("next_due_ms", sa.BigInteger),
        sa.Column("last_slot_ms", sa.BigInteger, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("watch", sa.Text, nullable=False),
    )
    op.create_index("ix_watches_next_due_ms", "watches", ["next_due_ms"])
    op.create_table(
        "watch_runs",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("watch", sa.String(12), nullable=False),
        sa.Column("slot_ms", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("is_manual", sa.Boolean, nullable=False),
        sa.UniqueConstraint("watch", "slot_ms", name="uq_watch_runs_slot"),
    )
    op.create_index("ix_watch_runs_state", "watch_runs", ["state"])
    op.create_table(
        "watch_products",
        sa.Column("watch", sa.String(12), primary_key=True),
        sa.Column("product", sa.String(12), primary_key=True),
        sa.Column("tracked", sa.Text, nullable=False),
    )
    _create_observations()
    _create_alerts()


def _create_observations() -> None:
    op.create_table(
        "observations",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("watch", sa.String(12), nullable=False),
        sa.Column("run", sa.String(12), nullable=False),
        sa.Column("product", sa.String(12), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("price", sa.String(40)),
        sa.Column("currency", sa.String(8), nullable=False),
        sa.Column("availability", sa.String(20), nullable=False),
        sa.Column("condition", sa.String(20), nullable=False),
        sa.Column("vendor", sa.String(255), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("page_sha", sa.String(64), nullable=False),
        sa.Column("look", sa.Integer, nullable=False),
        sa.Column("confirmed", sa.Boolean, nullable=False),
        sa.Column("proves", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
    op.create_index("ix_observations_watch", "observations", ["watch", "at_ms"])
    op.create_index("ix_observations_run", "observations", ["run"])
    op.create_index("ix_observations_page_sha", "observations", ["page_sha"])


def _create_alerts() -> None:
    op.create_table(
        "watch_alerts",
        sa.Column("key", sa.String(36), primary_key=True),
        sa.Column("watch", sa.String(12), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("alert", sa.Text, nullable=False),
    )
    op.create_index("ix_watch_alerts_watch", "watch_alerts", ["watch"])
    op.create_table(
        "watch_deliveries",
        sa.Column("key", sa.String(36), primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("next_ms", sa.BigInteger, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
    )
    op.create_index("ix_watch_deliveries_due", "watch_deliveries", ["state", "next_ms"])


def downgrade() -> None:
    """Drop the tables."""
    for table in (
        "watch_deliveries",
        "watch_alerts",
        "observations",
        "watch_products",
        "watch_runs",
        "watches",
    ):
        op.drop_table(table)
