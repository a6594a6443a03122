import signal
import stat
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.adapters.user_settings import remember
from research_crawler.core.errors import ConfigError

FILE = '# mine\nmind_model = "old" # it was good\nproviders = ["searxng"]\n\n[web]\nmaxResults = 7\n'


def test_a_value_takes_the_place_of_the_old_one_and_the_rest_stays(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text(FILE)
    assert (
        remember(tmp_path, {"MIND_MODEL": "new", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"})
        == path.resolve()
    )
    assert path.read_text() == (
        'OPENAI_BASE_URL = "http://127.0.0.1:1/v1"\n# mine\nMIND_MODEL = "new"\nproviders = ["searxng"]\n\n'
        "[web]\nmaxResults = 7\n"
    )


def test_a_new_file_is_for_its_owner_only(tmp_path):
    assert remember(tmp_path, {"MIND_MODEL": "m"}).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]


@pytest.mark.parametrize("text", ['MIND_MODEL = """\nold\n"""\n', 'a = """\nMIND_MODEL = 1\n"""\n'])
def test_a_file_that_cannot_be_changed_safely_stays_as_it_is(tmp_path, text):
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(ConfigError):
        remember(tmp_path, {"MIND_MODEL": "m"})
    assert (tmp_path / "config.toml").read_text() == text


def test_a_broken_file_is_named(tmp_path):
    (tmp_path / "config.toml").write_text("= broken")
    with pytest.raises(ConfigError, match="not valid TOML"):
        remember(tmp_path, {"MIND_MODEL": "m"})


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=50))
def test_any_name_of_a_model_is_read_as_it_was_written(tmp_path_factory, name):
    folder = tmp_path_factory.mktemp("home")
    (folder / "config.toml").write_text(FILE)
    remember(folder, {"MIND_MODEL": name})
    assert tomllib.loads((folder / "config.toml").read_text("utf-8"))["MIND_MODEL"] == name


def test_settings_that_are_written_at_once_leave_a_whole_file_for_its_owner_alone(tmp_path):
    def write(place: int) -> None:
        for _ in range(20):
            remember(tmp_path, {"OPENAI_API_KEY": "k" * (1 + 50 * place), f"NAME_{place}": "x"})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    kept = tomllib.loads((tmp_path / "config.toml").read_text())
    assert {f"NAME_{place}" for place in range(8)} <= kept.keys()
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]
    assert stat.S_IMODE((tmp_path / "config.toml").stat().st_mode) == 0o600


KILLED_WHILE_WRITING = """
import os, signal, sys
from pathlib import Path
from research_crawler.adapters import user_settings

os.fsync = lambda number: os.kill(os.getpid(), signal.SIGKILL)
user_settings.remember(Path(sys.argv[1]), {"OPENAI_API_KEY": "new"})
"""


def test_a_process_that_is_killed_while_it_writes_leaves_the_settings_as_they_were(tmp_path):
    remember(tmp_path, {"OPENAI_API_KEY": "old"})
    ended = subprocess.run([sys.executable, "-c", KILLED_WHILE_WRITING, str(tmp_path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert tomllib.loads((tmp_path / "config.toml").read_text()) == {"OPENAI_API_KEY": "old"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


def test_a_text_that_no_file_can_hold_is_refused_and_the_file_stays(tmp_path):
    remember(tmp_path, {"MIND_MODEL": "a"})
    with pytest.raises(ConfigError, match="MIND_MODEL"):
        remember(tmp_path, {"MIND_MODEL": "\ud800"})
    assert tomllib.loads((tmp_path / "config.toml").read_text()) == {"MIND_MODEL": "a"}
