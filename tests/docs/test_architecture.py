"""The pages for those who change the code: short cells, files that are there, an example for each public function."""

import ast
import re
from pathlib import Path

import pytest
import yaml

from scripts.reference.modules import LONGEST_CELL, all_modules, modules_page

ROOT = Path(__file__).parents[2]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
HOW_TO = sorted((ROOT / "docs" / "howto").glob("*.md"))
CELL_BORDER = re.compile(r"(?<!\\)\|")
ROW = re.compile(r"^\| (.+) \| `([^`]+)` \|$", re.M)
NAME = re.compile(r"\(`([A-Za-z_]+)`")
"""A constant, function or setting in brackets, which the row's file has."""
LISTED = re.compile(r"^ {8}- (\w+)$", re.M)
PACKAGE = re.compile(r"^### .*?(?=^### |^## )", re.M | re.S)


@pytest.fixture(scope="module")
def modules() -> str:
    """The page of all modules."""
    return modules_page()


def cells(page: str) -> list[str]:
    """Every cell of a page's tables."""
    rows = [line.strip("| ") for line in page.splitlines() if line.startswith("|")]
    return [cell.strip() for row in rows for cell in CELL_BORDER.split(row)]


def test_a_cell_of_a_table_is_one_line(modules):
    for page in [ARCHITECTURE, modules, *(path.read_text("utf-8") for path in HOW_TO)]:
        assert [cell for cell in cells(page) if len(cell) > LONGEST_CELL] == []


def test_what_a_row_of_architecture_names_stands_in_its_file():
    rows = ROW.findall(ARCHITECTURE.partition("## Where do I change")[2].partition("## Packages")[0])
    assert len(rows) > 200
    missing = [
        f"{name} is not in {path}"
        for change, path in rows
        for name in NAME.findall(change.rpartition("told again in")[0] or change)
        if name not in (ROOT / path).read_text("utf-8")
    ]
    assert missing == []


def test_every_package_has_a_picture():
    packages = PACKAGE.findall(ARCHITECTURE.partition("## Packages")[2])
    assert len(packages) > 8
    assert [text.splitlines()[0] for text in packages if "```\n" not in text] == []


def test_every_module_is_listed_with_what_it_is_for(modules):
    listed = set(re.findall(r"^\| `([^`]+)` \| \S.* \|$", modules, re.M))
    modules = [path for path in all_modules() if path.name != "__init__.py"]
    assert [path for path in modules if str(path.relative_to(ROOT)) not in listed] == []


def test_there_is_a_how_to_for_each_extension_and_the_site_has_it():
    named = {
        "provider",
        "vendor",
        "section",
        "exporter",
        "page-reader",
        "interface",
        "spider",
        "brain",
        "language",
    }
    assert {path.stem for path in HOW_TO} == named
    nav = str(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8").partition("nav:")[2]))
    assert all(f"howto/{name}.md" in nav for name in named)


def test_each_public_function_is_used_by_an_example():
    page = (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")
    public = {*LISTED.findall(page), "load_system_config"}
    assert public >= {"execute_research", "follow", "Provider"}
    scripts = [ast.parse(path.read_text("utf-8")) for path in (ROOT / "examples").glob("*.py")]
    used = {
        name.name
        for script in scripts
        for node in ast.walk(script)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    assert public - used == {"Provider"}  # a protocol, which a provider fulfils without importing it
