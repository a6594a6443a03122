"""Creates the table of jobs that were acknowledged and are not over."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table. Jobs that are under way now are in Redis only, as before."""
    op.create_table(
        "open_jobs",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("created_at", sa.String(40), nullable=False),
        sa.Column("job", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("open_jobs")
