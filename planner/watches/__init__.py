"""Watches: scheduled runs, readings, confirmed changes and alerts."""
