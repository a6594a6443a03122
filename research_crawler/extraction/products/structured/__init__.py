"""Reads the products that a page declares: JSON-LD, microdata, Open Graph, the state of scripts."""
