"""The browser: which Chromium there is and how it is launched. Playwright's own where installed, else the system's."""

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
HOW_TO_GET: Final = (
    "pages that only a browser can show are left out; get one with `playwright install chromium`, "
    "or the system's package `chromium`"
)
_OFF = "off"
LAUNCH_MS = 30_000
FLAGS: Final = (
    # One way out, and nothing that goes round it: the browser resolves no names and sends no datagrams.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
    # Nothing of its own to say to anybody.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-first-run",
    "--metrics-recording-only",
    # A page gets half a gigabyte for its objects, and no sound or graphics card.
    "--js-flags=--max-old-space-size=512",
    "--mute-audio",
    "--disable-gpu",
)
_KEPT_ENVIRONMENT: Final = (
    "PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR",
)  # fmt: skip
"""What the browser gets of our environment: keys of services are not among it."""


@dataclass(frozen=True)
class BrowserProgram:
    """A browser that can be launched."""

    name: str
    path: str = ""
    """Empty: Playwright's own, which it finds by itself."""
    options: dict[str, Any] = field(default_factory=dict, hash=False)
    """What `BrowserType.launch` takes; the proxy comes with the process that renders."""


def find_browser(config: Config) -> BrowserProgram | None:
    """The browser that this process would use, or None. Looks at files only; nothing is started."""
    if config.browser == _OFF:
        return None
    if not config.browser and _has_own(headless=config.browser_headless):
        return BrowserProgram("Playwright's Chromium", options=_launch_options(config))
    names = (config.browser,) if config.browser else SYSTEM_NAMES
    path = next(filter(None, map(shutil.which, names)), None)
    return BrowserProgram(path, path, _launch_options(config) | {"executable_path": path}) if path else None


def _launch_options(config: Config) -> dict[str, Any]:
    return {
        "headless": config.browser_headless,
        "args": list(FLAGS),
        # As root Chromium has no sandbox of its own.
        "chromium_sandbox": os.geteuid() != 0,
        "env": {name: value for name in _KEPT_ENVIRONMENT if (value := os.environ.get(name))},
        "timeout": LAUNCH_MS,
        # The process owns its signals.
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }


@cache
def _has_own(*, headless: bool) -> bool:
    """Whether Playwright's registry has the browser of this release, downloaded to its end."""
    spec = find_spec("playwright")
    if spec is None or spec.origin is None:
        return False
    name = "chromium-headless-shell" if headless else "chromium"
    listed = json.loads((Path(spec.origin).parent / "driver/package/browsers.json").read_text("utf-8"))
    revision = next((one["revision"] for one in listed["browsers"] if one["name"] == name), "")
    folder = _registry() / f"{name.replace('-', '_')}-{revision}"
    return (folder / "INSTALLATION_COMPLETE").is_file()


def _registry() -> Path:
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if named == "0":
        spec = find_spec("playwright")
        return Path(spec.origin if spec and spec.origin else "").parent / "driver/package/.local-browsers"
    cache_home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(named or f"{cache_home}/ms-playwright").expanduser()
