from pathlib import Path

import pytest

from tests.contracts.private_names import private_names_in_use, relied_on


@pytest.mark.long
def test_every_private_name_of_a_library_that_we_use_has_a_contract():
    contracts = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    names = private_names_in_use()
    without = {name: place for name, place in names.items() if f'"{name}"' not in contracts}
    assert without == {}, "add what is relied on to tests/contracts/test_<library>.py"
    # What is imported, read and overridden is found.
    assert {"_aiohttp", "_run_exitfuncs", "_resolve_host"} <= names.keys()


def test_a_name_that_is_gone_is_one_line_that_says_what_no_longer_works():
    with pytest.raises(AssertionError, match=r"^Path\._flown is gone: paths cannot fly"):
        relied_on(Path, "_flown", "paths cannot fly")
