"""Creates the table of notices, which jobs send when they end or ask something."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table. Jobs from before tell nobody."""
    op.create_table(
        "notices",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("job", sa.String(12), nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("next_ms", sa.BigInteger, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("notice", sa.Text, nullable=False),
    )
    op.create_index("ix_notices_job", "notices", ["job"])
    op.create_index("ix_notices_due", "notices", ["state", "next_ms"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("notices")
