"""Models of everything that processes exchange or store: commands, events, pages, findings, jobs, reports."""
