"""Batches for every interface: many questions of one form, a row each."""
