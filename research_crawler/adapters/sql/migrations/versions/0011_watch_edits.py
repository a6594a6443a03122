"""Creates the table of what persons have changed of their watches."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "watch_edits",
        sa.Column("watch", sa.String(12), primary_key=True),
        sa.Column("at_ms", sa.BigInteger, primary_key=True),
        sa.Column("edit", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("watch_edits")
