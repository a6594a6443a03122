"""Prices in running text, exchange rates, and the vendors and rates that phase 2 works with."""
