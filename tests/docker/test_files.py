"""The files in docker/ say what their engines understand, and name only settings and commands that exist."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml

from research_crawler.cli.main import research
from research_crawler.configuration import SystemConfig
from research_crawler.core.config import setting_names
from research_crawler.core.settings.secret_files import FILE_ENDING
from tests.cases import each_case

FOLDER = Path(__file__).parents[2] / "docker"
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text())
OURS = ("crawler", "planner", "api", "desk")


def run(tool: str, *arguments: str | Path) -> str:
    """Run a linter of this environment and return what it prints."""
    program = Path(sys.executable).with_name(tool)
    if not program.exists():
        pytest.skip(f"{tool} is not installed for this platform")
    answer = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout


def test_the_linter_finds_nothing_in_the_dockerfile():
    assert run("hadolint", "--no-color", FOLDER / "Dockerfile") == ""


def test_the_compose_file_has_the_form_that_its_specification_asks_for():
    run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", FOLDER / "compose.yaml")


def test_every_setting_in_the_compose_file_exists():
    known = {name for names in setting_names(SystemConfig).values() for name in names}
    for service in OURS:
        names = {name.removesuffix(FILE_ENDING) for name in COMPOSE["services"][service]["environment"]}
        names -= {"DESK_PASSWORD"}  # docker/desk.sh reads it
        assert names <= known, names - known


def test_every_secret_is_declared_and_mounted_where_its_setting_looks_for_it():
    for service in OURS:
        part = COMPOSE["services"][service]
        files = {value for name, value in part["environment"].items() if name.endswith(FILE_ENDING)}
        assert files == {f"/run/secrets/{name}" for name in part["secrets"]}
    mounted = {name for part in COMPOSE["services"].values() for name in part.get("secrets", ())}
    assert mounted == set(COMPOSE["secrets"])


@each_case("service", OURS)
def test_the_command_of_each_service_is_one_of_ours_with_its_options(service):
    name, *arguments = COMPOSE["services"][service]["command"]
    command = research.get_command(click.Context(research), name)
    assert command is not None
    command.make_parser(click.Context(command)).parse_args(list(arguments))


def test_a_container_has_more_time_to_stop_than_a_node_needs_to_give_back_its_work():
    for service in OURS:
        assert COMPOSE["services"][service]["stop_grace_period"] == "30s"


def test_each_image_is_built_from_a_stage_of_the_dockerfile():
    stages = {line.split()[-1] for line in (FOLDER / "Dockerfile").read_text().splitlines() if " AS " in line}
    assert {COMPOSE["services"][service]["build"]["target"] for service in OURS} <= stages


def test_redis_keeps_what_it_has_and_refuses_to_forget():
    command = " ".join(COMPOSE["services"]["redis"]["command"])
    assert "--appendonly yes" in command
    assert "--maxmemory-policy noeviction" in command


def test_every_service_has_a_limit_of_memory_and_processes_and_says_whether_it_is_well():
    for name, part in COMPOSE["services"].items():
        assert {"mem_limit", "pids_limit"} <= part.keys(), name
        assert name in OURS or "healthcheck" in part, name  # ours have it in their images


def test_redis_refuses_new_work_before_its_container_is_ended():
    """It needs as much memory again while it writes a copy of itself."""
    [limit] = re.findall(
        r"--maxmemory \$\{REDIS_MAX_MEMORY:-(\d+)mb\}", " ".join(COMPOSE["services"]["redis"]["command"])
    )
    [container] = re.findall(r":-(\d+)g\}", COMPOSE["services"]["redis"]["mem_limit"])
    assert 2 * int(limit) <= 1024 * int(container)


def test_the_images_get_torch_from_the_index_that_is_named_before_all_else():
    text = (FOLDER / "Dockerfile").read_text()
    build = text[: text.index(" AS base")]
    assert build.index('--no-deps --index-url "${TORCH_INDEX_URL}" -c constraints.txt torch') < build.index(
        "[postgresql]"
    )


@pytest.mark.parametrize(
    ("index", "installed"),
    [
        ("", None),
        ("cuda", ["install -c constraints.txt .[postgresql]"]),
        (
            "http://mirror.test/cpu",
            [
                "install --no-deps --index-url http://mirror.test/cpu -c constraints.txt torch",
                "install -c constraints.txt .[postgresql]",
            ],
        ),
    ],
)
def test_an_image_gets_torch_with_cuda_only_where_somebody_asks_for_it(tmp_path, index, installed):
    text = (FOLDER / "Dockerfile").read_text().replace("\\\n", "\n")
    [step] = re.findall(r"^RUN (case .*?)\n    && /opt/research/bin/python", text, re.M | re.S)
    pip = tmp_path / "pip"
    pip.write_text('#!/bin/sh\necho "$@" >> "$0.log"\n')
    pip.chmod(0o755)
    script = " ".join(step.replace("/opt/research/bin/pip", str(pip)).split("\n"))
    ran = subprocess.run(
        ["sh", "-c", script], env={"TORCH_INDEX_URL": index}, capture_output=True, text=True, check=False
    )
    log = tmp_path / "pip.log"
    assert (log.read_text().splitlines() if log.exists() else None) == installed
    assert (ran.returncode, "TORCH_INDEX_URL=" in ran.stderr) == (
        (1, True) if installed is None else (0, False)
    )


def test_every_service_that_is_built_passes_on_the_index_of_torch():
    built = [one["build"] for one in COMPOSE["services"].values() if "build" in one]
    assert len(built) == 4
    assert all(one["args"] == {"TORCH_INDEX_URL": "${TORCH_INDEX_URL:-}"} for one in built)
