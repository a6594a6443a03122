"""Typed values that a job is asked for, read from its pages and its evidence."""
