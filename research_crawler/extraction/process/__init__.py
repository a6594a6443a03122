"""Processes that parse pages, replaced when a page hangs or kills one."""
