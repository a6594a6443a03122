"""The browser for tests: the real one, or a skip that is a failure in CI."""

import os

import pytest

from research_crawler.adapters.browser_program import HOW_TO_GET, BrowserProgram, find_browser
from research_crawler.core.config import load_core_config


def real_browser() -> BrowserProgram:
    """The browser of this machine."""
    browser = find_browser(load_core_config())
    if browser is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no browser: {HOW_TO_GET}")
    return browser
