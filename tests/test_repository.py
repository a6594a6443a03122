"""What a maintainer expects: a licence that the package carries, and hooks that check what `make check` does."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_package_carries_its_licence_and_the_notice_of_its_weights():
    files = [path for pattern in PROJECT["license-files"] for path in ROOT.glob(pattern)]
    assert {path.name for path in files} == {"LICENSE", "NOTICE.md"}
    assert PROJECT["license"] == "BSD-3-Clause"
    assert "The research-crawler authors" in (ROOT / "LICENSE").read_text("utf-8")


def test_the_notice_names_every_file_of_weights():
    for notice in ROOT.glob("research_crawler/**/weights/NOTICE.md"):
        weights = {path.name for path in notice.parent.glob("*.json")}
        assert weights == set(re.findall(r"^\| `([\w.]+\.json)` \|", notice.read_text("utf-8"), re.M))


def test_the_hooks_run_the_commands_of_make_check():
    recipe = re.search(r"^check:.*\n((?:\t.+\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.M)
    checks = [line.strip().replace("$(BIN)", ".venv/bin") for line in recipe[1].splitlines()]
    repos = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    assert [repo["repo"] for repo in repos] == ["local"]
    assert [hook["entry"] for repo in repos for hook in repo["hooks"]] == checks


PATH = re.compile(r"`((?:research_crawler|planner|pipelines|prompts|tests|examples)/[\w./-]+)`")
ROW = re.compile(r"^\| (.+?) \| `([^`]+)` \|$", re.M)
FOR_AUTHORS = [ROOT / "docs" / "architecture.md", *sorted((ROOT / "docs" / "howto").glob("*.md"))]


@pytest.mark.parametrize("page", FOR_AUTHORS, ids=lambda page: page.name)
def test_the_pages_for_those_who_change_the_code_name_files_that_are_there(page):
    paths = PATH.findall(page.read_text("utf-8"))
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_each_row_of_where_to_change_names_one_file():
    page = FOR_AUTHORS[0].read_text("utf-8")
    table = page.partition("## Where do I change")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ") and "you want to change" not in line]
    assert len(rows) > 80
    assert [row for row in rows if not (found := ROW.match(row)) or not (ROOT / found[2]).is_file()] == []
