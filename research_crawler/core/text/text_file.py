"""Reads the small text files that users write: settings, outlines, lists of columns.

Such a file may come from somebody else, or be a device by mistake; no more of it is read than it may have.
"""

from collections.abc import Callable
from pathlib import Path


def text_of_file(path: Path, *, most_bytes: int, complain: Callable[[str, int], Exception]) -> str:
    """The text of a file in UTF-8, without a byte order mark.

    Args:
        path: the file; a pipe is read too.
        most_bytes: how long it may be.
        complain: makes the error of what is wrong and the line, 0 if none is to blame.
    """
    try:
        with path.open("rb") as file:
            body = file.read(most_bytes + 1)
    except OSError as error:
        raise complain(f"the file cannot be read: {error.strerror}", 0) from error
    if len(body) > most_bytes:
        raise complain(f"the file is longer than {most_bytes:,} bytes", 0)
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body[: error.start].count(b"\n") + 1
        raise complain("the file is not UTF-8 text", line) from None
