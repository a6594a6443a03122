"""Creates the tables of batches and their rows."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "batches",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("batch", sa.Text, nullable=False),
    )
    op.create_index("ix_batches_state", "batches", ["state"])
    op.create_table(
        "batch_rows",
        sa.Column("batch", sa.String(12), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("fields", sa.Text, nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("job", sa.String(12), nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("cause", sa.Text, nullable=False),
        sa.Column("tokens", sa.BigInteger, nullable=False),
        sa.Column("usd", sa.Float, nullable=False),
        sa.Column("pages", sa.Integer, nullable=False),
        sa.Column("pages_fetched", sa.Integer, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
    )
    op.create_index("ix_batch_rows_state", "batch_rows", ["batch", "state", "n"])
    op.create_index("ix_batch_rows_job", "batch_rows", ["job"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("batch_rows")
    op.drop_table("batches")
