import json
import os
from pathlib import Path

import pytest

from research_crawler.adapters import browser_program as browser
from research_crawler.adapters.browser_program import find_browser
from research_crawler.core.config import load_core_config


@pytest.fixture
def empty_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without a browser, and a folder on PATH to put one into."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "own"))
    browser._has_playwrights_own.cache_clear()
    yield tmp_path
    browser._has_playwrights_own.cache_clear()


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_on_a_machine_without_a_browser_none_is_found(empty_machine):
    assert find_browser(load_core_config()) is None


def test_the_systems_chromium_is_found(empty_machine):
    path = put(empty_machine / "chromium")
    found = find_browser(load_core_config())
    assert found.path == found.options["executable_path"] == str(path)


def test_playwrights_own_browser_is_preferred_once_its_download_is_complete(empty_machine):
    put(empty_machine / "chromium")
    listed = Path(browser.find_spec("playwright").origin).parent / "driver/package/browsers.json"
    revision = json.loads(listed.read_text())["browsers"]
    number = next(one["revision"] for one in revision if one["name"] == "chromium-headless-shell")
    folder = empty_machine / "own" / f"chromium_headless_shell-{number}"
    folder.mkdir(parents=True)
    assert find_browser(load_core_config()).path
    (folder / "INSTALLATION_COMPLETE").touch()
    browser._has_playwrights_own.cache_clear()
    found = find_browser(load_core_config())
    assert found.path == ""
    assert "executable_path" not in found.options


def test_a_configured_program_is_used_and_no_other(empty_machine):
    put(empty_machine / "chromium")
    assert find_browser(load_core_config(browser="some-browser")) is None
    path = put(empty_machine / "elsewhere" / "some-browser")
    assert find_browser(load_core_config(browser=str(path))).path == str(path)


def test_the_browser_can_be_switched_off(empty_machine):
    put(empty_machine / "chromium")
    assert find_browser(load_core_config(browser="off")) is None


def test_the_browser_does_not_get_api_keys_from_the_environment(empty_machine, monkeypatch):
    put(empty_machine / "chromium")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    options = find_browser(load_core_config()).options
    assert set(options["env"]) <= set(browser._PASSED_ENVIRONMENT)
    assert "sk-secret" not in str(options)


def test_only_root_runs_without_the_sandbox(empty_machine):
    put(empty_machine / "chromium")
    options = find_browser(load_core_config()).options
    assert options["chromium_sandbox"] is (os.geteuid() != 0)
    assert options["headless"] is True
    assert find_browser(load_core_config(browser_headless=False)).options["headless"] is False


@pytest.mark.parametrize(
    "start", ["--disable-quic", "--host-resolver-rules=", "--disable-background-networking"]
)
def test_the_browser_has_one_way_out(start):
    assert any(flag.startswith(start) for flag in browser.FLAGS)
