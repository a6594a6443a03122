"""Adds what findings are about where their quotes say "it"."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Earlier findings name no subject there."""
    op.add_column("findings", sa.Column("subject", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("findings", "subject")
