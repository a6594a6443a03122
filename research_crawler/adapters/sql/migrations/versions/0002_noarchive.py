"""Adds the column `noarchive`, so that pages that forbid archiving are found without decompressing them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Existing pages are not marked; they are deleted when they are too old."""
    op.add_column("pages", sa.Column("noarchive", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("ix_pages_noarchive", "pages", ["noarchive", "fetched_at"])


def downgrade() -> None:
    """Drop the column."""
    op.drop_index("ix_pages_noarchive", "pages")
    op.drop_column("pages", "noarchive")
