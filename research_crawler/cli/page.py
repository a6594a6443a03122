"""`research page`: one page as the system sees it, fetched or from a file."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.exit_codes import BAD_USAGE, FAILED
from research_crawler.cli.session import fail, run_session, say, settings, tell
from research_crawler.cli.show import printable
from research_crawler.core.config import Config
from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.urls import canonical_url

if TYPE_CHECKING:
    from research_crawler.core.models.pages import PageText
    from research_crawler.services.fetch_once import Render

Seen = dict[str, Any]
"""The command's answer for one page, with every key of `_empty`; reasons are written as their text."""
HINTS = {
    Why(Reason.EMPTY): "there is nothing in it",
    Why(Reason.BINARY): "neither text nor a PDF",
    Why(Reason.NO_TEXT): "no text can be read in it",
    Why(Reason.PDF_BROKEN): "a PDF that cannot be parsed",
    Why(Reason.PDF_LOCKED): "a PDF that asks for a password",
    Why(Reason.TOO_LARGE): "larger than DOWNLOAD_MAX_BYTES allows",
    Why(Reason.BOMB): "unpacked it is larger than DOWNLOAD_MAX_BYTES allows",
    Why(Reason.PARSE_TIMEOUT): "reading it took too long",
    Why(Reason.PARSE_FAILED): "reading it failed",
    Why(Reason.ROBOTS): "the host's robots.txt disallows it",
    Why(Reason.ROBOTS_UNREACHABLE): "the host's robots.txt cannot be had, so nothing else is asked of it for now",
    Why(Reason.BAD_REDIRECT): "it leads to what is no web address",
    Why(Reason.GUARD, "private_address"):
        "an address of a private network; RESEARCH_ALLOW_PRIVATE_HOSTS opens networks",
    Why(Reason.DNS): "its host has no address",
    Why(Reason.NEEDS_RENDER, "no browser"):
        "scripts make its text, and there is no browser; `research doctor` says how to get one",
}  # fmt: skip
"""What a person is told beside a reason."""


@click.command()
@click.argument("source", required=False, metavar="URL|FILE")
@click.option("--url", default="", help="URL that a saved file came from.")
@click.option("--jsonl", "listing", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="LIST",
              help="Saved pages: lines {id, path, url, status?}; one JSON line each.")  # fmt: skip
@click.option("--render", type=click.Choice(["auto", "always", "never"]), default="auto",
              help="Show the page in a browser when it needs one (auto), in any case, or never.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout and nothing else.")
def page(source: str | None, *, url: str, listing: Path | None, render: "Render", as_json: bool) -> None:
    """Fetch a page (through guard, robots.txt and frontier) or read a saved file, and print what is stored of it."""
    config = settings()
    if (source is None) == (listing is None):
        raise click.UsageError("give a URL or FILE, or --jsonl LIST", click.get_current_context())
    if listing is not None:
        reader = SavedPages(config)
        for entry in entries_of(listing):
            say(json.dumps(reader.read(entry), ensure_ascii=False, default=str))
    elif source and "://" not in source:
        if not Path(source).is_file():
            fail(f"{source}: no such file (a URL starts with http:// or https://)", code=BAD_USAGE)
        seen = SavedPages(config).read({"id": None, "path": Path(source), "url": url})
        raise SystemExit(_print(seen, as_json=as_json, source=source))
    elif not canonical_url(source or ""):
        fail(f"{source!r} is not an http(s) URL", code=BAD_USAGE)
    else:
        run_session(config, lambda: _fetch(config, source or "", render=render, as_json=as_json))


async def _fetch(config: Config, url: str, *, render: "Render", as_json: bool) -> int:
    from research_crawler.runtime.runtime import running
    from research_crawler.services.fetch_once import visit_one

    async with running(config, crawl="page", plan=False) as runtime:
        event = await visit_one(runtime, url, render=render)
        archive = runtime.container.archive
        stored = await archive.get_page(event.page.sha) if event.page else None
        raw = await archive.raw_page(stored.sha) if stored else None
    seen = _empty(url=url)
    if stored is not None:
        seen |= {"final_url": stored.final_url, "status": stored.status, "tokens": stored.tokens}
        seen |= _of_text(stored.page) | {"products": _products_of(raw or b"", stored.final_url)}
    elif event.what == "blocked":
        seen["blocker"] = _told_blocker(event.reason)
    else:
        seen["refused" if event.what == "refused" else "error"] = event.reason or Why(Reason(event.what))
    return _print(seen, as_json=as_json)


def entries_of(listing: Path) -> Iterator[Seen]:
    """The lines of a list of saved pages; their paths are relative to the list."""
    for number, line in enumerate(listing.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            entry["path"] = listing.parent / entry["path"]
        except (ValueError, KeyError, TypeError):
            fail(f"{listing}, line {number}: not an object {{id, path, url}}", code=BAD_USAGE)
        yield entry


class SavedPages:
    """Reads saved pages in this process; the tokenizer is loaded once."""

    def __init__(self, config: Config) -> None:
        from research_crawler.adapters.models.embedder import SentenceEmbedder

        self._config, self._embedder = config, SentenceEmbedder(config.embedding_model)

    def read(self, entry: Seen) -> Seen:
        """What the sanitizer makes of a saved file; `.gz` is unpacked."""
        from research_crawler.extraction.page import read_page

        status, url = entry.get("status", 200) or 200, entry.get("url") or ""
        seen = _empty(url=url) | {"id": entry.get("id"), "status": status}
        path = Path(entry["path"])
        try:
            body = self._bytes_of(path)
            seen["blocker"] = _blocker_of(body, url, status)
            text = read_page(body, url=url, headers={}, status=status)
        except PageUnreadable as error:
            return seen | {"error": error.reason}
        except OSError as error:
            return seen | {"error": f"{path}: {error.strerror or error}"}
        except (EOFError, zlib.error) as error:
            return seen | {"error": f"{path}: not a whole gzip file ({error})"}
        tokens = self._embedder.count_tokens(text.markdown)
        products = _products_of(body, url)
        return seen | _of_text(text) | {"final_url": url or None, "products": products, "tokens": tokens}

    def _bytes_of(self, path: Path) -> bytes:
        most = self._config.download_max_bytes
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            body = file.read(most + 1)
        if len(body) > most:
            raise PageUnreadable(Reason.TOO_LARGE)
        return body


def _empty(*, url: str) -> Seen:
    """Every key of the command's answer, null or [] until something fills it."""
    return {
        "id": None, "url": url or None, "final_url": None, "status": None, "refused": None, "blocker": None,
        "kind": None, "title": None, "author": None, "date": None, "modified": None, "language": None,
        "site": None, "canonical_url": None, "description": None, "encoding": None, "text": "", "markdown": "",
        "headings": [], "links": [], "products": [], "posts": [], "metadata": {},
        "noarchive": False, "nosnippet": False, "tokens": 0, "error": None,
    }  # fmt: skip


def _blocker_of(body: bytes, url: str, status: int) -> Seen | None:
    """What stands in the place of a saved page."""
    from research_crawler.extraction.blockers.detection import detect_blocker

    blocker = detect_blocker(body, url=url, status=status, headers={})
    return blocker.model_dump() if blocker else None


def _told_blocker(wall: Why) -> Seen:
    """What stood in the place of a fetched page, from its event."""
    return {"kind": wall.kind.value, "vendor": wall.by, "confidence": None, "evidence": wall.text}


def _products_of(body: bytes, url: str) -> list[Seen]:
    """The products of a page, its main product first; [] for one that sells nothing or is no markup."""
    from research_crawler.extraction.products.ladder import read_products

    try:
        return [one.model_dump(mode="json") for one in read_products(body, url=url)] if body else []
    except PageUnreadable:
        return []


def _of_text(text: "PageText") -> Seen:
    return {
        "title": text.title or None,
        "author": text.author or None,
        "date": text.published or None,
        "modified": text.modified or None,
        "language": text.language or None,
        "site": text.site or None,
        "canonical_url": text.canonical_url or None,
        "description": text.description or None,
        "kind": text.kind,
        "encoding": text.encoding or None,
        "text": text.text,
        "markdown": text.markdown,
        "headings": [heading.model_dump() for heading in text.headings],
        "links": [link.model_dump() for link in text.links],
        "posts": [post.model_dump() for post in text.posts],
        "metadata": text.metadata,
        "noarchive": text.noarchive,
        "nosnippet": text.nosnippet,
    }


def _print(seen: Seen, *, as_json: bool, source: str = "") -> int:
    """Print one page; answers the exit code. `source`: what to call a saved file whose URL is not known."""
    reason = seen["refused"] or seen["error"]
    known = f"{reason}: {HINTS[reason]}" if reason in HINTS else reason
    fault = f"refused: {known}" if seen["refused"] else known
    if seen["blocker"]:
        kind, evidence, confidence = (seen["blocker"][key] for key in ("kind", "evidence", "confidence"))
        fault = f"blocked: {evidence}" if confidence is None else f"blocked: {kind}; {evidence}"
    if as_json:
        say(json.dumps(seen, ensure_ascii=False, indent=2, default=str))
        return FAILED if fault else 0
    if fault:
        tell(f"{seen['url'] or source}: {fault}")
        return FAILED
    for name in ("kind", "title", "author", "date", "modified", "language", "site", "final_url", "tokens"):
        if seen[name]:
            tell(f"{name}: {printable(str(seen[name]))}")
    say(seen["markdown"])
    return 0
