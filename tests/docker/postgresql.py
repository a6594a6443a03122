"""A PostgreSQL server that a test starts, where its programs are installed."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


@contextmanager
def postgresql_server(*, port: int, user: str, database: str, password: str) -> Iterator[None]:
    """A server on loopback with one user and one database, ended with the block."""
    programs = _programs()
    owner = "postgres" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="postgresql-") as folder:  # its owner must reach it
        data, secret = Path(folder, "data"), Path(folder, "password")
        data.mkdir()
        secret.write_text(password)
        for path in (Path(folder), data, secret):
            if owner:
                shutil.chown(path, owner)
        run(
            programs, "initdb", "-D", data, "-U", user, "-A", "scram-sha-256", "--pwfile", secret, owner=owner
        )
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        start = ("-D", data, "-w", "-t", "30", "-l", Path(folder, "log"), "-o", options, "start")
        run(programs, "pg_ctl", *start, owner=owner)
        try:
            where = ("-h", "127.0.0.1", "-p", str(port), "-U", user)
            run(programs, "createdb", *where, database, owner=owner, environment={"PGPASSWORD": password})
            yield
        finally:
            run(programs, "pg_ctl", "-D", data, "-m", "immediate", "stop", owner=owner)


def run(
    programs: Path,
    name: str,
    *arguments: str | Path,
    owner: str | None,
    environment: dict[str, str] | None = None,
) -> None:
    """Run one of its programs as the user who may."""
    subprocess.run(
        [programs / name, *arguments],
        user=owner,
        cwd="/",
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"} | (environment or {}),
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _programs() -> Path:
    on_path = [Path(place) for place in os.get_exec_path()]
    found = [path for path in (*_PLACES, *on_path) if (path / "initdb").is_file()]
    if not found:
        pytest.skip("no PostgreSQL: install Debian's package postgresql")
    return found[0]


def restored(folder: Path, *, port: int, user: str, database: str, password: str, into: str) -> None:
    """Save a database as the documentation says, and bring it back into an empty one."""
    programs, secret = _programs(), {"PGPASSWORD": password}
    where, dump = ("-h", "127.0.0.1", "-p", str(port), "-U", user), folder / "research.dump"
    run(programs, "pg_dump", *where, "--format=custom", "-f", dump, database, owner=None, environment=secret)
    run(programs, "createdb", *where, into, owner=None, environment=secret)
    run(programs, "pg_restore", *where, "-d", into, dump, owner=None, environment=secret)
