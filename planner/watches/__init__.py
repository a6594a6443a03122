"""Watches: scheduled runs, readings of pages, confirmed changes and alerts."""
