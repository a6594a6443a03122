"""Links between the pages of the documentation, and from the files of the root, lead somewhere."""

import re
from pathlib import Path

import pytest

from scripts.reference.pages import PAGES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[\w-]*)?\)")
SNIPPET = re.compile(r'--8<-- "([^"]+)"')
CODE = re.compile(r"```.*?```|(``?)(?!`)[^\n]*?(?<!`)\1(?!`)", re.S)
WRITTEN = {path.relative_to(ROOT).as_posix(): path for path in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]}


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Every page by its place, those that are generated too."""
    generated = {
        f"docs/{name}": make()
        for name, make in PAGES.items()
        if not name.startswith(("changelog", "contri", "security"))
    }
    return {name: path.read_text("utf-8") for name, path in WRITTEN.items()} | generated


def test_the_pages_link_to_what_is_there(texts):
    generated = {(DOCS / page).resolve() for page in PAGES}
    for name, text in texts.items():
        for target in LINK.findall(CODE.sub("", text)):
            if "://" in target or target.startswith("mailto:"):
                continue
            place = (ROOT / name).parent.joinpath(target).resolve()
            assert place.exists() or place in generated, f"{name}: {target}"


def test_the_pages_show_every_example_and_no_other_code(texts):
    shown = {file for text in texts.values() for file in SNIPPET.findall(text)}
    assert shown == {path.relative_to(ROOT).as_posix() for path in (ROOT / "examples").glob("*.py")}
