"""Small text files, and what may stand in their place."""

import os
import threading
from pathlib import Path

import pytest

from research_crawler.core.text.text_file import text_of_file


class Refused(Exception):
    """What a caller raises."""


def read(path: Path, most: int = 10) -> str:
    return text_of_file(path, most_bytes=most, complain=lambda why, line: Refused(f"{line}: {why}"))


def test_a_text_is_read_without_its_mark_and_a_pipe_too(tmp_path):
    (tmp_path / "text").write_bytes(b"\xef\xbb\xbfa\xc3\xa9\n")
    assert read(tmp_path / "text") == "aé\n"
    os.mkfifo(tmp_path / "pipe")
    writing = threading.Thread(target=(tmp_path / "pipe").write_text, args=("piped",))
    writing.start()
    assert read(tmp_path / "pipe") == "piped"
    writing.join()


def test_what_never_ends_is_not_read_to_its_end():
    with pytest.raises(Refused, match="0: the file is longer than 10 bytes"):
        read(Path("/dev/zero"))


def test_a_file_that_is_no_text_is_refused_with_the_line(tmp_path):
    (tmp_path / "text").write_bytes(b"a\nb\xff")
    with pytest.raises(Refused, match="2: the file is not UTF-8 text"):
        read(tmp_path / "text")
    with pytest.raises(Refused, match="0: the file cannot be read: Is a directory"):
        read(tmp_path)
