"""Watches of products, and the notices that they and jobs send."""
