"""Batches of many questions, and typed columns."""
