"""Imported by the server process that parse workers are forked from: they start with everything loaded.

Reading one small page loads what the first page would wait for: language profiles, compiled rules.
"""

from research_crawler.extraction.process.worker import read_in_worker, read_products_in_worker

_SMALL_PAGE = (
    b"<!doctype html><title>A</title><p>One small page, read before the first real one comes in.</p>"
)

read_in_worker(_SMALL_PAGE, "https://example.com/", {}, 200)
read_products_in_worker(_SMALL_PAGE, "https://example.com/", {}, "{}")
