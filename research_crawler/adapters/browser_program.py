"""Finds the browser and its launch options: Playwright's own Chromium if it is installed, else the
system's."""

import json
import os
import shutil
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from research_crawler.core.config import Config

SYSTEM_NAMES: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
HOW_TO_INSTALL: Final = "get one with `playwright install chromium`, or the system's package `chromium`"
HOW_TO_GET: Final = f"pages that only a browser can show are left out; {HOW_TO_INSTALL}"
_OFF = "off"
LAUNCH_MS = 30_000
"""How long the browser may take to start."""
FLAGS: Final = (
    # The loopback proxy is the only way out: the browser resolves no names and sends no datagrams.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
    # The browser makes no connections of its own.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-first-run",
    "--metrics-recording-only",
    # A page gets half a gigabyte for its objects, no sound and no GPU.
    "--js-flags=--max-old-space-size=512",
    "--mute-audio",
    "--disable-gpu",
)
_PASSED_ENVIRONMENT: Final = (
    "PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR",
)  # fmt: skip
"""Environment variables that the browser gets. Keys of services are not among them."""


@dataclass(frozen=True)
class BrowserProgram:
    """A browser that can be launched."""

    name: str
    path: str = ""
    """Empty: Playwright's own browser, which Playwright finds by itself."""
    options: dict[str, Any] = field(default_factory=dict, hash=False)
    """Arguments of `BrowserType.launch`, without the proxy, which the rendering process adds."""


def find_browser(config: Config) -> BrowserProgram | None:
    """The browser that this process would use, or None. It looks at files only and starts nothing."""
    if config.browser == _OFF:
        return None
    if not config.browser and _has_playwrights_own(headless=config.browser_headless):
        return BrowserProgram("Playwright's Chromium", options=_launch_options(config))
    names = (config.browser,) if config.browser else SYSTEM_NAMES
    path = next(filter(None, map(shutil.which, names)), None)
    return BrowserProgram(path, path, _launch_options(config) | {"executable_path": path}) if path else None


def _launch_options(config: Config) -> dict[str, Any]:
    return {
        "headless": config.browser_headless,
        "args": list(FLAGS),
        # Chromium's sandbox does not work as root.
        "chromium_sandbox": os.geteuid() != 0,
        "env": {name: value for name in _PASSED_ENVIRONMENT if (value := os.environ.get(name))},
        "timeout": LAUNCH_MS,
        # The crawler process handles its signals itself.
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }


@cache
def _has_playwrights_own(*, headless: bool) -> bool:
    """Whether Playwright's registry has a complete download of this release's browser."""
    spec = find_spec("playwright")
    if spec is None or spec.origin is None:
        return False
    name = "chromium-headless-shell" if headless else "chromium"
    listed = json.loads((Path(spec.origin).parent / "driver/package/browsers.json").read_text("utf-8"))
    revision = next((browser["revision"] for browser in listed["browsers"] if browser["name"] == name), "")
    folder = _registry() / f"{name.replace('-', '_')}-{revision}"
    return (folder / "INSTALLATION_COMPLETE").is_file()


def _registry() -> Path:
    configured = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if configured == "0":
        spec = find_spec("playwright")
        return Path(spec.origin if spec and spec.origin else "").parent / "driver/package/.local-browsers"
    cache_home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(configured or f"{cache_home}/ms-playwright").expanduser()
