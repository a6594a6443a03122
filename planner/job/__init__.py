"""A job: how it is made, what it knows from earlier jobs, its limits, its commands, and what edits it in a step."""
