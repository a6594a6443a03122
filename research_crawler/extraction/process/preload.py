"""Imported by the server process that parse workers are forked from, so that they start with all code loaded.

Reading one small page loads the language profiles and compiles the rules, so that no real page waits for
them.
"""

from multiprocessing import spawn

from research_crawler.extraction.process.worker import (
    read_in_worker,
    read_products_in_worker,
    split_in_worker,
)

_SMALL_PAGE = (
    b"<!doctype html><title>A</title><p>One small page, read before the first real one comes in.</p>"
)


def _leave_main(main: str) -> None:
    """Instead of importing the parent's main module: workers need none of it."""


# Each worker would import the main module of the process that started it, and so run a script without a
# `__main__` guard once more: its job again, with workers of its own.
spawn._fixup_main_from_path = spawn._fixup_main_from_name = _leave_main  # type: ignore[attr-defined]  # private

read_in_worker(_SMALL_PAGE, "https://example.com/", {}, 200)
split_in_worker("A small page.")
read_products_in_worker(_SMALL_PAGE, "https://example.com/", {}, "{}")
