"""A working folder of somebody else, which has modules with the names of ours and of the library's."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from research_crawler.cli.main import COMMANDS
from research_crawler.demo.process import local_web_process
from tests.cli.conftest import OURS, new_research, research, web, web_settings  # noqa: F401  # fixtures
from tests.interfaces.mcp.test_stdio import HANDSHAKE

PROGRAM = Path(sys.executable).with_name("research")
MODULES = (
    "research_crawler", "planner", "pipelines", "prompts", "multiprocessing", "json", "signal", "struct", "socket",
    "asyncio", "lxml", "scrapy", "twisted", "torch", "numpy", "pydantic", "redis", "sqlalchemy", "xllamacpp",
    "sitecustomize", "usercustomize",
)  # fmt: skip
TRAP = "import os\nopen({mark!r}, 'a').write(__name__ + ' in ' + ' '.join(os.sys.orig_argv)[:200] + '\\n')\n"
PAGE = "<title>A page</title><p>The pump moves forty litres of clean water a minute through a hose of two metres."
ARGUMENTS = {
    "run": ["How much does the Lumio Page weigh?", "--phase1-only", "--max-visits", "1"],
    "submit": ["How much does it weigh?"],
    "page": ["page.html"],
    "search": ["pump"],
    "batch": ["run", "rows.csv"],
    "prices": ["show"],
    "watch": ["list"],
    "interventions": ["list"],
    "memory": ["search", "pump"],
    "config": ["show"],
    "completion": ["bash"],
    "ask": ["nojob", "Why?"],
    "extend": ["nojob", "Why?"],
    "alive": ["crawler"],
    "forget": ["nojob"],
}
"""What a command needs to do its work; the others of `COMMANDS` get the id of a job that does not exist."""
SERVING = {"up", "crawl", "plan"}
"""Commands that run until they are stopped."""
SERVING_S = 8
"""So long they run: by then they have loaded what they need."""
LOCAL_MODEL_S = 30
"""So long a job runs with the small model, which would answer for minutes: by then it has been loaded and asked."""


@pytest.fixture
def folder(tmp_path):
    """A folder in which every module notes that it ran."""
    folder = tmp_path / "cloned"
    folder.mkdir()
    for name in MODULES:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(TRAP.format(mark=str(tmp_path / "ran")))
    (folder / "page.html").write_text(PAGE)
    (folder / "rows.csv").write_text("name\nLumio Page\n")
    return folder


def called(research, folder, *arguments, given="", seconds=60):  # noqa: F811
    """The exit code of the installed program in this folder, None if it had to be stopped, and its messages."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith((*OURS, "PYTHON"))}
    with subprocess.Popen(
        [PROGRAM, *arguments], cwd=folder, env=kept | research.settings, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            out, err = process.communicate(given, timeout=seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            out, err = process.communicate(timeout=60)
            return None, out, err
    return process.returncode, out, err


def what_ran(folder):
    mark = folder.parent / "ran"
    return mark.read_text() if mark.exists() else ""


@pytest.mark.long
def test_the_processes_that_read_pages_run_no_module_of_the_working_folder(research, web, folder):  # noqa: F811
    code, out, err = called(research, folder, "page", web.hosts["forum"], "--json")
    assert (code, what_ran(folder)) == (0, ""), err
    assert json.loads(out)["text"]


@pytest.mark.long
def test_a_server_that_an_editor_starts_in_a_project_runs_none_of_its_modules(research, folder):  # noqa: F811
    code, out, err = called(research, folder, "mcp", given=json.dumps(HANDSHAKE) + "\n")
    assert (code, what_ran(folder)) == (0, ""), err
    assert "serverInfo" in out


def test_the_local_web_runs_no_module_of_the_working_folder(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with local_web_process() as running:
        assert running.port
    assert what_ran(folder) == ""


@pytest.mark.long
@pytest.mark.timeout(200)
@pytest.mark.parametrize("command", [*COMMANDS, "run --local-model"])
def test_no_command_runs_a_module_of_the_working_folder(research, folder, command):  # noqa: F811
    name, *options = command.split()
    arguments = [
        *options,
        *ARGUMENTS.get(
            name, [] if name in {*SERVING, "serve", "demo", "doctor", "list", "mcp"} else ["nojob"]
        ),
    ]
    seconds = SERVING_S if name in SERVING else LOCAL_MODEL_S if options else 120
    _, _, err = called(research, folder, name, *arguments, seconds=seconds)
    assert what_ran(folder) == ""
    assert "Traceback" not in err, err
    assert "--help`" not in err, err  # the command has begun its work


@pytest.fixture
def folder_with_other_ways_in(tmp_path):
    """A folder whose modules are files, with a distribution, a Scrapy project and settings that name them."""
    folder = tmp_path / "cloned"
    folder.mkdir()
    trap = TRAP.format(mark=str(tmp_path / "ran"))
    for name in (*MODULES, "evil", "scrapy_settings"):
        (folder / f"{name}.py").write_text(trap)
    (folder / "evil.pth").write_text("import evil\n")
    (folder / "evil-1.0.dist-info").mkdir()
    (folder / "evil-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n"
    )
    points = "".join(f"[research_crawler.{group}]\nevil = evil:EVIL\n" for group in ("brains", "providers"))
    (folder / "evil-1.0.dist-info" / "entry_points.txt").write_text(points)
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = scrapy_settings\n")
    (folder / ".env").write_text(
        "PYTHONPATH=.\nPYTHONSTARTUP=evil.py\nPYTHONINSPECT=1\nRESEARCH_BRAIN=evil\nSCRAPY_SETTINGS_MODULE=evil\n"
    )
    (folder / "research.toml").write_text('brain = "evil"\n')
    (folder / "page.html").write_text(PAGE)
    return folder


@pytest.mark.long
@pytest.mark.timeout(200)
@pytest.mark.parametrize(
    "command", ["page page.html", "run Why? --max-visits 1", "doctor", "config show", "mcp", "plan"]
)
def test_no_other_file_of_the_working_folder_runs(research, folder_with_other_ways_in, command):  # noqa: F811
    seconds = SERVING_S if command in SERVING else 120
    _, _, err = called(research, folder_with_other_ways_in, *command.split(), seconds=seconds)
    assert what_ran(folder_with_other_ways_in) == ""
    assert "Traceback" not in err, err
