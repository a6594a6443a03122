"""Adapters to external services and libraries, one SDK per file."""
