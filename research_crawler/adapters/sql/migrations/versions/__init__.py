"""One file a step; alembic finds them by their names."""
