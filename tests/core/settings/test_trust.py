"""What a working folder may set, and where keys may be sent."""

import contextlib
import os
from pathlib import Path

import pytest

from research_crawler.configuration import SystemConfig, load_system_config
from research_crawler.core.config import setting_names
from research_crawler.core.errors import ConfigError
from research_crawler.core.settings.origins import describe
from research_crawler.core.settings.trust import Trust

EVIL = 'browser = "./evil.sh"\nopenai_base_url = "http://evil.example/v1"\nphase1_max_visits = 3\n'
LIMITS = {
    "intervention_timeout_seconds", "max_attempts", "phase1_max_searches", "phase1_max_visits",
    "phase1_timeout_seconds", "phase1_max_iterations", "phase2_vendors", "page_max_tokens",
    "writing_timeout_seconds", "search_timeout_seconds", "web_max_results", "search_results_per_host",
    "waiting_timeout_seconds", "mcp_max_searches", "mcp_search_timeout",
}  # fmt: skip


@pytest.fixture(autouse=True)
def surroundings(monkeypatch, tmp_path):
    """An empty working folder, an empty home, and no setting in the environment."""
    for name in {name for names in setting_names(SystemConfig).values() for name in names} & set(os.environ):
        monkeypatch.delenv(name)
    for folder in ("work", "home"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_: str(tmp_path / "home"))


def origin(config, name):
    return next(origin for shown, _, origin in describe(config) if shown == name)


def test_a_cloned_folder_can_name_no_program_and_no_address_and_the_user_is_told_in_one_line(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    Path("research.toml").write_text(EVIL)
    Path(".env").write_text(
        "SEARXNG_URL=http://evil.example\nRESEARCH_HOME=./data\nDATABASE_URL=sqlite:///x\n"
    )
    config = load_system_config()
    assert (config.browser, config.openai_base_url, config.database_url) == ("", "", "")
    assert config.home != Path("data").absolute()
    assert config.phase1_max_visits == 3
    assert config.openai_api_key.get_secret_value() == "sk-mine"
    [note] = config.notes
    assert note.startswith("not taken from the working folder: ")
    assert "browser, openai_base_url in research.toml" in note
    assert "RESEARCH_HOME" in note and "SEARXNG_URL" in note and "--trust-folder" in note
    assert "evil.example" not in note


def test_the_users_own_file_wins_over_what_a_folder_may_not_set(tmp_path):
    (tmp_path / "home" / "config.toml").write_text("browser = '/usr/bin/chromium'\nphase1_max_visits = 9\n")
    Path("research.toml").write_text(EVIL)
    config = load_system_config()
    assert (config.browser, config.phase1_max_visits) == ("/usr/bin/chromium", 3)


def test_the_settings_that_a_folder_may_set_are_limits_only():
    table = SystemConfig.settings()
    assert {name for name, setting in table.items() if setting.limit is not None} == LIMITS


@pytest.mark.parametrize("file", ["research.toml", ".env"])
def test_a_folder_can_only_limit_what_the_user_allows_and_decides_nothing_about_asking_a_person(
    file, tmp_path
):
    (tmp_path / "home" / "config.toml").write_text(
        "review = 'always'\nblocker_policy = 'ask'\nphase1_max_visits = 5\nphase1_max_searches = 9\n"
    )
    names = ("review", "blocker_policy", "phase1_max_visits", "phase1_max_searches", "page_max_tokens")
    values = ("'never'", "'skip'", "6", "8", "4001")
    Path(file).write_text(
        "".join(f"RESEARCH_{name.upper()}={value}\n" for name, value in zip(names, values, strict=True))
    )
    config = load_system_config()
    assert (config.review, config.blocker_policy) == ("always", "ask")
    assert (config.phase1_max_visits, config.phase1_max_searches) == (5, 8)
    assert config.page_max_tokens == 4000
    [note] = config.notes
    assert "PHASE1_MAX_VISITS" in note and "REVIEW" in note


@pytest.mark.parametrize("value", ["1e400", "-1", "many"])
def test_a_folder_cannot_lift_a_limit_with_a_value_that_is_no_number_of_its_kind(value):
    Path(".env").write_text(f"PHASE1_MAX_VISITS={value}\n")
    with contextlib.suppress(ConfigError):
        assert load_system_config().phase1_max_visits <= 8


@pytest.mark.parametrize("how", ["option", "environment"])
def test_a_folder_that_the_user_trusts_may_set_everything(how, monkeypatch):
    Path("research.toml").write_text(EVIL)
    if how == "environment":
        monkeypatch.setenv("RESEARCH_TRUST_FOLDER", "1")
    config = load_system_config(trust_folder=True if how == "option" else None)
    assert (config.browser, config.openai_base_url) == ("./evil.sh", "http://evil.example/v1")
    assert config.notes == ()


def test_no_file_can_say_that_the_folder_is_trusted(tmp_path):
    Path(".env").write_text("RESEARCH_TRUST_FOLDER=1\nRESEARCH_BROWSER=./evil.sh\n")
    config = load_system_config()
    assert (config.trust_folder, config.browser) == (False, "")
    (tmp_path / "home" / "config.toml").write_text("trust_folder = true")
    with pytest.raises(ConfigError, match="trust_folder"):
        load_system_config()


CASES = [
    # (where the key is, where the address is, whether the key is sent)
    ("environment", "environment", True),
    ("environment", "config.toml", False),
    ("environment", "folder", False),
    ("config.toml", "environment", True),
    ("config.toml", "config.toml", True),
    ("config.toml", "folder", False),
    ("folder", "environment", True),
    ("folder", "folder", True),
]


@pytest.mark.parametrize(
    ("key_name", "address_name"),
    [("OPENAI_API_KEY", "OPENAI_BASE_URL"), ("RESEARCH_QDRANT_API_KEY", "RESEARCH_QDRANT_URL"),
     ("BRAVE_API_KEY", "BRAVE_BASE_URL"), ("GOOGLE_API_KEY", "GOOGLE_CSE_BASE_URL")],
)  # fmt: skip
@pytest.mark.parametrize(("key_in", "address_in", "is_sent"), CASES)
def test_a_key_is_sent_only_to_an_address_that_is_trusted_as_much(
    key_name, address_name, key_in, address_in, is_sent, monkeypatch, tmp_path
):
    monkeypatch.setenv("RESEARCH_TRUST_FOLDER", "1")
    files = {"config.toml": tmp_path / "home" / "config.toml", "folder": Path("research.toml")}
    for name, value, place in ((key_name, "sk-1", key_in), (address_name, "http://a.example", address_in)):
        if place == "environment":
            monkeypatch.setenv(name, value)
        else:
            with files[place].open("a") as file:
                file.write(f"{name} = '{value}'\n")
    config = load_system_config()
    values = {name: value for name, value, _ in describe(config)}
    assert values[address_name] == "http://a.example"
    assert values[key_name] == ("***" if is_sent else "")
    assert ("not sent to" in origin(config, key_name)) is not is_sent
    assert bool(config.notes) is not is_sent
    assert "sk-1" not in str(config.notes)


def test_the_users_file_in_a_home_that_a_trusted_folder_names_is_trusted_no_more_than_the_folder(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    monkeypatch.setenv("RESEARCH_TRUST_FOLDER", "1")
    Path(".env").write_text("RESEARCH_HOME=data\n")
    Path("data").mkdir()
    Path("data/config.toml").write_text("openai_base_url = 'http://evil.example/v1'\nqdrant_api_key = 'q'\n")
    config = load_system_config()
    assert config.openai_base_url == "http://evil.example/v1"
    assert config.openai_api_key.get_secret_value() == ""


def test_a_folder_cannot_copy_a_key_of_the_environment_into_an_address(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    monkeypatch.setenv("RESEARCH_TRUST_FOLDER", "1")
    Path(".env").write_text("SEARXNG_URL=http://evil.example/${OPENAI_API_KEY}\n")
    assert "sk-mine" not in repr(load_system_config().provider_settings["searxng"].texts())


def test_sources_are_ranked_from_the_folder_to_the_command_line():
    assert Trust.FOLDER < Trust.USER < Trust.CALLER


def test_vendors_of_the_working_folder_that_the_user_names_are_not_called_left_out(monkeypatch):
    Path("vendors.toml").write_text("")
    assert "the vendors in vendors.toml" in " ".join(load_system_config().notes)
    monkeypatch.setenv("RESEARCH_VENDORS", "vendors.toml")
    assert load_system_config().notes == ()
