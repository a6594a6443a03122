"""What is loaded when: the command line answers at once because it loads little."""

import os
import subprocess
import sys

HEAVY = "{'torch', 'transformers', 'scrapy', 'qdrant_client', 'openai', 'trafilatura', 'sqlalchemy', 'redis'}"


def loaded(imports: str, among: str) -> str:
    code = f"import sys, {imports}; print(sorted({among} & set(sys.modules)))"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_the_command_line_loads_no_service_before_a_command_needs_it():
    commands = ("main", "jobs.run", "jobs.job_commands", "web.page_command", "demo.demo_job", "setup.doctor")
    assert loaded(", ".join(f"research_crawler.cli.{name}" for name in commands), HEAVY) == "[]"


def test_a_client_of_a_running_system_loads_neither_torch_nor_scrapy_nor_qdrant():
    assert loaded("research_crawler.app", HEAVY) == "['redis']"


def test_the_help_loads_no_settings_and_no_event_loop():
    assert loaded("research_crawler.cli.main", "{'pydantic', 'asyncio', 'rich'}") == "[]"


def loaded_by_command(folder, *arguments: str) -> tuple[set[str], str]:
    """All modules that a command has imported when it ends, and what it printed."""
    code = (
        "import atexit, sys; from research_crawler.cli.main import main; "
        "atexit.register(lambda: open('modules', 'w').write(' '.join(sys.modules))); main(sys.argv[1:])"
    )
    environment = {**os.environ, "RESEARCH_HOME": str(folder / "home")}
    called = [sys.executable, "-c", code, *arguments]
    ended = subprocess.run(called, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return set((folder / "modules").read_text().split()), ended.stdout.strip()


MOST_MODULES = {"submit": 800, "status": 680, "list": 840, "batch": 770}
"""A tenth more than each loads now."""
NOT_FOR_CLIENTS = frozenset(
    """
    torch numpy transformers scrapy twisted trafilatura parsel lxml rapidfuzz qdrant_client openai
    rich pygments structlog alembic jinja2 fastapi starlette mcp httpx aiohttp snowballstemmer
    """.split()  # noqa: SIM905  # a list of words reads better so
)
USES_ARCHIVE = frozenset({"batch", "list", "submit"})
"""Commands that ask the archive too: a new job is kept there, a running one is read from Redis."""


def test_a_command_that_only_talks_to_redis_loads_no_crawler_no_renderer_and_no_migrations(tmp_path):
    _, job = loaded_by_command(tmp_path, "submit", "a question")  # makes the archive
    for command in (["submit", "another question"], ["status", job], ["list"], ["batch", "list"]):
        modules, _ = loaded_by_command(tmp_path, *command)
        roots = {name.partition(".")[0] for name in modules}
        assert "redis" in roots
        assert not roots & NOT_FOR_CLIENTS
        assert not {name for name in modules if name.startswith(("planner.reports", "planner.brains"))}
        assert ("sqlalchemy" in roots) == (command[0] in USES_ARCHIVE)
        assert len(modules) < MOST_MODULES[command[0]], len(modules)
