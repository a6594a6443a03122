"""The command `research page`, which prints one page as the crawler reads it, from the web or from a file."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.exit_codes import BAD_USAGE, FAILED
from research_crawler.cli.session import echo, echo_err, echo_json, fail, run_session, settings
from research_crawler.cli.views.printed_reports import printable
from research_crawler.core.config import Config
from research_crawler.core.errors import FetchFailed, PageUnreadable
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.web.urls import canonical_url

if TYPE_CHECKING:
    from research_crawler.core.models.web.pages import PageText
    from research_crawler.services.fetch_once import Render

PageRecord = dict[str, Any]
"""The output of the command for one page, with every key of `_empty`; reasons are written as their text."""
HINTS = {
    Why(Reason.EMPTY): "the page is empty",
    Why(Reason.BINARY): "neither text nor a PDF",
    Why(Reason.NO_TEXT): "no readable text was found in it",
    Why(Reason.PDF_BROKEN): "a PDF that cannot be parsed",
    Why(Reason.PDF_LOCKED): "a PDF that needs a password",
    Why(Reason.TOO_LARGE): "larger than RESEARCH_DOWNLOAD_MAX_BYTES allows",
    Why(Reason.BOMB): "after unpacking it is larger than RESEARCH_DOWNLOAD_MAX_BYTES allows",
    Why(Reason.PARSE_TIMEOUT): "reading it took too long",
    Why(Reason.PARSE_MEMORY): "reading it took more memory than RESEARCH_PARSE_MEMORY_MB allows",
    Why(Reason.PARSE_FAILED): "it could not be read because of an error",
    Why(Reason.ROBOTS): "the host's robots.txt disallows it",
    Why(Reason.ROBOTS_UNREACHABLE): "the host's robots.txt could not be read, so the host is not visited until then",
    Why(Reason.BAD_REDIRECT): "it redirects to something that is not an http(s) URL",
    Why(Reason.GUARD, "private_address"):
        "an address in a private network; RESEARCH_ALLOW_PRIVATE_HOSTS allows networks",
    Why(Reason.DNS): "there is no host of that name",
    Why(Reason.NEEDS_RENDER, "no browser"):
        "scripts make its text, and there is no browser; `research doctor` says how to get one",
}  # fmt: skip
"""Reasons of events and the explanations that the user gets with them."""


@click.command()
@click.argument("source", required=False, metavar="URL|FILE")
@click.option("--url", default="", help="The URL of the saved FILE.")
@click.option("--jsonl", "listing", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="LIST",
              help="Read saved pages from a file with lines {id, path, url, status?}, and print a JSON line "
              "for each.")  # fmt: skip
@click.option("--render", type=click.Choice(["auto", "always", "never"]), default="auto",
              help="Render the page in a browser only if it needs one (auto), always, or never. "
              "Default: auto.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def page(source: str | None, *, url: str, listing: Path | None, render: "Render", as_json: bool) -> None:
    """Fetch a page, or read a saved file, and print the text that is stored of it.

    A page is fetched as in a job: only from public addresses, and only if the host's robots.txt allows it.
    The line "truncated: suspected" says that the page seems to have much more text than was found.
    """
    config = settings()
    if (source is None) == (listing is None):
        raise click.UsageError("give a URL or FILE, or --jsonl LIST", click.get_current_context())
    if listing is not None:
        reader = SavedPages(config)
        for entry in saved_page_entries(listing):
            echo_json(json.dumps(reader.read(entry), ensure_ascii=False, default=str))
    elif source and "://" not in source:
        if not Path(source).is_file():
            fail(f"{source}: no such file (a URL starts with http:// or https://)", code=BAD_USAGE)
        record = SavedPages(config).read({"id": None, "path": Path(source), "url": url})
        raise SystemExit(_print(record, as_json=as_json, source=source))
    elif not canonical_url(source or ""):
        fail(f"{source!r} is not an http(s) URL", code=BAD_USAGE)
    else:
        run_session(config, lambda: _fetch(config, source or "", render=render, as_json=as_json))


async def _fetch(config: Config, url: str, *, render: "Render", as_json: bool) -> int:
    from research_crawler.runtime.runtime import running
    from research_crawler.services.fetch_once import visit_one

    async with running(config, crawl="page", plan=False) as runtime:
        try:
            event = await visit_one(runtime, url, render=render)
        except FetchFailed as error:
            return _print(_empty(url=url) | {"error": error.reason}, as_json=as_json)
        archive = runtime.container.archive
        stored = await archive.get_page(event.page.sha) if event.page else None
        raw = await archive.raw_page(stored.sha) if stored else None
    record = _empty(url=url)
    if stored is not None:
        record |= {"final_url": stored.final_url, "status": stored.status, "tokens": stored.tokens}
        record |= _text_fields(stored.page) | {"products": _products_of(raw or b"", stored.final_url)}
    elif event.outcome == "blocked":
        record["blocker"] = _blocker_from_reason(event.reason)
    else:
        record["refused" if event.outcome == "refused" else "error"] = event.reason or Why(
            Reason(event.outcome)
        )
    return _print(record, as_json=as_json)


def saved_page_entries(listing: Path) -> Iterator[PageRecord]:
    """The entries of a list of saved pages. Their paths are relative to the list."""
    for number, line in enumerate(listing.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            entry["path"] = listing.parent / entry["path"]
        except (ValueError, KeyError, TypeError):
            fail(f"{listing}, line {number}: not a JSON object {{id, path, url}}", code=BAD_USAGE)
        yield entry


class SavedPages:
    """Reads saved pages in this process, and loads the tokenizer only once."""

    def __init__(self, config: Config) -> None:
        from research_crawler.adapters.models.embedder import SentenceEmbedder

        self._config, self._embedder = config, SentenceEmbedder(config.embedding_model)

    def read(self, entry: PageRecord) -> PageRecord:
        """Read the text and the products of a saved file. A `.gz` file is unpacked first."""
        from research_crawler.extraction.page import read_page

        status, url = entry.get("status", 200) or 200, entry.get("url") or ""
        record = _empty(url=url) | {"id": entry.get("id"), "status": status}
        path = Path(entry["path"])
        try:
            body = self._bytes_of(path)
            record["blocker"] = _blocker_of(body, url, status)
            text = read_page(body, url=url, headers={}, status=status)
        except PageUnreadable as error:
            return record | {"error": error.reason}
        except OSError as error:
            return record | {"error": f"{path}: {error.strerror or error}"}
        except (EOFError, zlib.error) as error:
            return record | {"error": f"{path}: the gzip file is damaged or cut off ({error})"}
        tokens = self._embedder.count_tokens(text.markdown)
        products = _products_of(body, url)
        return (
            record | _text_fields(text) | {"final_url": url or None, "products": products, "tokens": tokens}
        )

    def _bytes_of(self, path: Path) -> bytes:
        max_bytes = self._config.download_max_bytes
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            body = file.read(max_bytes + 1)
        if len(body) > max_bytes:
            raise PageUnreadable(Reason.TOO_LARGE)
        return body


def _empty(*, url: str) -> PageRecord:
    """A record with every key of the output, null or empty until it is filled."""
    return {
        "id": None, "url": url or None, "final_url": None, "status": None, "refused": None, "blocker": None,
        "kind": None, "title": None, "author": None, "date": None, "modified": None, "language": None,
        "site": None, "canonical_url": None, "description": None, "encoding": None, "text": "", "markdown": "",
        "headings": [], "links": [], "products": [], "posts": [], "metadata": {},
        "noarchive": False, "nosnippet": False, "tokens": 0, "error": None,
    }  # fmt: skip


def _blocker_of(body: bytes, url: str, status: int) -> PageRecord | None:
    """The blocker (captcha, login wall …) that a saved file contains instead of the page."""
    from research_crawler.extraction.blockers.detection import detect_blocker

    blocker = detect_blocker(body, url=url, status=status, headers={})
    return blocker.model_dump() if blocker else None


def _blocker_from_reason(wall: Why) -> PageRecord:
    """The blocker of a fetched page, from the reason in its event, e.g. "captcha by hcaptcha (http 403)"."""
    return {"kind": wall.kind.value, "vendor": wall.by, "confidence": None, "evidence": wall.text}


def _products_of(body: bytes, url: str) -> list[PageRecord]:
    """The products of a page, its main product first; [] if it sells nothing or is not HTML."""
    from research_crawler.extraction.products.product_reader import read_products

    try:
        return [product.model_dump(mode="json") for product in read_products(body, url=url)] if body else []
    except PageUnreadable:
        return []


def _text_fields(text: "PageText") -> PageRecord:
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


def _print(record: PageRecord, *, as_json: bool, source: str = "") -> int:
    """Print one page and return the exit code. `source` names a saved file whose URL is not known."""
    reason = record["refused"] or record["error"]
    hint = HINTS.get(reason) or (HINTS.get(Why(reason.kind)) if isinstance(reason, Why) else None)
    explained = f"{reason}: {hint}" if hint else reason
    fault = f"refused: {explained}" if record["refused"] else explained
    if record["blocker"]:
        kind, evidence, confidence = (record["blocker"][key] for key in ("kind", "evidence", "confidence"))
        fault = f"blocked: {evidence}" if confidence is None else f"blocked: {kind}; {evidence}"
    if as_json:
        echo_json(json.dumps(record, ensure_ascii=False, indent=2, default=str))
        return FAILED if fault else 0
    if fault:
        echo_err(f"{record['url'] or source}: {fault}")
        return FAILED
    for name in ("kind", "title", "author", "date", "modified", "language", "site", "final_url", "tokens"):
        if record[name]:
            echo_err(f"{name}: {printable(str(record[name]))}")
    if record["metadata"].get("truncated"):
        echo_err(f"truncated: {printable(str(record['metadata']['truncated']))}")
    echo(record["markdown"])
    return 0
