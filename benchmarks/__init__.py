"""Benchmarks.

Each prints its figures with a reference that is measured in the same run (docs/benchmarks.md).
"""
