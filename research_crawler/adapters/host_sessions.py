"""Sessions that persons have opened, one file a host in the data folder; only its owner can read them."""

import contextlib
import secrets
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from research_crawler.adapters.private_files import private_file, private_folder
from research_crawler.core.errors import UsageError
from research_crawler.core.log import get_log
from research_crawler.core.models.web.saved_sessions import MAX_STATE_BYTES, StorageState, read_session

log = get_log(__name__)
FOLDER: Final = "sessions"


class HostSessions:
    """The kept sessions. They hold what a login is worth, so they go nowhere but to their host."""

    def __init__(self, home: Path) -> None:
        self._folder = home.expanduser().absolute() / FOLDER

    def get(self, host: str) -> StorageState | None:
        """The session of a host; None if there is none that can be read."""
        try:
            return read_session(self._path(host).read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, UsageError) as error:
            log.warning("a kept session cannot be read", host=host, error=str(error))
            return None

    def put(self, host: str, state: StorageState) -> None:
        """Keep a session instead of the host's earlier one; what belongs to other sites is left out.

        Where it would be too large to be read again, its local storage is left out too: walls open by cookies.

        Raises:
            UsageError: its cookies alone are too large.
            OSError: it cannot be written.
        """
        own = state.of_host(host)
        texts = [one.model_dump_json().encode() for one in (own, StorageState(cookies=own.cookies))]
        text = next((one for one in texts if len(one) <= MAX_STATE_BYTES), None)
        if text is None:
            raise UsageError(f"the session of {host} is larger than {MAX_STATE_BYTES:,} bytes")
        private_folder(self._folder)
        path = self._path(host)
        new = path.with_name(f".{secrets.token_hex(6)}")
        try:
            with open(new, "wb", opener=private_file) as file:
                file.write(text)
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
