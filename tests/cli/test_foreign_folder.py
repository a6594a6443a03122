"""A working folder of somebody else, which has modules with the names of ours and of the library's."""

import json
import os
import subprocess
import sys
import time
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
SERVING = {"up": " up; ", "crawl": " up; ", "plan": " up; ", "run --local-model": "results"}
"""Commands that are stopped when they have said this: then they have loaded what they need."""
ASKED_S = 3
"""So much longer a job goes on with the small model, which would answer for minutes: by then it has been asked."""
STARTERS = ("run", *SERVING, "demo", "serve", "mcp", "page", "batch", "search", "review")
"""What starts Python, or serves: each is tried as a person starts it. All others are called in one process."""
IN_ONE_PROCESS = """
import json, sys
from research_crawler.cli.main import main
for arguments in json.loads(sys.argv[1]):
    print(*arguments, flush=True)
    try:
        main(arguments)
    except SystemExit:
        pass
"""


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


def called(research, folder, *arguments, given="", seconds=120, until=""):  # noqa: F811
    """The exit code of the installed program in this folder, None if it had to be stopped, and its messages."""
    return started([PROGRAM, *arguments], research, folder, given, seconds, until)


def started(command, research, folder, given="", seconds=120, until=""):  # noqa: F811
    """The same of any command; it is stopped `ASKED_S` after it has said `until`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith((*OURS, "PYTHON"))}
    with (
        (folder.parent / "out").open("w+") as out,
        (folder.parent / "err").open("w+") as err,
        subprocess.Popen(
            command, cwd=folder, env=kept | research.settings, text=True,
            stdin=subprocess.PIPE, stdout=out, stderr=err,
        ) as process,
    ):  # fmt: skip
        process.stdin.write(given)
        process.stdin.close()
        give_up_at = time.monotonic() + seconds
        while is_running := process.poll() is None:
            if until and until in (folder.parent / "err").read_text():
                time.sleep(ASKED_S if until == SERVING["run --local-model"] else 0)
                break
            if time.monotonic() > give_up_at:
                break
            time.sleep(0.1)
        if is_running:
            process.terminate()
        process.wait(60)
        texts = [(folder.parent / name).read_text() for name in ("out", "err")]
    return None if is_running else process.returncode, *texts


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


def with_arguments(command):
    """The words of a command that lets it do its work."""
    name, *options = command.split()
    needs_no_job = {*SERVING, "serve", "demo", "doctor", "list", "mcp"}
    return [name, *options, *ARGUMENTS.get(name, [] if name in needs_no_job else ["nojob"])]


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("command", STARTERS)
def test_no_command_that_starts_python_runs_a_module_of_the_working_folder(research, folder, command):  # noqa: F811
    until = SERVING.get(command, "")
    code, _, err = called(research, folder, *with_arguments(command), until=until)
    assert what_ran(folder) == ""
    assert "Traceback" not in err, err
    assert "--help`" not in err, err  # the command has begun its work
    assert until in err
    assert (code is None) == bool(until), err


@pytest.mark.long
def test_no_other_command_runs_a_module_of_the_working_folder(research, folder):  # noqa: F811
    arguments = [with_arguments(name) for name in COMMANDS if name not in STARTERS]
    command = [sys.executable, "-P", "-c", IN_ONE_PROCESS, json.dumps(arguments)]
    code, out, err = started(command, research, folder)
    assert code == 0, err
    assert what_ran(folder) == "", out
    assert "Traceback" not in err, err
    assert "--help`" not in err, err


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
    _, _, err = called(research, folder_with_other_ways_in, *command.split(), until=SERVING.get(command, ""))
    assert what_ran(folder_with_other_ways_in) == ""
    assert "Traceback" not in err, err
