"""Adds what the memory shows of a finding, and the events of jobs, by which they are replayed."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the table. Earlier findings have no headings there, and earlier jobs no events."""
    op.add_column("findings", sa.Column("heading", sa.Text, nullable=False, server_default=""))
    op.add_column("findings", sa.Column("page_number", sa.Integer))
    op.add_column("findings", sa.Column("is_snippet", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "recorded_events",
        sa.Column("command", sa.String(64), primary_key=True),
        sa.Column("job", sa.String(12), nullable=False, index=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("event", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Drop the table and the columns."""
    op.drop_table("recorded_events")
    for name in ("heading", "page_number", "is_snippet"):
        op.drop_column("findings", name)
