"""Pages that forbid archiving are found without being unpacked."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the mark; pages of the first release are not looked through, their age ends them."""
    op.add_column("pages", sa.Column("noarchive", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("ix_pages_noarchive", "pages", ["noarchive", "fetched_at"])


def downgrade() -> None:
    """Take the mark away."""
    op.drop_index("ix_pages_noarchive", "pages")
    op.drop_column("pages", "noarchive")
