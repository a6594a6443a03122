"""alembic's environment: it uses the connection and the transaction that the archive opened."""

from alembic import context

from research_crawler.adapters.sql.tables.archive_tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
