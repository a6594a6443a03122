"""The documentation as a site: built with warnings as errors, and complete in itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import html

ROOT = Path(__file__).parents[2]
OWN = "https://research-crawler.example/"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


def fetched(page: Path) -> list[str]:
    """Addresses that a browser asks for by itself when it shows the page."""
    tree = html.fromstring(page.read_bytes())
    links = tree.xpath(
        "//link[@rel='stylesheet' or @rel='icon' or @rel='preconnect' or @rel='preload']/@href"
    )
    return [*links, *tree.xpath("//script/@src | //img/@src | //iframe/@src")]


@pytest.mark.long
def test_a_page_of_the_site_asks_no_other_host_for_anything(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    asked = {address for page in pages for address in fetched(page)}
    assert not [address for address in asked if "//" in address and not address.startswith(OWN)]
    for sheet in site.rglob("*.css"):
        assert "url(http" not in sheet.read_text("utf-8")


@pytest.mark.long
def test_the_site_has_every_decision_and_every_reference_page(site):
    for record in (ROOT / "docs" / "decisions").glob("[0-9]*.md"):
        assert (site / "decisions" / record.stem / "index.html").is_file()
    for name in ("settings", "commands", "messages", "redis-keys", "exit-codes", "python"):
        assert (site / "reference" / name / "index.html").is_file()
    assert "execute_research" in (site / "reference" / "python" / "index.html").read_text("utf-8")
