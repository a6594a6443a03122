"""Keep the entries of a model's answer that are complete."""

from typing import Any


def complete_entries(value: Any, *needed: str) -> Any:
    """The entries that have all needed keys; an answer that is cut off within an entry loses only that one."""
    if not isinstance(value, list):
        return [] if value is None else value
    return [
        entry
        for entry in value
        if isinstance(entry, dict) and all(entry.get(key) not in (None, "") for key in needed)
    ]
