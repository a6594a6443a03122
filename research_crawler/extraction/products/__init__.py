"""Reads the products of a page: what is sold, its price and its availability. No I/O."""
