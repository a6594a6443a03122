"""Only its owner can read a data folder."""

import os
import stat

import pytest

from research_crawler.adapters.data_folder import DataFolder
from research_crawler.adapters.private_files import make_private
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.core.config import load_core_config


@pytest.fixture(autouse=True)
def _usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(folder):
    paths = [folder, *folder.rglob("*")]
    return [str(path) for path in paths if not path.is_symlink() and path.lstat().st_mode & 0o077]


async def used(home):
    """Open the folder and the archive, look, and close."""
    config = load_core_config(home=home)
    folder, archive = DataFolder(config), SqlArchive(config)
    await folder.open()
    try:
        await folder.redis.set("a", "b")
        await archive.open()
        assert {path.name for path in home.iterdir()} >= {"archive.sqlite3", "redis", "owner.lock"}
        return open_to_others(home)
    finally:
        await archive.close()
        await folder.close()


async def test_nobody_else_can_read_a_new_data_folder(tmp_path):
    assert await used(tmp_path / "deep" / "home") == []


async def test_an_existing_data_folder_is_tightened_at_start(tmp_path):
    home = tmp_path / "home"
    for name in (
        "redis/redis.log",
        "jobs/job1/report.md",
        "archive.sqlite3",
        "archive.sqlite3-wal",
        "config.toml",
    ):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    assert len(open_to_others(home)) > 5
    assert await used(home) == []


def test_what_is_not_ours_keeps_its_rights(tmp_path):
    (tmp_path / "script.sh").write_text("")
    (tmp_path / "script.sh").chmod(0o755)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "jobs").symlink_to(tmp_path / "elsewhere")
    tmp_path.chmod(0o755)
    make_private(tmp_path, ["jobs"])
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "script.sh").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "elsewhere").stat().st_mode) == 0o755


def test_a_folder_that_everybody_uses_stays_open(tmp_path):
    tmp_path.chmod(0o1777)
    (tmp_path / "jobs").mkdir(mode=0o755)
    make_private(tmp_path, ["jobs"])
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777
    assert stat.S_IMODE((tmp_path / "jobs").stat().st_mode) == 0o700
