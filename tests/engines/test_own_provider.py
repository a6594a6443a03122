"""Adding a search provider takes one file: in this project, or in a package that declares it as an entry point. The
rest follows from its declaration."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from aiohttp import web

from research_crawler.adapters.in_memory.memory_provider_health import MemoryHealth
from research_crawler.configuration import SystemConfig, load_system_config
from research_crawler.core.config import setting_names
from research_crawler.core.errors import ConfigError
from research_crawler.core.extension_points import ExtensionPoint
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.core.settings.origins import describe, setting_docs, unknown_environment
from research_crawler.engines import providers, registry
from tests.extension_package import installed, write_package

OWN = Path(__file__).with_name("hive.py")
DECLARED = {ExtensionPoint.PROVIDERS: "hive = hive:PROVIDER"}
ANSWER = {
    "meta": {"ms": 12},
    "data": [
        {"t": 0, "url": "https://bees.example/honey", "title": "Honey", "snippet": "Made by <b>bees</b>.",
         "published": "2026-03-02T00:00:00Z"},
        {"t": 1, "list": ["honey cake"]},
    ],
}  # fmt: skip


@pytest.fixture(params=["of a package", "of this project"])
def hive(request, monkeypatch, tmp_path):
    """The provider is known, from an installed package or from the folder of providers; nothing is configured."""
    for name in (name for names in setting_names(SystemConfig).values() for name in names):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path / "home"))
    site = tmp_path / "site"
    site.mkdir()
    if request.param == "of a package":
        with installed(site, [OWN], DECLARED):
            yield
        return
    shutil.copy(OWN, site)
    monkeypatch.setattr(providers, "__path__", [*providers.__path__, str(site)])
    registry._own.cache_clear()
    yield
    monkeypatch.undo()
    sys.modules.pop(f"{providers.__name__}.{OWN.stem}", None)
    registry._own.cache_clear()


@pytest.fixture
async def service():
    """A loopback server with Hive's API."""
    asked = []

    async def answer(request: web.Request) -> web.Response:
        asked.append((request.path_qs, request.headers.get("Authorization")))
        return web.json_response(ANSWER)

    app = web.Application()
    app.router.add_get("/api/v0/search", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    yield f"http://{host}:{port}", asked
    await runner.cleanup()


def shown(**options):
    return {name: (value, origin) for name, value, origin in describe(load_system_config(**options))}


@pytest.mark.usefixtures("hive")
def test_its_settings_come_from_the_same_sources_and_are_shown_with_their_origin(monkeypatch):
    monkeypatch.setenv("RESEARCH_TRUST_FOLDER", "1")
    Path("research.toml").write_text("hive_max_results = 30\nhive_base_url = 'http://one'\n")
    Path(".env").write_text("HIVE_BASE_URL=http://two\n")
    assert shown()["HIVE_MAX_RESULTS"] == ("30", "research.toml")
    assert shown()["HIVE_BASE_URL"] == ("http://two", ".env")
    monkeypatch.setenv("RESEARCH_HIVE_BASE_URL", "http://three")
    assert shown()["HIVE_BASE_URL"] == ("http://three", "environment RESEARCH_HIVE_BASE_URL")
    assert shown(hive_base_url="http://four")["HIVE_BASE_URL"] == ("http://four", "option")
    assert shown()["HIVE_API_KEY"] == ("", "default")


@pytest.mark.usefixtures("hive")
def test_its_secret_is_masked(monkeypatch):
    monkeypatch.setenv("HIVE_API_KEY", "hush-hush")
    assert shown()["HIVE_API_KEY"] == ("***", "environment HIVE_API_KEY")
    config = load_system_config()
    assert "hush" not in repr(config) + str(config.model_dump()) + repr(config.provider_settings)
    assert "hush" not in registry.account_of("hive", config).name


@pytest.mark.usefixtures("hive")
@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("HIVE_BASE_URL", "hive.example",
         "HIVE_BASE_URL: must be an http(s) URL such as http://localhost:8080 (got 'hive.example')"),
        ("RESEARCH_HIVE_MAX_RESULTS", "0",
         "RESEARCH_HIVE_MAX_RESULTS: input should be greater than or equal to 1 (got '0')"),
    ],
)  # fmt: skip
def test_a_malformed_setting_is_reported_in_one_line_at_the_start(name, value, line, monkeypatch):
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError) as raised:
        load_system_config()
    assert str(raised.value) == line


@pytest.mark.usefixtures("hive")
def test_a_malformed_secret_is_not_shown(monkeypatch):
    monkeypatch.setenv("RESEARCH_TRUST_FOLDER", "1")
    Path("research.toml").write_text("hive_api_key = 987654321\n")
    with pytest.raises(ConfigError, match=r"^hive_api_key in research.toml: ") as raised:
        load_system_config()
    assert "987654321" not in str(raised.value)


@pytest.mark.usefixtures("hive")
def test_its_settings_are_known_and_documented_and_misspelt_ones_are_not(monkeypatch):
    assert setting_docs(SystemConfig)["HIVE_MAX_RESULTS"] == "Most results of one call."
    monkeypatch.setenv("RESEARCH_HIVE_MAX_RESULTS", "30")
    monkeypatch.setenv("RESEARCH_HIVE_MAX_RESULT", "30")
    assert "RESEARCH_HIVE_MAX_RESULT" in unknown_environment(SystemConfig)
    assert "RESEARCH_HIVE_MAX_RESULTS" not in unknown_environment(SystemConfig)
    with pytest.raises(ConfigError, match="there is no setting 'hive_region'"):
        load_system_config(hive_region="de")


@pytest.mark.usefixtures("hive")
async def test_doctor_shows_its_state():
    lines = {
        key: {one.name: one.line for one in await registry.provider_statuses(config, MemoryHealth())}
        for key in ("", "k")
        for config in [load_system_config(hive_api_key=key)]
    }
    assert lines[""]["hive"] == "off: set HIVE_API_KEY; by invitation"
    assert lines["k"]["hive"] == "on; 0.025 USD a call; by invitation"


@pytest.mark.usefixtures("hive")
async def test_it_is_asked_according_to_its_settings(service, engines):
    address, asked = service
    config = load_system_config(
        providers=["Hive"], hive_api_key=" k ", hive_base_url=address, hive_max_results=3
    )
    [provider] = registry.providers_from(config)
    [result] = await engines.ask(provider, provider.requests(SearchSpec(query="honey", max_results=9))[0])
    assert asked == [("/api/v0/search?q=honey&limit=3", "Bot k")]
    assert (result.title, result.snippet, result.published) == ("Honey", "Made by bees.", "2026-03-02")


@pytest.mark.long
async def test_the_command_line_has_it_without_any_further_edit(service, tmp_path):
    address, asked = service
    write_package(tmp_path, [OWN], DECLARED)
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])]),
        "RESEARCH_HOME": str(tmp_path / "home"),
        "RESEARCH_PROVIDERS": "hive",
        "HIVE_API_KEY": "hush-hush",
        "HIVE_BASE_URL": address,
    }

    async def run(*arguments: str) -> str:
        from asyncio import to_thread

        command = [sys.executable, "-m", "research_crawler.cli.main", *arguments]
        done = await to_thread(
            subprocess.run, command, env=environment, cwd=tmp_path, capture_output=True, text=True
        )
        assert "hush" not in done.stdout + done.stderr
        return done.stdout

    settings = {row["name"]: row["value"] for row in json.loads(await run("config", "show", "--json"))}
    assert (settings["HIVE_API_KEY"], settings["HIVE_BASE_URL"]) == ("***", address)
    told = await run("doctor")
    assert "hive: answered with a result" in told
    assert "0.025 USD a call; by invitation" in told
    found = json.loads(await run("search", "honey", "--json"))
    assert [result["url"] for result in found["results"]] == ["https://bees.example/honey"]
    assert [authorization for _, authorization in asked] == ["Bot hush-hush"] * 2
