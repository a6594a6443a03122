"""Links between the pages of the documentation, and from the files of the root, lead somewhere."""

import re
from pathlib import Path

import pytest

from scripts.reference.pages import PAGES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[\w-]*)?\)")
SNIPPET = re.compile(r'--8<-- "([^"]+)"')
CODE = re.compile(r"```.*?```", re.S)
WRITTEN = {path.relative_to(ROOT).as_posix(): path for path in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]}
TEXTS = {name: lambda path=path: path.read_text("utf-8") for name, path in WRITTEN.items()} | {
    f"docs/{name}": make
    for name, make in PAGES.items()
    if not name.startswith(("changelog", "contri", "security"))
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_page_links_to_what_is_there(name):
    text = CODE.sub("", TEXTS[name]())
    generated = {(DOCS / page).resolve() for page in PAGES}
    for target in LINK.findall(text):
        if "://" in target or target.startswith("mailto:"):
            continue
        place = (ROOT / name).parent.joinpath(target).resolve()
        assert place.exists() or place in generated, f"{name}: {target}"


@pytest.mark.parametrize("name", [name for name, make in TEXTS.items() if SNIPPET.search(make())])
def test_a_page_shows_code_that_is_there(name):
    for file in SNIPPET.findall(TEXTS[name]()):
        assert (ROOT / file).is_file(), f"{name}: {file}"


def test_the_pages_show_every_example():
    shown = {file for make in TEXTS.values() for file in SNIPPET.findall(make())}
    assert shown == {path.relative_to(ROOT).as_posix() for path in (ROOT / "examples").glob("*.py")}
