"""What is loaded when: the command line answers at once because it loads little."""

import subprocess
import sys

HEAVY = "{'torch', 'transformers', 'scrapy', 'qdrant_client', 'openai', 'trafilatura', 'sqlalchemy', 'redis'}"


def loaded(imports: str, among: str) -> str:
    code = f"import sys, {imports}; print(sorted({among} & set(sys.modules)))"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_the_command_line_loads_no_service_before_a_command_needs_it():
    commands = ("main", "run", "jobs", "page", "demo", "doctor")
    assert loaded(", ".join(f"research_crawler.cli.{name}" for name in commands), HEAVY) == "[]"


def test_a_client_of_a_running_system_loads_neither_torch_nor_scrapy_nor_qdrant():
    assert loaded("research_crawler.app", HEAVY) == "['redis', 'sqlalchemy']"


def test_the_help_loads_no_settings_and_no_event_loop():
    assert loaded("research_crawler.cli.main", "{'pydantic', 'asyncio', 'rich'}") == "[]"
