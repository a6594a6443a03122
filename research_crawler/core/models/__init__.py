"""What crosses process borders and what is kept: commands, events, pages, findings, jobs, reports."""
