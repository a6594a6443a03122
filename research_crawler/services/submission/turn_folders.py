"""A caller's own folder for a job (`turn_dir_path`): context.md is read there, the documents are written there."""

import os
from pathlib import Path

from planner.job.factory import MAX_CONTEXT_BYTES
from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError

CONTEXT_FILE = "context.md"


def turn_folder(config: Config, path: str) -> Path:
    """The folder that a caller names, if it lies below the configured root.

    Raises:
        UsageError: no root is configured, or the folder does not exist below it.
    """
    if not config.turn_dir_root:
        raise UsageError(
            "turn_dir_path is off here; RESEARCH_TURN_DIR_ROOT names the folder below which it may lie"
        )
    try:
        root = Path(config.turn_dir_root).expanduser().resolve(strict=True)
        folder = (root / path).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        folder = root = Path()
    if folder == root or not folder.is_relative_to(root) or not folder.is_dir():
        raise UsageError("turn_dir_path must be an existing folder below RESEARCH_TURN_DIR_ROOT")
    return folder


def context_in(folder: Path) -> str:
    """The text of the folder's context.md; "" if it has none.

    Raises:
        UsageError: it is not a file of UTF-8 text, or it is too long.
    """
    try:
        descriptor = os.open(
            folder / CONTEXT_FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        )
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise UsageError(f"{CONTEXT_FILE} in turn_dir_path cannot be read: {error.strerror}") from error
    try:
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(MAX_CONTEXT_BYTES + 1)
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{CONTEXT_FILE} in turn_dir_path is not a file of UTF-8 text") from error
    if len(data) > MAX_CONTEXT_BYTES:
        raise UsageError(f"{CONTEXT_FILE} in turn_dir_path has more than {MAX_CONTEXT_BYTES:,} bytes")
    return text
