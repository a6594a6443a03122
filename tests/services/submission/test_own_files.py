"""Files of the caller: read by the parse pool, stored as pages, and named without their folder."""

import io
import os

import pytest
from docx import Document

from research_crawler.configuration import load_system_config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.runtime.runtime import running
from research_crawler.services.submission.job_question import request_from
from research_crawler.services.submission.own_files import MAX_FILES, check_files
from research_crawler.services.submission.submit import completed_request, submit_job


@pytest.fixture
def config(tmp_path):
    return load_system_config(home=tmp_path / "home")


def word_document() -> bytes:
    made, file = Document(), io.BytesIO()
    made.add_paragraph("Moss is soft.")
    made.save(file)
    return file.getvalue()


async def test_files_of_all_types_are_stored_under_addresses_without_their_folder(config, tmp_path):
    secret = tmp_path / "secret folder"
    (secret / "b").mkdir(parents=True)
    paths = [secret / "my notes.md", secret / "page.html", secret / "moss.docx", secret / "b" / "my notes.md"]
    paths[0].write_text("# Grass\n\nGrass is green.\n")
    paths[1].write_text(
        "<html><title>Snow</title><body><p>Snow is white and cold in winter.</p></body></html>"
    )
    paths[2].write_bytes(word_document())
    paths[3].write_text("Hail is frozen rain.")
    async with running(config, crawl=False, plan=False) as runtime:
        job = await submit_job(runtime, request_from(config, JobQuestion(goal="grass"), files=tuple(paths)))
        pages = [await runtime.container.archive.get_page(file.sha) for file in job.inputs.files]
    assert [file.url for file in job.inputs.files] == [
        "file:///my%20notes.md", "file:///page.html", "file:///moss.docx", "file:///2/my%20notes.md",
    ]  # fmt: skip
    assert [file.title for file in job.inputs.files] == ["Grass", "Snow", "moss.docx", "my notes.md"]
    assert [page.final_url for page in pages] == [file.url for file in job.inputs.files]
    assert "Moss is soft." in pages[2].page.markdown
    assert "secret" not in job.to_wire() + "".join(page.to_wire() for page in pages)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.exe", b"MZ", r"only \.md, "),
        ("empty.txt", b"", "^empty.txt is empty$"),
        ("blank.md", b" \n\n", "is empty$"),
        ("binary.txt", bytes(range(256)), "is not text: it has binary data$"),
        ("picture.html", b"\x89PNG\r\n\x1a\n\0\0", "is not text"),
        ("letter.pdf", b"no PDF at all", "is no PDF file, whatever its name says$"),
        ("broken.docx", b"PK\x03\x04 nonsense", "is no Word document"),
        ("a.txt", b"x" * 2_000, "larger than 1,000 bytes"),
        ("nowhere/a.txt", None, "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_before_anything_starts(tmp_path, name, content, words):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=words) as refused:
        check_files([path], most_bytes=1_000)
    assert str(tmp_path) not in str(refused.value)


def test_too_many_files_are_refused(tmp_path):
    with pytest.raises(UsageError, match="files were named"):
        check_files([tmp_path / "a.md"] * (MAX_FILES + 1), most_bytes=1)


async def test_a_file_without_text_is_refused_by_its_name(config, tmp_path):
    path = tmp_path / "empty.html"
    path.write_text("<html><body></body></html>")
    request = request_from(config, JobQuestion(goal="grass"), files=(path,))
    async with running(config, crawl=False, plan=False) as runtime:
        with pytest.raises(UsageError, match=r"^empty\.html cannot be read: it has no text"):
            await submit_job(runtime, request)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("broken.pdf", b"%PDF-1.4 nonsense", "broken.pdf cannot be read: it is damaged"),
        ("no text.html", b"<html><body></body></html>", "it has no text"),
    ],
)
async def test_a_damaged_file_is_refused_before_anything_starts(config, tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    request = request_from(config, JobQuestion(goal="grass"), files=(tmp_path / name,))
    request.check(config)
    with pytest.raises(UsageError, match=words):
        await completed_request(config, request)
    assert not (tmp_path / "home").exists()


def test_a_pipe_or_a_device_is_refused_at_once_and_never_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "zeros.md").symlink_to("/dev/zero")
    for name in ("pipe.md", "zeros.md"):
        with pytest.raises(UsageError, match=f"^{name} is a pipe or a device"):
            check_files([tmp_path / name], most_bytes=1_000)


async def test_a_name_that_is_no_text_is_stored_under_its_bytes(config, tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.md")
    path.write_text("grass is green and soft.")
    async with running(config, crawl=False, plan=False) as runtime:
        job = await submit_job(runtime, request_from(config, JobQuestion(goal="grass"), files=(path,)))
    assert [(one.url, one.title) for one in job.inputs.files] == [("file:///caf%E9.md", "caf\ufffd.md")]
    path.write_bytes(b"\0")
    with pytest.raises(UsageError, match=r"^caf\ufffd.md is not text"):
        check_files([path], most_bytes=1_000)
