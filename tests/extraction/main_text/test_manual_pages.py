"""Pages of a real manual that are as likely articles keep their examples."""

import os
from pathlib import Path

import pytest

from benchmarks.reporting import wider_docs_web
from research_crawler.extraction.page import read_page

FOLDER = Path(os.environ.get(wider_docs_web.VARIABLE) or wider_docs_web.CACHE) / "sqlite3-doc"
SQLITE = FOLDER / "usr" / "share" / "doc" / "sqlite3"


@pytest.mark.skipif(not SQLITE.is_dir(), reason=f"no manuals; {wider_docs_web.VARIABLE} names their folder")
@pytest.mark.parametrize(
    ("name", "example"),
    [
        ("autoinc", "INSERT INTO test1(rowid, a, b) VALUES(123, 5, 'hello');"),
        ("wal", "PRAGMA journal_mode=DELETE;"),
    ],
)
def test_the_example_of_a_page_in_prose_is_kept(name, example):
    body = (SQLITE / f"{name}.html").read_bytes()
    url = f"https://www.sqlite.org/{name}.html"
    assert example in read_page(body, url=url, headers={"content-type": "text/html"}).markdown
