"""Saving a report under a name, only below the folder for reports or the job's own."""

import stat

import pytest

from research_crawler.configuration import load_system_config
from research_crawler.core.errors import StorageFull, UsageError
from research_crawler.runtime.runtime import running
from research_crawler.services.exports.saving import save_name, save_report, write_whole
from tests.services.exports.samples import report_with, sample_jobs


async def saved(config, name: str):
    job, findings = sample_jobs()["pumps"]
    job = job.model_copy(update={"folder": str(config.home / "jobs" / job.id)})
    target = save_name(config, name)
    async with running(config, crawl=False, plan=False) as runtime:
        await runtime.container.archive.save_job(job, findings, report_with().model_dump(mode="json"))
        return await save_report(runtime, job.id, target)


async def test_without_a_folder_for_reports_it_is_in_the_jobs_folder_and_private(tmp_path):
    config = load_system_config(home=tmp_path / "home")
    path = await saved(config, "answer")
    assert path == (tmp_path / "home" / "jobs" / sample_jobs()["pumps"][0].id / "answer.md").resolve()
    assert path.read_text().startswith("# how do heat pumps work")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path):
    reports, outside = tmp_path / "reports", tmp_path / "outside"
    reports.mkdir()
    outside.mkdir()
    (reports / "link").symlink_to(outside)
    config = load_system_config(home=tmp_path / "home", save_directory=str(reports))
    with pytest.raises(UsageError, match="leads out"):
        await saved(config, "link/answer.md")
    assert not list(outside.iterdir())


async def test_a_link_in_place_of_the_file_is_replaced_and_not_followed(tmp_path):
    reports, outside = tmp_path / "reports", tmp_path / "outside.md"
    reports.mkdir()
    outside.write_text("mine")
    (reports / "answer.md").symlink_to(outside)
    path = await saved(load_system_config(home=tmp_path / "home", save_directory=str(reports)), "answer.md")
    assert outside.read_text() == "mine"
    assert not path.is_symlink()


async def test_a_file_that_cannot_be_written_is_told_with_the_reason(tmp_path):
    (tmp_path / "reports" / "answer.md").mkdir(parents=True)
    config = load_system_config(home=tmp_path / "home", save_directory=str(tmp_path / "reports"))
    with pytest.raises(StorageFull, match="Is a directory"):
        await saved(config, "answer.md")


@pytest.mark.parametrize(
    "name",
    [
        "../x.md",
        "/x.md",
        "a/../../x.md",
        "",
        ".",
        "x.exe",
        "a\x00.md",
        "\ud800.md",
        "x" * 210 + ".md",
        "é" * 110,
    ],
)
def test_a_name_that_leads_elsewhere_or_that_no_file_can_have_is_refused(tmp_path, name):
    with pytest.raises(UsageError):
        save_name(load_system_config(home=tmp_path), name)


def test_a_folder_for_reports_that_is_not_there_is_told_before_anything_starts(tmp_path):
    with pytest.raises(UsageError, match="is not there"):
        save_name(load_system_config(home=tmp_path, save_directory=str(tmp_path / "none")), "x.md")


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "x.md"
    path.write_bytes(b"old")
    with pytest.raises(TypeError):
        write_whole(path, "no bytes")  # type: ignore[arg-type]
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.md"]
    assert path.read_bytes() == b"old"
