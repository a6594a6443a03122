"""Lists the pages that are made from the code and kept in the repository, for those who look for a file in a clone."""

from collections.abc import Callable
from typing import Final

from scripts.reference.constants import constants_page
from scripts.reference.modules import modules_page

KEPT_PAGES: Final[dict[str, Callable[[], str]]] = {
    "reference/modules.md": modules_page,
    "reference/constants.md": constants_page,
}
"""The functions that make the pages, by path below `docs/`. Nothing but the standard library is imported for them."""
