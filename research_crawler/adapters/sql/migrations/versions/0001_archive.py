"""Creates the tables of pages, findings and finished jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of the first release."""
    op.create_table(
        "pages",
        sa.Column("sha", sa.String(64), primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("final_url", sa.Text, nullable=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("fetched_at", sa.String(40), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("page", sa.LargeBinary, nullable=False),
        sa.Column("raw", sa.LargeBinary),
    )
    op.create_index("ix_pages_url", "pages", ["url"])
    op.create_index("ix_pages_final_url", "pages", ["final_url"])
    op.create_index("ix_pages_host", "pages", ["host"])
    op.create_index("ix_pages_fetched_at", "pages", ["fetched_at"])
    op.create_table(
        "findings",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("command", sa.String(64), nullable=False),
        sa.Column("job", sa.String(12), nullable=False),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("claim", sa.Text, nullable=False),
        sa.Column("quote", sa.Text, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("end", sa.Integer, nullable=False),
        sa.Column("page_sha256", sa.String(64), nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("fetched_at", sa.String(40), nullable=False),
        sa.Column("published", sa.String(40), nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("vector", sa.LargeBinary),
    )
    op.create_index("ix_findings_command", "findings", ["command"])
    op.create_index("ix_findings_job", "findings", ["job"])
    op.create_index("ix_findings_page_sha256", "findings", ["page_sha256"])
    op.create_index("ix_findings_url", "findings", ["url"])
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("goal", sa.Text, nullable=False),
        sa.Column("created_at", sa.String(40), nullable=False),
        sa.Column("completed_at", sa.String(40), nullable=False),
        sa.Column("job", sa.LargeBinary, nullable=False),
        sa.Column("findings", sa.LargeBinary, nullable=False),
        sa.Column("report", sa.LargeBinary, nullable=False),
    )
    op.create_index("ix_jobs_completed_at", "jobs", ["completed_at"])


def downgrade() -> None:
    """Drop all tables."""
    for table in ("jobs", "findings", "pages"):
        op.drop_table(table)
