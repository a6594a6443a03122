"""How alembic reaches the archive: over the connection that the archive opened, in its transaction."""

from alembic import context

from research_crawler.adapters.sql.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
