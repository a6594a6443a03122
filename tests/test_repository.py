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
