"""mkdocs' hooks: pages that are made from the code are added to those in `docs/`, and decisions to the navigation."""

import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List every record of a decision below "Decisions"."""
    folder = Path(config.docs_dir, "decisions")
    records = sorted(f"decisions/{path.name}" for path in folder.glob("[0-9]*.md"))
    for name, pages in _sections(config.nav):
        if name == "Decisions":
            pages.extend(records)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages before navigation and links are looked at."""
    root = str(Path(config.config_file_path or "mkdocs.yml").resolve().parent)
    if root not in sys.path:
        sys.path.insert(0, root)
    from scripts.reference.pages import PAGES

    for path, make in PAGES.items():
        files.append(File.generated(config, path, content=make()))
    return files


def _sections(nav: Any) -> list[tuple[str, list[Any]]]:
    """Every titled list of the navigation, at any depth."""
    found: list[tuple[str, list[Any]]] = []
    for item in nav or []:
        for name, pages in item.items() if isinstance(item, dict) else ():
            if isinstance(pages, list):
                found += [(name, pages), *_sections(pages)]
    return found
