"""Starts Python in processes of its own without modules of the working folder, which may be somebody else's.

`python -m` and `python -c` look for modules in the working folder first: a file `multiprocessing.py` in a cloned
repository would run in place of the library's, with the keys in the environment.
"""

import os
import sys

SAFE_PATH = "PYTHONSAFEPATH"
"""The variable that keeps Python, and what it starts in turn, from looking for modules in the working folder."""


def python_command(*arguments: str) -> list[str]:
    """The command that runs this Python with these arguments, for instance `-m research_crawler.cli`."""
    return [sys.executable, "-P", *arguments]


def python_environment() -> dict[str, str]:
    """A copy of the environment for such a process."""
    return os.environ | {SAFE_PATH: "1"}


def keep_folder_out_of_children() -> None:
    """Let no Python that this process or a library starts look for modules in the working folder."""
    os.environ[SAFE_PATH] = "1"
