"""Takes the pictures of the dashboard's pages for the docs, of a system that runs:

    python -m scripts.pictures http://127.0.0.1:8321 ~/.research/serve.token

Each page is taken at the width of a desktop and of a phone, in light and in dark, as WebP by the browser itself. The
finished job that is answered with most findings and the newest batch and watch are shown; so run
some first, on the demo web (`research demo --serve`).
"""

import argparse
import asyncio
import base64
import re
import sys
from pathlib import Path

import httpx
from playwright.async_api import BrowserContext, Page, async_playwright

from research_crawler.adapters.browser_program import HOW_TO_GET, find_browser
from research_crawler.core.config import load_core_config

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "images" / "dashboard"
WIDTHS = {"desktop": 1280, "phone": 390}
SCHEMES = ("light", "dark")
MOST_HEIGHT = {"desktop": 1_100, "phone": 1_500}
"""What is further below is not in the picture."""
QUALITY = 60
MOST_BYTES = 4_000_000
"""Of all pictures together."""


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", help="of the server, without /ui")
    parser.add_argument("token", type=Path, help="the file with its bearer token")
    parser.add_argument("--only", default="", help="a regular expression of names")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--form", choices=("webp", "png"), default="webp")
    options = parser.parse_args()
    token = options.token.read_text().strip()
    pages = {
        name: path for name, path in _pages(options.address, token).items() if re.search(options.only, name)
    }
    options.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(_take(options.address, token, pages, options.folder, options.form))
    size = sum(file.stat().st_size for file in options.folder.iterdir())
    sys.stdout.write(f"{len(pages)} pages, {size / 1e6:.1f} MB in {options.folder}\n")
    if size > MOST_BYTES:
        raise SystemExit(f"more than {MOST_BYTES / 1e6:.0f} MB")


def _pages(address: str, token: str) -> dict[str, str]:
    """The pages by the names of their pictures; of things that there are none of, none."""
    with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=30) as client:
        jobs = client.get("/jobs?limit=50").json()["jobs"]
        batches, watches = client.get("/batches").json(), client.get("/watches").json()
        walls = client.get("/interventions").json()
    found = {"sign-in": "/sign-in", "ask": "/", "model": "/model", "jobs": "/jobs"}
    done = [job for job in jobs if job["state"] == "completed"]
    if done:
        job = max(done, key=lambda one: (one["outcome"] == "answered", one["findings"]))["task_id"]
        found |= {"job": f"/jobs/{job}", "report": f"/jobs/{job}/report", "review": f"/jobs/{job}/review",
                  "state": f"/jobs/{job}/state", "evidence": f"/jobs/{job}/evidence/E1#quote"}  # fmt: skip
    found |= {"batches": "/batches", "batch-new": "/batches/new"}
    if batches:
        found["batch"] = f"/batches/{batches[0]['batch']}"
    found |= {"watches": "/watches", "watch-new": "/watches/new"}
    if watches:
        found["watch"] = f"/watches/{watches[0]['id']}"
    found |= {"memory": "/memory?q=battery", "spend": "/spend", "walls": "/interventions"}
    if walls:
        found["wall"] = f"/interventions/{walls[0]['id']}"
    return found | {"system": "/system", "doctor": "/system/doctor"}


async def _take(address: str, token: str, pages: dict[str, str], folder: Path, form: str) -> None:
    program = find_browser(load_core_config())
    if program is None:
        raise SystemExit(f"no browser: {HOW_TO_GET}")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**program.options)
        for device, width in WIDTHS.items():
            context = await browser.new_context(viewport={"width": width, "height": 800})
            page = await context.new_page()
            await page.goto(f"{address}/ui/sign-in")
            await page.locator("input[name=token]").fill(token)
            await page.keyboard.press("Enter")
            await page.wait_for_url("**/ui/")
            for name, path in pages.items():
                for scheme in SCHEMES:
                    await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                    await _open(page, f"{address}/ui{path}")
                    picture = await _picture(context, page, form, MOST_HEIGHT[device])
                    (folder / f"{name}-{device}-{scheme}.{form}").write_bytes(picture)
        await browser.close()


async def _open(page: Page, address: str) -> None:
    await page.goto(address)
    if address.endswith("/system"):
        await page.locator("details.fold summary").first.click()
    if address.endswith("/report"):
        mark = page.locator("a.cite").first
        if await mark.count():
            await mark.click()
    await page.wait_for_timeout(500)
    await page.evaluate("scrollTo(0, 0)")  # a quote has scrolled to its place, and the bar with it


async def _picture(context: BrowserContext, page: Page, form: str, most: int) -> bytes:
    height = min(most, await page.evaluate("document.documentElement.scrollHeight"))
    width = page.viewport_size["width"] if page.viewport_size else 0
    session = await context.new_cdp_session(page)
    taken = await session.send(
        "Page.captureScreenshot",
        {
            "format": form,
            **({"quality": QUALITY} if form == "webp" else {}),
            "captureBeyondViewport": True,
            "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
        },
    )
    await session.detach()
    return base64.b64decode(taken["data"])


if __name__ == "__main__":
    main()
