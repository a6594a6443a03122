"""Prices and currencies as pages write them."""
