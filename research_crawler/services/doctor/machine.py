"""Checks this machine: Python, the settings, the name that sites are told, the proxy, the disk and the browser."""

import shutil
import sys

from research_crawler.core.config import Config
from research_crawler.core.settings.origins import unknown_environment
from research_crawler.core.text.translatable import joined, translatable
from research_crawler.core.web.user_agent import user_agent_of
from research_crawler.services.doctor.check import HealthCheck

FAILS_BELOW_MB, WARNS_BELOW_MB = 200, 2_000
"""With less free disk, in megabytes, the check fails, or it warns."""


def check_machine(config: Config) -> list[HealthCheck]:
    """All that is seen without asking anybody."""
    return [
        HealthCheck("ok", "python", sys.version.split()[0]),
        *_environment(config),
        _contact(config),
        *_proxy(config),
        _disk(config),
        _browser(config),
    ]


def _environment(config: Config) -> list[HealthCheck]:
    return [
        HealthCheck(
            "warn",
            "environment",
            translatable("%(name)s is not a known setting", name=name),
            translatable("`research config show` lists all settings"),
        )
        for name in unknown_environment(type(config))
    ]


def _contact(config: Config) -> HealthCheck:
    if config.contact or config.user_agent:
        return HealthCheck("ok", "user agent", user_agent_of(config))
    return HealthCheck(
        "warn",
        "user agent",
        translatable("sites are not told whom they can reach"),
        translatable("set RESEARCH_CONTACT to an email address or URL"),
    )


def _proxy(config: Config) -> list[HealthCheck]:
    from research_crawler.handlers.upstream_proxy import NOTICE, UpstreamProxy

    proxy = UpstreamProxy.from_config(config)
    return [HealthCheck("warn", "proxy", joined([proxy.shown, NOTICE], ": "))] if proxy else []


def _disk(config: Config) -> HealthCheck:
    folder = config.home
    while not folder.exists():
        folder = folder.parent
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    text = translatable("%(free)s MB free for %(folder)s", free=free_mb, folder=config.home)
    if free_mb < FAILS_BELOW_MB:
        return HealthCheck("bad", "disk", text, translatable("free some space"))
    return HealthCheck("ok" if free_mb >= WARNS_BELOW_MB else "warn", "disk", text)


def _browser(config: Config) -> HealthCheck:
    from research_crawler.adapters.browser_program import HOW_TO_GET, find_browser

    browser = find_browser(config)
    if browser:
        return HealthCheck("ok", "browser", browser.name)
    if config.browser and config.browser != "off":
        text = translatable("RESEARCH_BROWSER is not a program: %(name)s", name=config.browser)
        return HealthCheck("warn", "browser", text, HOW_TO_GET)
    return HealthCheck(
        "off", "browser", "RESEARCH_BROWSER=off" if config.browser else translatable("none"), HOW_TO_GET
    )
