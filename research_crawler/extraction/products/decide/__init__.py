"""Composes one product from all readings of a page: chooses the price and the fields."""
