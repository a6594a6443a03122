"""Adds what persons have rejected: the ids of retracted findings, and a mark in the rows of those that are indexed."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the column. No finding was retracted before."""
    op.create_table(
        "retractions",
        sa.Column("finding", sa.String(36), primary_key=True),
        sa.Column("job", sa.String(12), nullable=False, index=True),
    )
    op.add_column("findings", sa.Column("retracted", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Drop the column and the table."""
    op.drop_column("findings", "retracted")
    op.drop_table("retractions")
