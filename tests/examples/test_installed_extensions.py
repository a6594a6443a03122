"""What a package declares as entry points is used as what this package has itself; the examples are such packages."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from research_crawler.cli.main import research
from research_crawler.configuration import load_system_config
from research_crawler.core.errors import ConfigError
from research_crawler.core.extension_points import ExtensionPoint
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.models.reports.report import Report
from research_crawler.engines.registry import declarations, providers_from
from research_crawler.extraction.formats.page_readers import page_readers
from research_crawler.extraction.page import read_page
from research_crawler.runtime.runtime import running
from research_crawler.services.exports.formats import export_formats, format_of
from research_crawler.services.exports.manuscript import Manuscript
from tests.extension_package import installed, write_package

EXAMPLES = Path(__file__).parents[2] / "examples"
DECLARED = {
    ExtensionPoint.PROVIDERS: "lantern = own_provider:PROVIDER",
    ExtensionPoint.EXPORT_FORMATS: "source_rows = own_exporter:EXPORT",
    ExtensionPoint.PAGE_READERS: "subtitles = own_page_reader:READER",
    ExtensionPoint.BRAINS: "docs_first = own_brain:BRAIN",
    ExtensionPoint.COMMANDS: "answer-lines = own_interface:answer_lines",
}


@pytest.fixture
def examples(tmp_path, monkeypatch):
    """A package of all examples is installed, and the user has set nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path / "home"))
    site = tmp_path / "site"
    site.mkdir()
    with installed(site, sorted(EXAMPLES.glob("own_*.py")), DECLARED):
        yield site


@pytest.mark.usefixtures("examples")
def test_a_provider_of_a_package_is_asked_and_its_settings_are_known(monkeypatch):
    monkeypatch.setenv("LANTERN_URL", "https://lantern.test")
    config = load_system_config(providers=["lantern"])
    assert [provider.name for provider in providers_from(config)] == ["lantern"]
    assert list(declarations())[-1] == "lantern"
    assert config.settings_of(declarations()["lantern"].settings).url == "https://lantern.test"


@pytest.mark.usefixtures("examples")
async def test_a_format_of_a_package_is_offered_and_rendered():
    source = Source(n=1, title="Grinders", url="https://gear.test/", host="gear.test")
    report = Report(
        job="1", status="completed", state="completed", goal="?", intent="informational",
        strategy="phase1_only", brain="extractive", sources=[source],
    )  # fmt: skip
    form = format_of(Path("sources.rows"))
    assert form is export_formats()["source_rows"]
    assert (
        await form.render(Manuscript(report), load_system_config()) == b"1\tgear.test\thttps://gear.test/\n"
    )


READING = """
import asyncio
from research_crawler.extraction.process.pool import ParsePool

if __name__ == "__main__":
    pool = ParsePool(1)
    body = b"1\\n00:00:01,000 --> 00:00:03,000\\nSeven hand grinders, tested.\\n"
    print(asyncio.run(pool.read(body, url="https://films.test/1.srt", headers={})).text)
    pool.close()
"""


@pytest.mark.long
def test_a_page_reader_of_a_package_reads_in_the_processes_that_read_pages(examples):
    path = os.pathsep.join([str(examples), str(EXAMPLES.parent)])
    script = examples / "reading.py"
    script.write_text(READING)
    done = subprocess.run(
        [sys.executable, str(script)], env=os.environ | {"PYTHONPATH": path}, check=True, capture_output=True
    )
    assert done.stdout == b"Seven hand grinders, tested.\n"


@pytest.mark.usefixtures("examples")
def test_a_body_of_another_format_is_read_as_before():
    assert [reader.name for reader in page_readers()] == ["pdf", "docx", "subtitles"]
    page = read_page(b"<p>1 --> 2 is an arrow.</p>", url="https://films.test/", headers={})
    assert page.text == "1 --> 2 is an arrow."


@pytest.mark.long
@pytest.mark.usefixtures("examples")
async def test_the_brain_that_a_setting_names_decides():
    async with running(load_system_config(brain="docs_first"), crawl=False) as runtime:
        assert runtime.container.models.now.brain.name == "docs_first"


@pytest.mark.usefixtures("examples")
async def test_a_brain_that_no_package_has_is_refused_with_those_that_there_are():
    with pytest.raises(ConfigError, match="no brain 'docs_last'; installed: docs_first"):
        async with running(load_system_config(brain="docs_last"), crawl=False):
            pass


@pytest.mark.usefixtures("examples")
def test_a_command_of_a_package_is_a_command_of_research():
    runner = CliRunner()
    assert "Added by the package lantern-extras." in runner.invoke(research, ["--help"]).output
    done = runner.invoke(research, ["answer-lines", "--help"])
    assert (done.exit_code, "Answer questions from standard input" in done.output) == (0, True)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "lantern = own_provider:MISSING",
            "'lantern' of lantern-extras .* cannot be imported: AttributeError",
        ),
        ("lantern = own_provider:main", "'lantern' of lantern-extras .* is not a Declaration"),
    ],
)
def test_what_cannot_be_used_is_refused_by_the_name_of_its_package(line, told, tmp_path):
    with (
        installed(tmp_path, [EXAMPLES / "own_provider.py"], {ExtensionPoint.PROVIDERS: line}),
        pytest.raises(ConfigError, match=told),
    ):
        declarations()


def test_two_packages_cannot_declare_the_same_name(tmp_path):
    modules = [EXAMPLES / "own_exporter.py", EXAMPLES / "own_provider.py"]
    write_package(
        tmp_path, [], {ExtensionPoint.EXPORT_FORMATS: "source_rows = own_provider:EXPORT"}, name="others"
    )
    with (
        installed(tmp_path, modules, {ExtensionPoint.EXPORT_FORMATS: "source_rows = own_exporter:EXPORT"}),
        pytest.raises(ConfigError, match="lantern-extras and others both declare 'source_rows'"),
    ):
        export_formats()
