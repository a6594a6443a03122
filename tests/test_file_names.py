"""A file's name occurs once in its package, so that it says which file is meant."""

from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("package", ["research_crawler", "planner", "pipelines"])
def test_no_two_files_of_a_package_have_the_same_name(package):
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / package).rglob("*.py")):
        if not path.name.startswith("__"):
            places[path.name].append(str(path.relative_to(ROOT)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
