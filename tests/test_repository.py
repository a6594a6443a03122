"""What a maintainer expects: a licence that the package carries, and hooks that check what `make check` does."""

import re
import tomllib
from pathlib import Path

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


ROOMS = sorted(path.name for path in (ROOT / "research_crawler").iterdir() if path.is_dir())
PATH = re.compile(
    rf"`((?:research_crawler|planner|pipelines|prompts|tests|examples|{'|'.join(ROOMS)})/[\w./-]+)`"
)
ROW = re.compile(r"^\| (.+?) \| `([^`]+)` \|$", re.M)
ARCHITECTURE = ROOT / "docs" / "architecture.md"
PAGES = [
    *(path for path in sorted(ROOT.glob("*.md")) if path.name != "CHANGELOG.md"),
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if path.parent.name != "decisions"),
]
"""Without the changelog and the decisions, which tell what was there then."""


def test_a_page_names_files_that_are_there():
    folders = (ROOT, ROOT / "research_crawler", ROOT / "planner")
    named = [(page.name, path) for page in PAGES for path in PATH.findall(page.read_text("utf-8"))]
    assert [one for one in named if not any((folder / one[1]).exists() for folder in folders)] == []


def test_each_row_of_where_to_change_names_one_file():
    page = ARCHITECTURE.read_text("utf-8")
    table = page.partition("## Where do I change")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ") and "you want to change" not in line]
    assert len(rows) > 80
    assert [row for row in rows if not (found := ROW.match(row)) or not (ROOT / found[2]).is_file()] == []
