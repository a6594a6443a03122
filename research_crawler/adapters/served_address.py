"""Where `research serve` of a data folder answers: kept in a file while it does, so that other commands find it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from research_crawler.adapters.private_files import private_file

ADDRESS_FILE = "serve.address"


@contextlib.contextmanager
def kept_address(home: Path, url: str) -> Iterator[None]:
    """Keep the address of a server while the block runs. A folder that cannot be written is no reason not to serve."""
    path = home / ADDRESS_FILE
    with contextlib.suppress(OSError), open(path, "w", encoding="ascii", opener=private_file) as file:
        file.write(f"{url}\n")
    try:
        yield
    finally:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            if path.read_text(encoding="ascii").strip() == url:  # a later server may have written its own
                path.unlink()


def served_address(home: Path) -> str:
    """The address that was kept last, which may be that of a server that was killed; "" if there is none."""
    try:
        return (home / ADDRESS_FILE).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
