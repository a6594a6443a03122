"""Creates the table of values that a person has written into the table of a batch."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "batch_corrections",
        sa.Column("batch", sa.String(12), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("batch_corrections")
