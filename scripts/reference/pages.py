"""Lists the pages that are made when the site is built, with their paths in it."""

from collections.abc import Callable
from pathlib import Path

from scripts.reference.commands import commands_page, exit_codes_page
from scripts.reference.keys import keys_page
from scripts.reference.messages import messages_page
from scripts.reference.settings import settings_page

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = "docs/decisions"


def root_file(name: str) -> Callable[[], str]:
    """A page from a file in the repository's root; its links into `docs/` become links within the site."""
    return lambda: (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")


def decisions_page() -> str:
    """The list of decisions, from their headings."""
    lines = [
        "# Decisions",
        "",
        "Each record says what was decided, why, and which alternatives were tried.",
        "",
    ]
    for path in sorted((ROOT / DECISIONS).glob("[0-9]*.md")):
        heading = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        lines.append(f"- [{heading}]({path.name})")
    return "\n".join([*lines, ""])


PAGES: dict[str, Callable[[], str]] = {
    "reference/settings.md": settings_page,
    "reference/commands.md": commands_page,
    "reference/exit-codes.md": exit_codes_page,
    "reference/messages.md": messages_page,
    "reference/redis-keys.md": keys_page,
    "decisions/index.md": decisions_page,
    "changelog.md": root_file("CHANGELOG.md"),
    "contributing.md": root_file("CONTRIBUTING.md"),
    "security.md": root_file("SECURITY.md"),
}
"""The functions that make the pages, by path below `docs/`."""
