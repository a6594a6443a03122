"""Amounts in goals and findings, exchange rates, and the market a job buys in."""
