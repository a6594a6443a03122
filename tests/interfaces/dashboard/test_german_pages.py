"""Every page in German beside the same page in English: what is said by us is said in German."""

import ast
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

from planner.job.factory import make_job
from planner.watches.price_alerts import alert_of
from research_crawler.adapters.sql.inserting import insert_new
from research_crawler.adapters.sql.stores.watch_store import SqlWatches
from research_crawler.adapters.sql.tables.watch_tables import WATCH_ALERTS
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.models.jobs.records import TimelineEntry
from research_crawler.core.models.watches.watch import Change, Identity, ObservedState
from research_crawler.interfaces.dashboard.page_words import WORDS_OF_ACTIONS
from research_crawler.text.writing.messages import ENGLISH_MESSAGES, Messages
from tests.interfaces.dashboard.desk_samples import NAMES, sample_batch
from tests.interfaces.dashboard.test_pages import archived, seen
from tests.interfaces.http.test_interventions import put_wall
from tests.interfaces.http.test_watches import put

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
IMPLIED = {"li", "td", "th", "tr", "dt", "dd", "option"}
"""Elements that our templates do not close."""
OF_OTHERS = {
    "title",
    "textarea",
    "code",
    "kbd",
    "pre",
    "q",
    "blockquote",
    "bdi",
    "cite",
    "article",
    "script",
    "style",
}
SAID = ("aria-label", "title", "alt", "data-label", "data-close")
OF_SAMPLES = {
    "A page", "First this, then that", "Heat moves from cold to warm.", "How loud is it?", "It is simple.",
    "It moves heat", "Power is needed", "Pumps", "Something", "That takes power.", "The compressor needs power.",
    "What does it cost", "When is high water?", "enough", "heat pumps", "heat pumps – to learn more",
    "how do heat pumps work", "the heat", "laptop", "<img src=x> – Amazon", "<b>a wall</b>", "harbour.example",
    "bikes <all>", "name", "price", "foldable", *NAMES,
}  # fmt: skip
"""What pages, people and models say in the samples: it stays as it is."""
OF_SETTINGS = {"true", "false", "never", "skip", "research:", "research.example"}
"""Values of settings, as they are written into a file."""
SAME = {"System", "← System", "Markdown", "Word", "BibTeX", "Host", "Name", "Tokens", "research"}
"""What both languages call the same."""


class _Said(HTMLParser):
    """The texts of a page that are ours, beside those of others that stand among them (`OF_SAMPLES`)."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        while (
            tag in IMPLIED
            and self._open
            and self._open[-1][0] in IMPLIED - {"li", "tr"} | ({tag} & {"li", "tr"})
        ):
            self._open.pop()
        hidden = bool(self._open and self._open[-1][1])
        is_theirs = hidden or tag in OF_OTHERS or (tag != "html" and "lang" in values)
        if not is_theirs:
            self.found |= {values[name] or "" for name in SAID if name in values}
        if tag not in VOID:
            self._open.append((tag, is_theirs))

    def handle_endtag(self, tag: str) -> None:
        if tag in [name for name, _ in self._open]:
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not (self._open and self._open[-1][1]):
            self.found.add(data)


def said_by_us(page: str) -> set[str]:
    """Its texts with at least one word."""
    reader = _Said()
    reader.feed(page)
    lines = {" ".join(text.split()) for text in reader.found}
    return (
        {
            line
            for line in lines
            if re.search(r"[a-z]{3}", line) and not re.search(r"^\w+:\S+$|^/|^\[\d\] |://|^localhost,", line)
        }
        - SAME
        - OF_SAMPLES
        - OF_SETTINGS
    )


FAULT = "the token ceiling of the job does not allow another 900 tokens"
SAY = ENGLISH_MESSAGES
WARNINGS = [
    SAY("took_over", reason=FAULT),
    SAY("synthesis_failed", reason=FAULT),
    SAY("named_page_unread", why="https://a.example/: refused robots"),
    SAY("got_stuck", why=SAY("no_progress")),
    SAY("got_stuck", why=SAY("barren_rounds", n=3)),
    SAY("weak_research", relevance="0.2"),
    SAY("evidence_required"),
    SAY("context_cut", bytes="20,000"),
    SAY("conversation_cut", bytes="20,000"),
    SAY("offers_not_compared"),
    SAY("offline"),
    SAY("not_found_items", items="how loud"),
    SAY("vendors_answered", answered=1, wanted=3, detail=" (a.example: no products)"),
]
"""What planners warn of."""
STEPS = [
    "https://a.example/ – The most promising of 2 pages, on 1 host, best 0.95 (forum, must_visit); so far 1 finding.",
    "https://a.example/: failed timeout",
    "https://a.example/: not used, because it is dated 2020-01-01",
    "search “pumps”: failed timeout",
    "2 results about something else than Redis were left out",
    "round 2: continued without 1 of its answers",
    "the decision has no page that may be visited",
    "a.example – its sitemap",
    "a.example – 1 product page",
    "a.example – its pages by a web search, for timeout",
    "4 offers of 3 vendors – no further vendor is known",
    "round 2 of the review begins",
    SAY("done_agreed", one="a.example", other="b.example", product="Calder"),
]
"""What planners note."""


async def put_alert(served, watch: str) -> None:
    """An alert that a planner in English has written."""
    entry = await SqlWatches(served.runtime.container.archive).get(watch)
    change = Change(
        watch=watch,
        product="p",
        number=1,
        at_ms=1,
        before=ObservedState(price="320", currency="EUR"),
        after=ObservedState(price="280", currency="EUR"),
        reference="320",
        identity=Identity(vendor="a.example", name="Kettle"),
    )
    alert = alert_of(entry.watch, change, ["below", "drop", "back_in_stock", "change"])
    row = {"key": alert.key, "watch": watch, "at_ms": 1, "alert": alert.model_dump_json()}
    await served.runtime.container.archive.change(
        lambda connection: insert_new(connection, WATCH_ALERTS, [row])
    )


async def test_every_page_says_in_german_what_it_says_in_english(visitor):
    served = visitor.served
    done = await archived(served, "")
    live = (await served.post("/jobs", {"goal": "How loud is it?"}))["task_id"]
    for text in STEPS:
        await served.step(live, text)
    warned = make_job(JobInputs(goal="How loud is it?"), Limits())
    warned = warned.changed(warnings=WARNINGS, plan=warned.plan.changed(fallback=f"model brain: {FAULT}"))
    await served.runtime.container.jobs.submit(warned)
    batch = await sample_batch(served)
    watch = (await served.post("/watches", {"query": "laptop", "every": "6h", "below": "700"}, 201))["id"]
    await put(served, [seen(n, price, watch=watch) for n, price in enumerate(["800", "750", "690"])])
    await put_alert(served, watch)
    wall = await put_wall(served)
    paths = [
        "/", "/model", "/jobs", f"/jobs/{live}", f"/jobs/{warned.id}",
        f"/jobs/{done}", f"/jobs/{done}/report", f"/jobs/{done}/review",
        f"/jobs/{done}/evidence/E1", f"/jobs/{done}/sources", f"/jobs/{done}/follow-ups", "/batches", "/batches/new",
        f"/batches/{batch}", f"/batches/{batch}?sure=low", "/watches", "/watches/new", f"/watches/{watch}",
        f"/watches/{watch}/edit", f"/watches/{watch}/seen?product=p&currency=USD", "/memory?q=heat", "/spend",
        "/interventions", f"/interventions/{wall}", "/system", "/system/doctor", "/nowhere", "/jobs/nosuchjob",
        "/watches/nosuch", f"/jobs/{live}/report", "/memory?q=x&host=%20.", "/jobs?after=xx", "/watches?after=-1",
        "/estimate?depth=quick",
    ]  # fmt: skip
    english = {path: said_by_us((await visitor.client.get(f"/ui{path}")).text) for path in paths}
    await visitor.send("/preferences", language="de", theme="light", back="/")
    missing = {}
    for path in paths:
        german = said_by_us((await visitor.client.get(f"/ui{path}")).text)
        if same := german & english[path]:
            missing[path] = same
    assert missing == {}


def test_every_kind_of_line_in_a_timeline_has_a_name_in_words():
    noted = set()
    for path in Path(str(files("planner"))).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "note"
            ):
                kinds = (part for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant))
                noted |= {str(part.value) for part in kinds if isinstance(part.value, str)}
    assert {"lookup", "vendors_done", "section"} <= noted
    assert noted - set(WORDS_OF_ACTIONS) == set()


async def test_a_page_in_english_tells_in_english_of_a_job_in_german(visitor):
    german = Messages("de")
    job = make_job(JobInputs(goal="Wie laut ist sie?"), Limits())
    needs = ", ".join([german("what_it_costs"), "wie laut sie ist"])
    ended = german("done_lacking", findings=2, hosts=1, why=german("done_sure"), items=needs)
    leaves = [
        Leaf(id="1.1", question=german("what_it_costs")),
        Leaf(id="1.2", question="Wie schwer ist sie?"),
    ]
    job = job.changed(
        warnings=[german("got_stuck", why=german("barren_rounds", n=3))],
        timeline=[TimelineEntry(at_ms=1, iteration=1, action="done", text=ended)],
        outline=Outline(sections=[Section(id="1", title="Kauf", leaves=leaves)]),
    )
    await visitor.served.runtime.container.jobs.submit(job)
    page = await visitor.page(f"/jobs/{job.id}")
    english = Messages("en")
    assert english("got_stuck", why=english("barren_rounds", n=3)) in page
    needs = ", ".join([english("what_it_costs"), "wie laut sie ist"])
    assert english("done_lacking", findings=2, hosts=1, why=english("done_sure"), items=needs) in page
    assert english("what_it_costs") in page and "Wie schwer ist sie?" in page
    assert german("what_it_costs") not in page


async def test_what_is_wrong_with_a_form_is_said_in_german(visitor):
    batch = await sample_batch(visitor.served)
    await visitor.send("/preferences", language="de", theme="light", back="/")
    for fields, told in (
        ({"what": "laptop", "below": "abc"}, "die Grenze &#39;abc&#39; ist kein Betrag"),
        ({"what": "laptop", "every": "1m"}, "der Abstand &#39;1m&#39; ist zu kurz oder zu lang"),
        ({"what": "https://a.example/"}, "ist die Startseite eines Händlers"),
        ({"what": "laptop", "every": "6h", "notify": "nothing://x"}, "gehen keine Meldungen"),
        ({"what": "laptop", "every": "6h", "cron": "0 9 * * *", "notify": "http://["}, "keine gültige URL"),
    ):
        assert told in (await visitor.send("/watches/new", 422, **fields)).text
    cell = f"/batches/{batch}/rows/1/price"
    refused = await visitor.send(cell, 422, value="viel")
    assert "price nimmt einen Betrag wie 12.50" in refused.text
    report = await archived(visitor.served, "")
    page = await visitor.page(f"/jobs/{report}/report")
    assert '<h2 dir="auto">Answer</h2>' in page and "Key Sources</a>" in page and "Weiter fragen</a>" in page


async def test_a_timeline_and_an_estimate_are_said_in_german_around_what_was_asked(visitor):
    job = (await visitor.served.post("/jobs", {"goal": "How loud is it?"}))["task_id"]
    for text in (
        "read as commerce in US, USD, type general – the goal asks for knowledge, not for an offer",
        "heat pump; noise – Not answered yet: noise (Calder).",
        "There are 5 findings from 3 hosts, and 6 pages were read; still missing: how loud it is.",
        "http://a.example/ – The 4 most promising of 12 pages, on 3 hosts, best 0.95 (forum, skip); so far 1 finding.",
    ):
        await visitor.served.step(job, text)
    await visitor.send("/preferences", language="de", theme="light", back="/")
    page = await visitor.page(f"/jobs/{job}")
    assert "gelesen als Kauf in US, USD, Art allgemein – die Frage will Wissen und kein Angebot" in page
    assert "heat pump; noise – Noch nicht beantwortet: noise (Calder)." in page
    assert (
        "Es gibt 5 Funde von 3 Websites, und 6 Seiten wurden gelesen; es fehlt noch: how loud it is." in page
    )
    assert "http://a.example/ – Die 4 aussichtsreichsten von 12 Seiten, auf 3 Hosts, beste 0.95" in page
    asked = {"table": "name\nTarn\nAlder", "kind": "csv", "template": "{name}?", "go": "estimate"}
    estimated = (await visitor.send("/batches/new/start", 200, **asked)).text
    told = estimated.partition('role="status">')[2].partition("<")[0]
    assert told.startswith("Schätzung: 2 Zeilen, etwa 1 Minute; nach einem typischen Auftrag")
    assert "der Tiefe „schnell“" in told
    broken = (await visitor.send("/batches/new", 422, table="name,kind\nTarn", kind="csv")).text
    assert "Zeile 2, Spalte" in broken and "die Zeile hat 1 von 2 Zellen; diese fehlt" in broken
