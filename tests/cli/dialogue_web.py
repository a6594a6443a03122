"""A small web on loopback hosts for the talks of the sources: news, experts, documentation, and a chain of pages."""

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from research_crawler.text.languages.words import terms

TODAY = datetime.now(UTC)


@dataclass
class Page:
    """A page: where it is, what it says, and how old it is."""

    host: str
    path: str
    title: str
    text: list[str]
    days_old: float = 400
    is_news: bool = False
    is_listed: bool = True
    links: dict[str, str] = field(default_factory=dict)
    """Texts of links by path on the same host."""

    @property
    def published(self) -> str:
        return (TODAY - timedelta(days=self.days_old)).isoformat(timespec="seconds")

    def html(self) -> str:
        links = "".join(f'<p><a href="{path}">{text}</a></p>' for path, text in self.links.items())
        text = "".join(f"<p>{part}</p>" for part in self.text)
        return (
            f'<!doctype html><html lang="en"><head><title>{self.title}</title>'
            f'<meta property="article:published_time" content="{self.published}"></head><body><main><article>'
            f"<h1>{self.title}</h1>{text}{links}</article></main></body></html>"
        )


LEDGER, COURIER, OLD = "127.0.50.11", "127.0.50.12", "127.0.50.13"
INSTITUTE, AGENCY, FORUM = "127.0.50.21", "127.0.50.22", "127.0.50.23"
MANUAL, TALK, SCRIPT = "127.0.50.31", "127.0.50.32", "127.0.50.33"
MILL, CANAL = "127.0.50.41", "127.0.50.43"
FERRIES = ("127.0.50.42", "127.0.50.44")
"""A job that has read what one of them may give still has an unused lead at the other."""

PAGES = [
    Page(LEDGER, "/safety-tests", "New AI safety tests for large models",
         ["Four laboratories agreed on Tuesday to publish the results of AI safety tests before each release.",
          "The AI safety institute in Ottenby will run the tests, and its budget doubles to 80 million euros.",
          "Researchers said that the latest developments in AI safety make audits possible for the first time."],
         days_old=2, is_news=True),
    Page(COURIER, "/audits", "AI safety audits begin",
         ["The AI safety institute in Ottenby will run the tests that four laboratories agreed on.",
          "A court in Ferrin ruled that AI safety audits must be published within thirty days.",
          "The developments follow a year of debate about AI safety."],
         days_old=4, is_news=True),
    Page(OLD, "/first-summit", "First AI safety summit ends without an agreement",
         ["The first AI safety summit ended without an agreement on tests.",
          "The latest developments in AI safety disappointed researchers."],
         days_old=60, is_news=True),
    Page(INSTITUTE, "/costs", "Renewable energy costs: annual report of the energy institute",
         ["Experts of the institute expect renewable energy costs to fall by 4 percent a year until 2030.",
          "Solar power is now the cheapest source of renewable energy, the report says, at 41 euros per MWh.",
          "The costs of storage fall more slowly than the costs of renewable energy itself."], days_old=90),
    Page(AGENCY, "/outlook", "Outlook on renewable energy costs",
         ["Analysts of the agency say that renewable energy costs fall by 4 percent a year until 2030.",
          "Solar power is now the cheapest source of renewable energy, at 41 euros per MWh.",
          "Experts warn that grids, not renewable energy costs, decide how fast coal goes."], days_old=120),
    Page(FORUM, "/thread/9", "Forum: is renewable energy getting expensive?",
         ["I think renewable energy costs are a joke, my bill went up again.",
          "No idea what the experts are saying about it."], days_old=30),
    Page(MANUAL, "/documentation/swift/async-await", "Swift documentation: async and await",
         ["In Swift, a function that can suspend is marked with async, and its call with await.",
          "Swift runs the code after await on any thread; an actor protects its state.",
          "Use async let to call several asynchronous Swift functions at the same time."], days_old=50,
         links={"/documentation/swift/actors": "Swift documentation: actors and async functions"}),
    Page(MANUAL, "/documentation/swift/actors", "Swift documentation: actors",
         ["A Swift actor lets only one task at a time read and change its state.",
          "Calls of an actor's methods from outside need await."], days_old=50),
    Page(TALK, "/t/77", "Forum: Swift async/await question",
         ["My Swift async function hangs, does anybody know why await never returns?"], days_old=20),
    Page(SCRIPT, "/docs/async", "TypeScript async and await",
         ["In TypeScript an async function returns a promise, and await waits for it.",
          "The documentation of TypeScript has examples of async and await."], days_old=20),
    Page(MILL, "/about", "Harrow Mill: the company",
         ["Harrow Mill has made paper in Tarn since 1893.",
          "The owners of Harrow Mill have two children, as the family page tells."], days_old=300,
         links={"/family": "The family that runs Harrow Mill, and the age of the children"}),
    Page(MILL, "/family", "The family of Harrow Mill",
         ["Ida and Nils Harrow run Harrow Mill; their children are Una, aged 9, and Per, aged 12."],
         days_old=300, is_listed=False),
    *(Page(FERRIES[n % 2], f"/boats/{n}", f"Lake ferry {name}",
           [f"The lake ferry {name} was built in {1900 + n} and carries {n}0 people.",
            f"Passengers like the deck of the lake ferry {name}."], days_old=200)
      for n, name in enumerate(("Alda", "Brine", "Corin", "Delta", "Ebba", "Fjord"), 3)),
    *(Page(CANAL, f"/locks/{n}", f"Canal lock {name}",
           [f"The canal lock {name} lifts boats by {n} metres.", f"Its keeper opens lock {name} at dawn."],
           days_old=200)
      for n, name in enumerate(("Arden", "Birk", "Cole", "Dorn", "Esk", "Flint"), 3)),
]  # fmt: skip


@dataclass
class DialogueWeb:
    """The search service's address, and what it was asked."""

    search: str = ""
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Category and query."""
    ports: dict[str, int] = field(default_factory=dict)

    def url(self, host: str, path: str = "/") -> str:
        return f"http://{host}:{self.ports[host]}{path}"

    def results(self, category: str, query: str) -> list[dict[str, str]]:
        """The pages that share words with the query, the best first."""
        self.asked.append((category, query))
        wanted = set(terms(query))
        shown = [page for page in PAGES if page.is_listed and (category != "news" or page.is_news)]
        scored = [(len(wanted & set(terms(f"{p.title} {' '.join(p.text)}"))), p) for p in shown]
        best = sorted((pair for pair in scored if pair[0] > 1), key=lambda pair: -pair[0])
        return [
            {"url": self.url(page.host, page.path), "title": page.title, "content": page.text[0],
             "publishedDate": page.published}
            for _, page in best
        ]  # fmt: skip


@contextmanager
def dialogue_web() -> Iterator[DialogueWeb]:
    """Serve the pages, each host at its own address, and a search service in the form of SearXNG."""
    web = DialogueWeb()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host, split = self.server.server_address[0], urlsplit(self.path)
            if split.path == "/search":
                asked = {name: values[0] for name, values in parse_qs(split.query).items()}
                results = web.results(asked.get("categories", "general"), asked.get("q", ""))
                self._send(json.dumps({"query": asked.get("q"), "results": results}), "application/json")
                return
            page = next((one for one in PAGES if (one.host, one.path) == (host, split.path)), None)
            if page is None:
                self.send_error(404)
                return
            self._send(page.html(), "text/html; charset=utf-8")

        def _send(self, text: str, kind: str) -> None:
            data = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ExitStack() as stack:
        for host in dict.fromkeys(["127.0.50.1", *(page.host for page in PAGES)]):
            server = ThreadingHTTPServer((host, 0), Handler)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            stack.callback(server.server_close)
            stack.callback(server.shutdown)
            web.ports[host] = server.server_address[1]
        web.search = web.url("127.0.50.1", "")
        yield web
