"""Sessions that persons have opened, one file a host in the data folder; only its owner can read them."""

import contextlib
import secrets
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from research_crawler.adapters.private_files import private_file, private_folder
from research_crawler.core.errors import UsageError
from research_crawler.core.log import get_log
from research_crawler.core.models.saved_sessions import StorageState, read_state

log = get_log(__name__)
FOLDER: Final = "sessions"


class HostSessions:
    """The kept sessions. They hold what a login is worth, so they go nowhere but to their host."""

    def __init__(self, home: Path) -> None:
        self._folder = home.expanduser().absolute() / FOLDER

    def get(self, host: str) -> StorageState | None:
        """The session of a host; None if there is none that can be read."""
        try:
            return read_state(self._path(host).read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, UsageError) as error:
            log.warning("a kept session cannot be read", host=host, error=str(error))
            return None

    def put(self, host: str, state: StorageState) -> None:
        """Keep a session instead of the host's earlier one; what belongs to other sites is left out.

        Raises:
            OSError: it cannot be written.
        """
        private_folder(self._folder)
        path = self._path(host)
        new = path.with_name(f".{secrets.token_hex(6)}")
        try:
            with open(new, "w", encoding="utf-8", opener=private_file) as file:
                file.write(state.of_host(host).model_dump_json())
            new.replace(path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                new.unlink()

    def drop(self, host: str) -> bool:
        """Delete a host's session; False if there was none."""
        try:
            self._path(host).unlink()
        except FileNotFoundError:
            return False
        return True

    def hosts(self) -> list[str]:
        """The hosts with a session."""
        with contextlib.suppress(FileNotFoundError):
            return sorted(unquote(path.stem) for path in self._folder.glob("*.json"))
        return []

    def _path(self, host: str) -> Path:
        return self._folder / f"{quote(host, safe='')}.json"
