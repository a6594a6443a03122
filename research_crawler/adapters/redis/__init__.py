"""Redis: the embedded server, its connection, jobs, budgets and the outbox."""
