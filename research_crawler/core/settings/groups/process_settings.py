"""Settings: how much the processes do at once."""

from typing import Literal

from pydantic import Field

from research_crawler.core.settings.groups.group import (
    SettingsGroup,
    unprefixed,
)


class ProcessSettings(SettingsGroup):
    """How much the processes do at once."""

    node_leases: int = Field(64, ge=1, le=1000)
    """Maximum number of commands that one crawler node works on at once."""
    host_permits: int = Field(8, ge=1)
    """Maximum number of concurrent downloads from a host that needs no delay."""
    max_active_jobs: int = Field(200, ge=1)
    """Maximum number of jobs that run at once; the others stay pending."""
    batch_places: int = Field(16, ge=1, le=1_000)
    """Maximum number of rows of batches that run at once, over all batches; the others wait in the archive."""
    parse_processes: int = Field(0, ge=0)
    """Number of processes that parse pages; 0: one per core, at most 4."""
    parse_memory_mb: int = Field(1_500, ge=200)  # told again as MEMORY_MB in extraction/process/pool.py
    """Most memory, in megabytes, that a process may use for reading one page, above what it needs at its start."""
    download_timeout_seconds: float = Field(30.0, gt=0, le=30)
    """Longest time for downloading one page."""
    download_max_bytes: int = Field(10_000_000, gt=0)
    """Larger pages are refused."""
    playwright_timeout_ms: int = unprefixed(30_000, "PLAYWRIGHT_TIMEOUT_MS", gt=0)
    """Longest time for a navigation of the browser."""
    browser_headless: bool = unprefixed(True, "BROWSER_HEADLESS")
    """Whether the browser runs without a window."""
    browser: str = ""
    """Browser program, or `off`; empty: Playwright's own Chromium, else the system's."""
    browser_pages: int = Field(4, ge=1, le=64)
    """Maximum number of pages that one node renders at once."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"
    """Level of the log on stderr."""
