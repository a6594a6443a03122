"""Brings a report to its length: what is cut, and what is said twice."""
