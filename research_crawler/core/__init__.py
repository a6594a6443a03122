"""Values, rules and interfaces that every other package builds on; imports pydantic and nothing of ours."""
