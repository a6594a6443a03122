"""The pages of the dashboard: what they show, and that nothing of a page or a question becomes markup."""

import json
import re
import time
from datetime import UTC, datetime
from html.parser import HTMLParser
from urllib.parse import quote

import httpx
import pytest

from planner.job.factory import make_job
from research_crawler.core.models.evidence.quality import Evaluation
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.jobs.records import TimelineEntry
from research_crawler.core.models.messages.events import PersonAnswered, Usage
from research_crawler.core.models.people.reviews import OpenQuestion, ReviewAnswer
from research_crawler.core.models.reports.cited_parts import Verdict
from research_crawler.core.models.watches.watch import Observation
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.interfaces.dashboard.charts import HEIGHT, WIDTH, chart_of
from research_crawler.interfaces.dashboard.locale_text import LocaleText
from research_crawler.interfaces.dashboard.page_templates import macros
from research_crawler.services.watch_documents import PriceSeries
from tests.interfaces.http.test_interventions import JPEG, put_wall, session
from tests.interfaces.http.test_watches import day, put
from tests.services.exports.samples import HOSTILE, report_with, sample_jobs

QUOTE = "Heat moves from cold to warm."
TAG = re.compile(r"<(/?[a-zA-Z!][^\s>/]*)")
OURS = re.compile(
    r"!DOCTYPE|html|head|meta|title|link|script|body|a|header|nav|form|input|button|main|h1|h2|h3|p|"
    r"table|thead|tbody|tr|th|td|section|progress|span|dl|dt|dd|ul|ol|li|time|b|pre|article|cite|bdi|"
    r"br|blockquote|q|footer|mark|code|label|textarea|select|option|fieldset|legend|div|small|figure|"
    r"svg|path|circle|figcaption|img|meter|details|summary|em|strong|hr|h4|g|text|line|polyline|rect|"
    r"del|ins|dialog|aside|caption|output|optgroup|datalist|kbd|samp|var|tfoot|i|s"
)


class _Attributes(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(name, value or "") for name, value in attrs]


def check_tags(page: str) -> None:
    """Whether a page has no element, attribute or link but ours."""
    tags = {tag.lstrip("/") for tag in TAG.findall(page)}
    assert [tag for tag in tags if not OURS.fullmatch(tag)] == []
    reader = _Attributes()
    reader.feed(page)
    assert [name for name, _ in reader.found if name.startswith("on") or name in ("style", "srcdoc")] == []
    links = [value for name, value in reader.found if name in ("href", "src", "action", "formaction")]
    assert [
        link
        for link in links
        if not re.match(r"/ui|#|https?://|data:,$|[\w/%-]*$|quotes/\d+\?[\w,&=]+$", link)
    ] == []
    calls = [value for name, value in reader.found if name.startswith("hx-get")]
    assert [call for call in calls if not call.startswith("/ui/")] == []
    assert page.count("<script") == len(
        re.findall(r"<script src=\"/ui/static/[a-z.]+\?v=[0-9a-f]+\" defer></script>", page)
    )


async def archived(served, text: str, *, verdict: Verdict | None = None) -> str:
    """A finished job whose texts of others end with `text`, and whose first quote stands in a stored page."""
    job, findings = sample_jobs()["pumps"]
    report = report_with(text)
    markdown = f"# Pumps\n\n{text}\n\nIt is simple. {QUOTE} That takes power.".encode(
        "utf-8", "replace"
    ).decode()
    start = markdown.index(QUOTE)
    sha = report.evidence[0].page_sha256
    first = report.evidence[0].model_copy(update={"quote": QUOTE, "start": start, "end": start + len(QUOTE)})
    claims = [claim.changed(verdict=verdict or claim.verdict) for claim in report.claims]
    report = report.changed(evidence=[first, *report.evidence[1:]], claims=claims)
    page = StoredPage(sha=sha, url="https://a.example/1", final_url="https://a.example/1",
                      page=PageText(markdown=markdown, text=markdown))  # fmt: skip
    await served.runtime.container.archive.put_page(page, None)
    await served.runtime.container.archive.save_job(job, findings, report.model_dump(mode="json"))
    return job.id


async def test_jobs_are_listed_page_by_page_and_a_running_one_is_shown_with_its_timeline(visitor):
    goals = [
        "<script>alert(1)</script> {{ 7 * 7 }}",
        "How do heat pumps work?",
        "'\"><img src=x onerror=alert(1)>",
    ]
    ids = [(await visitor.served.post("/jobs", {"goal": goal}))["task_id"] for goal in goals]
    page = await visitor.page("/jobs?limit=2")
    check_tags(page)
    older = re.search(r'href="/ui(/jobs\?limit=2&amp;after=[^"]+)"', page)[1].replace("&amp;", "&")
    shown = page + await visitor.page(older)
    assert all(f"/ui/jobs/{job}" in shown for job in ids)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {{ 7 * 7 }}" in shown
    await visitor.served.step(ids[0], "<b onclick=x>asks</b>")
    job = await visitor.page(f"/jobs/{ids[0]}")
    check_tags(job)
    assert f'data-events="/ui/jobs/{ids[0]}/events"' in job
    assert "&lt;b onclick=x&gt;asks&lt;/b&gt;" in job
    state = await visitor.page(f"/jobs/{ids[0]}/state")
    check_tags(state)
    assert "# Research State" in state
    assert "<h1>This did not work</h1>" in await visitor.page(f"/jobs/{ids[0]}/report", 409)
    async with visitor.client.stream("GET", f"/ui/jobs/{ids[0]}/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        line = await anext(events.aiter_lines())
        assert line == "event: step"


async def test_states_and_judgements_of_a_job_are_told_in_words_of_the_reader(visitor):
    runtime = visitor.served.runtime
    scores = Evaluation(relevance=1, coverage=0.8, confidence=0.5).scores_text
    line = TimelineEntry(at_ms=1, iteration=1, action="judged", text=f"{scores}: two hosts agree")
    job = make_job(JobInputs(goal="How do heat pumps work?"), Limits())
    await runtime.container.jobs.submit(job.changed(timeline=[line]))
    assert "relevance of the findings 100%, parts of the question with findings 80%" in await visitor.page(
        f"/jobs/{job.id}"
    )
    await visitor.send("/preferences", language="de", back="/")
    page = await visitor.page(f"/jobs/{job.id}")
    assert "Teile der Frage mit Funden 80%: two hosts agree" in page
    chips = [macros(language, "parts.html").chip("executing") for language in ("en", "de")]
    assert ">searching and reading<" in chips[0] and ">sucht und liest<" in chips[1]
    assert "busy" in chips[0]


async def test_the_timeline_calls_no_work_of_the_brain_without_a_model_that_of_a_model(visitor):
    job = make_job(JobInputs(goal="How do heat pumps work?"), Limits())
    lines = [
        TimelineEntry(at_ms=n, iteration=1, action="brain", text=f"{n} results labelled", by=by)
        for n, by in ((4, "extractive"), (9, "a-model"))
    ]
    await visitor.served.runtime.container.jobs.submit(job.changed(timeline=lines))
    page = await visitor.page(f"/jobs/{job.id}")
    told = re.findall(r"<b>([^<]+)</b> <span[^>]*>(\d) results labelled", page)
    assert told == [("results", "4"), ("results", "9")]


async def test_a_job_whose_model_failed_says_so_at_its_head_with_the_way_to_mend_it(visitor):
    job = make_job(JobInputs(goal="How do heat pumps work?"), Limits())
    plan = job.plan.changed(fallback="tiny answered 404: <b>nothing here</b>")
    await visitor.served.runtime.container.jobs.submit(job.changed(plan=plan))
    page = await visitor.page(f"/jobs/{job.id}")
    check_tags(page)
    head = page.partition('id="now"')[2].partition('class="facts"')[0]
    assert (
        "Without a model, because:" in head and "&lt;b&gt;nothing here" in head and 'href="/ui/model"' in head
    )


async def test_a_purchase_that_read_no_page_but_asked_shops_says_where_their_offers_stand(visitor):
    done, _ = sample_jobs()["pumps"]
    job = done.changed(pages_fetched=5, visits=[], plan=done.plan.changed(pages_read=0))
    await visitor.served.runtime.container.archive.save_job(job, [], None)
    page = await visitor.page(f"/jobs/{job.id}")
    assert "Only pages of shops were fetched." in page and "No page was read." not in page
    assert "What shops offer stands in the report." in page and "Nothing was found." not in page


async def test_jobs_are_found_by_words_and_state_and_rows_of_a_batch_are_one_entry(visitor):
    done = await archived(visitor.served, "")
    job = (await visitor.served.post("/jobs", {"goal": "How loud is a <i>Velmar</i> grinder?"}))["task_id"]
    rows = [f"Which grinder is number {n}?" for n in range(30)]
    batch = (await visitor.served.post("/batches", {"rows": [{"name": one} for one in rows], "template": "{name}",
                                                    "name": "grinders"}))["batch"]  # fmt: skip
    for n in range(30):
        inputs = JobInputs(goal=rows[n], batch_id=batch)
        await visitor.served.runtime.container.jobs.submit(make_job(inputs, Limits()))
    page = await visitor.page("/jobs?limit=2")
    check_tags(page)
    assert f'href="/ui/batches/{batch}">grinders<' in page and "30 rows" in page
    assert "running</span> <small>batch</small>" in page
    assert f"/ui/jobs/{job}" in page and f"/ui/jobs/{done}" not in page
    older = re.search(r'rel="next" href="/ui(/jobs\?[^"]+)"', page)[1].replace("&amp;", "&")
    assert f"/ui/jobs/{done}" in await visitor.page(older)
    spend = (await visitor.page("/spend")).partition("By job")[2]
    check_tags(spend)
    assert spend.count(f'href="/ui/batches/{batch}">grinders<') == 1 and "30 rows" in spend
    found = await visitor.page("/jobs?q=VELMAR+loud")
    check_tags(found)
    assert f"/ui/jobs/{job}" in found and "grinders" not in found
    narrowed = await visitor.page("/jobs?state=pending&q=number+29")
    assert "1 row<" in narrowed and f"/ui/jobs/{job}" not in narrowed
    assert "No question is like this" in await visitor.page("/jobs?q=nothing&state=failed")


@pytest.mark.parametrize("text", ["", " ".join(HOSTILE[:8])])
async def test_a_report_leads_to_each_quote_in_its_page_and_nothing_of_it_is_markup(visitor, text):
    job = await archived(visitor.served, text)
    report = await visitor.page(f"/jobs/{job}/report")
    check_tags(report)
    assert 'class="claim contradicted"' in report
    printed = report.partition('<ul class="plain print-only">')[2].partition("</ul>")[0]
    assert QUOTE in printed  # on paper no mark opens anything
    mark = re.search(r'class="cite" href="(quotes/1\?[^"]+)">\[1\]</a>', report)[1].replace("&amp;", "&")
    quotes = await visitor.page(f"/jobs/{job}/{mark}")
    check_tags(quotes)
    assert f'href="/ui/jobs/{job}/evidence/E1#quote"' in quotes and QUOTE in quotes
    for path in (f"{mark}&piece=true", "quotes/1", "sources", "sources?piece=true&after=1"):
        check_tags(await visitor.page(f"/jobs/{job}/{path}"))
    await visitor.page(f"/jobs/{job}/quotes/99", 404)
    evidence = await visitor.page(f"/jobs/{job}/evidence/E1")
    check_tags(evidence)
    assert f'It is simple. <mark id="quote">{QUOTE}</mark> That takes power.' in evidence
    piece = await visitor.page(f"/jobs/{job}/evidence/E1?piece=true")
    check_tags(piece)
    assert f'<mark id="quote">{QUOTE}</mark>' in piece and "<h1" not in piece
    await visitor.page(f"/jobs/{job}/evidence/E999", 404)
    for path in (f"/jobs/{job}", f"/jobs/{job}/review", "/memory?q=pumps", "/jobs"):
        check_tags(await visitor.page(path))


async def test_words_of_a_page_that_no_model_has_read_are_not_called_checked(visitor):
    job = await archived(visitor.served, "", verdict="supported")
    report = await visitor.page(f"/jobs/{job}/report")
    assert 'class="claim quoted">word for word in the page<' in report
    assert ">supported<" not in report
    mark = re.search(r'href="(quotes/1\?[^"]*said=supported)"', report)[1].replace("&amp;", "&")
    assert "word for word in the page" in await visitor.page(f"/jobs/{job}/{mark}")


async def test_two_hundred_jobs_are_a_page_of_less_than_a_hundred_thousand_bytes(visitor):
    job, _ = sample_jobs()["pumps"]
    goal = "Which hand grinder is best for espresso on a journey, and what does it cost in Germany and in France now?"
    archive = visitor.served.runtime.container.archive
    for number in range(201):
        inputs = job.inputs.model_copy(update={"goal": f"{goal} ({number})"})
        fields = {"id": f"job{number:09}", "inputs": inputs, "created_at": "2026-11-28T10:00:00+00:00"}
        await archive.save_job(job.model_copy(update=fields), [], {})
    page = await visitor.page("/jobs?limit=200")
    assert page.count("<tr>") == 201
    assert len(page.encode()) <= 100_000


async def test_a_person_answers_a_job_that_was_completed(visitor):
    job = await archived(visitor.served, "")
    page = await visitor.page(f"/jobs/{job}/review")
    assert "Reject with this reason" in page
    picked = re.findall(r'name="findings" value="(\w+)"', page)
    assert sorted(set(picked)) == sorted(picked) != []  # no text is shown twice
    await visitor.send(f"/jobs/{job}/review", 422, kind="nonsense")
    await visitor.send(f"/jobs/{job}/review", 422, kind="reject")
    await visitor.send(f"/jobs/{job}/review", 422, kind="reject_finding", findings=["E999"])
    answer = await visitor.send(f"/jobs/{job}/review", kind="reject", text="Say more about noise.")
    assert answer.headers["location"] == f"/ui/jobs/{job}"
    shown = await visitor.page(f"/jobs/{job}")
    assert 'data-state="completed"' not in shown


async def test_a_report_that_waits_for_a_person_can_be_read_and_accepted(visitor):
    job = await archived(visitor.served, "<i>x</i>")
    jobs, archive = visitor.served.runtime.container.jobs, visitor.served.runtime.container.archive
    ended, findings, report = await archive.get_job(job)
    question = OpenQuestion(no=1, kind="review", text="Is <u>this</u> good enough?")
    waiting = ended.changed(
        state="waiting_for_human", review=ended.review.changed(question=question, asked=1)
    )
    event = PersonAnswered(uid=f"{job}:answer:0:x", job=job, no=0, answer=ReviewAnswer(kind="accept"))
    assert await jobs.reopen(waiting, findings, event)
    await archive.save_job(waiting, findings, report)
    shown = await visitor.page(f"/jobs/{job}")
    check_tags(shown)
    assert "The job waits for you" in shown
    review = await visitor.page(f"/jobs/{job}/review")
    check_tags(review)
    assert "The report that waits" in review
    assert "Is &lt;u&gt;this&lt;/u&gt; good enough?" in review
    await visitor.send(f"/jobs/{job}/review", kind="accept")
    assert 'data-state="completed"' in await visitor.page(f"/jobs/{job}")


async def test_a_batch_fills_as_a_table_and_is_stopped_and_resumed(visitor):
    body = {"rows": [{"name": "<i>Velmar</i>"}, {"name": "Korva"}], "template": "{name}: what does it cost?",
            "name": "<b>shops</b>"}  # fmt: skip
    batch = (await visitor.served.post("/batches", body))["batch"]
    for path in ("/batches", f"/batches/{batch}"):
        page = await visitor.page(path)
        check_tags(page)
        assert "&lt;b&gt;shops&lt;/b&gt;" in page
    assert "&lt;i&gt;Velmar&lt;/i&gt;" in page
    await visitor.send(f"/batches/{batch}/cancel")
    assert "0 of 2" not in await visitor.page("/batches")
    await visitor.send(f"/batches/{batch}/resume")
    assert "0 of 2" in await visitor.page("/batches")


async def test_a_watch_shows_its_prices_as_a_line_and_is_steered(visitor):
    added = await visitor.served.post(
        "/watches", {"query": "laptop", "name": "<u>laptops</u>", "every": "6h"}, 201
    )
    path = f"/watches/{added['id']}"
    check_tags(await visitor.page(path))
    await put(
        visitor.served, [seen(n, price, watch=added["id"]) for n, price in enumerate(["800", "750", "700.5"])]
    )
    page = await visitor.page(path)
    check_tags(page)
    assert page.count('<circle class="reach"') == 2 * 3, "a chart for wide pages and one for narrow ones"
    assert 'aria-label="$800.00, 1 Jan 2026, 00:00 UTC"' in page
    assert 'href="javascript' not in page
    await visitor.send(f"{path}/pause")
    assert ">paused" in await visitor.page("/watches")
    await visitor.send(f"{path}/resume")
    await visitor.send(f"{path}/runs")
    assert "submitted" in await visitor.page(path)


def seen(number: int, price: str | None, *, watch: str = "w", confirmed: bool = True) -> Observation:
    return Observation(id=f"o{number}", watch=watch, run="run", product="p", at_ms=day(1 + number), state="offer",
                       price=price, currency="USD", vendor="amazon.com", name="<img src=x>", confirmed=confirmed,
                       url="javascript:alert(1)")  # fmt: skip


def test_a_chart_keeps_its_points_inside_and_shows_no_price_that_was_not_confirmed():
    def chart(*observations: Observation):
        return chart_of(PriceSeries(product="p", name="", vendor="", currency="USD", lowest=None, highest=None,
                                    last=observations[-1], observations=list(observations)))  # fmt: skip

    assert chart(seen(0, None)) is None
    assert len(chart(seen(0, "5", confirmed=False)).points) == 1
    drawn = chart(seen(0, "5"), seen(1, "9", confirmed=False), seen(2, None), seen(3, "7"))
    assert [str(point.price) for point in drawn.points] == ["5", "7"]
    assert drawn.points[0].y > drawn.points[1].y
    assert all(0 < point.x < WIDTH and 0 < point.y < HEIGHT for point in drawn.points)
    assert drawn.line.startswith(f"M{drawn.points[0].x} ")


def test_a_price_that_does_not_change_stands_in_the_middle_and_one_day_has_times_below_it():
    same_day = [
        seen(0, "92").model_copy(update={"id": f"o{n}", "at_ms": day(1) + n * 60_000}) for n in range(3)
    ]
    one = PriceSeries(product="p", name="", vendor="", currency="USD", lowest=None, highest=None,
                      last=same_day[-1], observations=same_day)  # fmt: skip
    drawn = chart_of(one)
    assert drawn.is_one_day and len({int(tick.value // 60_000) for tick in drawn.days}) == 3
    assert min(tick.value for tick in drawn.prices) < 92 < max(tick.value for tick in drawn.prices)
    assert 0.3 < (drawn.points[0].y - drawn.top) / (drawn.floor - drawn.top) < 0.7


async def test_a_wall_is_shown_with_its_picture_and_answered_by_a_form(visitor):
    one = await put_wall(visitor.served)
    listed = await visitor.page("/interventions")
    check_tags(listed)
    assert "harbour.example" in listed and "waits for you" in listed
    shown = await visitor.page(f"/interventions/{one}")
    check_tags(shown)
    assert "&lt;b&gt;a wall&lt;/b&gt;" in shown and "1 page waits for you" in shown
    assert (await visitor.client.get(f"/ui/interventions/{one}/picture")).content == JPEG
    await visitor.send(f"/interventions/{one}/done", 422, state="no session")
    await visitor.send(f"/interventions/{one}/done", state=json.dumps(session("harbour.example")))
    assert "<button>It is open" not in await visitor.page(f"/interventions/{one}")
    await visitor.send(f"/interventions/{one}/cancel", 409)


async def test_spend_shows_days_and_jobs_beside_their_ceilings(visitor):
    served = visitor.served
    job = (await served.post("/jobs", {"goal": "How <i>much</i>?", "max_tokens": 2_000}))["task_id"]
    budget, jobs = served.runtime.container.budget, served.runtime.container.jobs
    taken = await jobs.take(max_active=10)
    held = await budget.reserve(
        job=job, call="1:x:1", token=taken.token, bound_tokens=900, deadline_s=60, model="org/tiny model<1>"
    )
    await budget.spend(held, job=job, call="1:x:1", token=taken.token, tokens=500, answer="{}", usd=0.25)
    usage = Usage(model_calls=1, prompt_tokens=400, completion_tokens=100, usd=0.25)
    assert (
        await jobs.commit(taken, taken.job.changed(usage=usage), timers={("deadline", 1): taken.now_ms})
        == "ok"
    )
    shown = await visitor.page("/spend")
    check_tags(shown)
    assert "How &lt;i&gt;much&lt;/i&gt;?" in shown
    assert "500 <small>of 2,000</small>" in shown and "$0.25" in shown and "25%" in shown
    assert "org/tiny model&lt;1&gt;: $0.25" in shown  # the part of the day's bar
    assert "<bdi>org/tiny model&lt;1&gt;</bdi> <small>500 tokens, $0.25</small>" in shown
    (today,) = (await served.get("/spend"))["days"]
    assert today["models"] == [{"model": "org/tiny model<1>", "tokens": 500, "usd": 0.25}]


async def test_what_was_spent_is_told_by_the_days_of_the_readers_time_zone(visitor):
    budget = visitor.served.runtime.container.budget
    redis, keys, yesterday = budget._redis, budget.keys, int(time.time()) // 86_400 - 1
    await redis.zadd(keys.models, {"m": 1})
    for account, tokens in {
        f"day.{yesterday}": 150,
        f"day.{yesterday}|m": 140,
        f"hour.{yesterday * 24}": 40,
        f"hour.{yesterday * 24}|m": 40,
        f"hour.{yesterday * 24 + 23}": 60,
        f"hour.{yesterday * 24 + 23}|m": 50,
    }.items():
        await redis.hset(keys.ledger(account), "spent", tokens)

    async def spent() -> tuple[str, dict[str, list[int]]]:
        page = await visitor.page("/spend")
        check_tags(page)
        rows = re.findall(r'datetime="([\d-]+)".*?</tr>|<tr><td data-label="Day">(.*?)</tr>', page, re.S)
        found = {
            re.sub("<.*", "", row[1]): [int(n) for n in re.findall(r"(\d+) tokens", row[1])] for row in rows
        }
        return re.search(r"By day \(([^)]*)\)", page)[1], found

    def date(day: int) -> str:
        return LocaleText("en").day(datetime.fromtimestamp(day * 86_400, UTC).date().isoformat())

    assert await spent() == ("UTC", {date(yesterday + 1): [], date(yesterday): [140, 10]})
    for name, days in {
        "Pacific/Auckland": {date(yesterday + 1): [50, 10], date(yesterday): [90]},
        "America/New_York": {date(yesterday): [100, 10], date(yesterday - 1): [40]},
    }.items():
        visitor.client.cookies.set("research_ui_zone", quote(name, safe=""))
        zone, found = await spent()
        assert (zone, {day: models for day, models in found.items() if models}) == (name, days)
    visitor.client.cookies.set("research_ui_zone", "..%2Fetc%2Fpasswd")
    assert (await spent())[0] == "UTC"


async def test_a_person_who_types_the_address_gets_the_dashboard_and_a_program_the_error(visitor):
    async with httpx.AsyncClient(base_url=visitor.client.base_url, verify=False) as stranger:
        person = await stranger.get("/", headers={"Accept": "text/html,*/*"})
        assert (person.status_code, person.headers["location"]) == (303, "/ui/")
        assert (await stranger.get("/", headers={"Accept": "application/json"})).status_code == 401


async def test_a_follow_up_leads_to_the_report_that_it_goes_on_from(visitor):
    job, findings = sample_jobs()["pumps"]
    await visitor.served.runtime.container.archive.save_job(
        job, findings, report_with("").model_dump(mode="json")
    )
    answer = await visitor.send("/ask", goal="And how loud is it?", about=job.id)
    page = await visitor.page(answer.headers["location"].removeprefix("/ui"))
    check_tags(page)
    assert f'Goes on from: <a href="/ui/jobs/{job.id}/report" dir="auto">{job.inputs.goal}</a>' in page


async def test_a_question_for_the_cheapest_thing_says_that_no_shop_was_asked_and_how_to_ask_them(visitor):
    job, findings = sample_jobs()["pumps"]
    shown = {}
    for goal, intent in (("What is the cheapest pump?", "informational"), ("What is a pump?", "informational"),
                         ("What is the cheapest pump?", "commerce")):  # fmt: skip
        report = report_with("").changed(goal=goal, intent=intent)
        await visitor.served.runtime.container.archive.save_job(job, findings, report.model_dump(mode="json"))
        page = await visitor.page(f"/jobs/{job.id}/report")
        check_tags(page)
        shown[goal, intent] = "No shop was asked" in page
        if shown[goal, intent]:
            there = re.search(r'href="/ui(/\?buy=1[^"]+)"', page)[1].replace("&amp;", "&")
            box = await visitor.page(there)
            assert 'name="buy" value="1" checked' in box and goal in box
    assert list(shown.values()) == [True, False, False]
