"""One file per migration; alembic finds them by their names."""
