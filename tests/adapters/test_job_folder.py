import asyncio
import os
import stat
from pathlib import Path

import pytest

from research_crawler.adapters.job_folder import DiskJobFolder, MemoryJobFolder
from research_crawler.core.errors import StorageFull
from research_crawler.core.ports.stores import JobFolder


@pytest.fixture(params=["disk", "memory"])
def folder(request) -> JobFolder:
    return DiskJobFolder() if request.param == "disk" else MemoryJobFolder()


def read(folder: JobFolder, path: Path, name: str) -> str:
    return (
        folder.folders[str(path)][name] if isinstance(folder, MemoryJobFolder) else (path / name).read_text()
    )


async def test_documents_are_written_and_replaced(folder, tmp_path):
    path = tmp_path / "deep" / "job"
    await folder.write(str(path), {"a.md": "one", "b.json": "[]\n"})
    await folder.write(str(path), {"a.md": "twö"})
    assert read(folder, path, "a.md") == "twö"
    assert read(folder, path, "b.json") == "[]\n"


async def test_documents_that_come_after_a_newer_version_are_dropped(folder, tmp_path):
    await asyncio.gather(
        folder.write(str(tmp_path), {"a.md": "third", "b.md": "x"}, version=3),
        folder.write(str(tmp_path), {"a.md": "second", "c.md": "y"}, version=2),
    )
    assert read(folder, tmp_path, "a.md") == "third"
    await folder.write(str(tmp_path), {"a.md": "third, again"}, version=3)
    assert read(folder, tmp_path, "a.md") == "third, again"


async def test_a_name_cannot_lead_out_of_the_folder(folder, tmp_path):
    await folder.write(str(tmp_path / "job"), {"../../evil.md": "x"})
    assert read(folder, tmp_path / "job", "evil.md") == "x"
    assert not (tmp_path.parent / "evil.md").exists()


async def test_an_unchanged_document_is_not_written_again(tmp_path):
    folder = DiskJobFolder()
    await folder.write(str(tmp_path), {"a.md": "one"})
    before = (tmp_path / "a.md").stat().st_ino
    await folder.write(str(tmp_path), {"a.md": "one"})
    assert (tmp_path / "a.md").stat().st_ino == before
    await folder.write(str(tmp_path), {"a.md": "two"})
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


@pytest.mark.parametrize(("umask", "modes"), [(0o022, (0o755, 0o644)), (0o077, (0o700, 0o600))])
async def test_documents_in_the_data_folder_are_private_and_elsewhere_the_umask_decides(
    tmp_path, umask, modes
):
    folder = DiskJobFolder(tmp_path / "home")
    before = os.umask(umask)
    try:
        for place in ("home/jobs/job1", "out"):
            await folder.write(str(tmp_path / place), {"report.md": "x"})
    finally:
        os.umask(before)
    assert (mode(tmp_path / "home/jobs/job1"), mode(tmp_path / "home/jobs/job1/report.md")) == (0o700, 0o600)
    assert (mode(tmp_path / "out"), mode(tmp_path / "out/report.md")) == modes


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_a_folder_that_cannot_be_written_is_an_error_that_says_what_to_do(tmp_path):
    (tmp_path / "job").write_text("a file is in the way")
    with pytest.raises(StorageFull, match="choose another folder"):
        await DiskJobFolder().write(str(tmp_path / "job"), {"a.md": "x"})
