"""The pages of watches: their cards, their charts with what happened, and the forms that add and change one."""

import re
from decimal import Decimal

import pytest

from planner.watches.price_alerts import alert_of
from research_crawler.adapters.sql.stores.alert_store import write_alert
from research_crawler.adapters.sql.stores.watch_store import SqlWatches
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.watches.watch import Change, Identity, Observation, ObservedState, RunEntry
from research_crawler.core.models.why import Why
from research_crawler.interfaces.dashboard.chart_gaps import gaps_of
from research_crawler.interfaces.dashboard.charts import MOST_STOPS, NARROW_STOPS, chart_of
from research_crawler.services import watch_control
from research_crawler.services.watch_documents import PriceSeries
from tests.interfaces.dashboard.conftest import fields_of
from tests.interfaces.dashboard.test_pages import check_tags, seen
from tests.interfaces.http.test_watches import put
from tests.planner.watches.watch_samples import a_reading, an_identity
from tests.services.exports.samples import report_with, sample_jobs


def each_day(prices: list[str]) -> list[Observation]:
    return [seen(0, price).changed(id=f"o{n}", at_ms=n * 86_400_000) for n, price in enumerate(prices)]


def series(observations: list[Observation]) -> PriceSeries:
    return PriceSeries(product="p", name="", vendor="", currency="EUR", lowest=None, highest=None,
                       last=observations[-1], observations=observations)  # fmt: skip


def test_the_axes_of_a_chart_have_round_values_around_all_prices():
    for prices in (["799", "649.5"], ["3.1", "3.2"], ["0.004", "0.009"], ["12000", "89000"], ["5", "5"]):
        chart = chart_of(series(each_day(prices)))
        values = [tick.value for tick in chart.prices]
        assert values[0] <= min(map(float, prices)) <= max(map(float, prices)) <= values[-1]
        assert 2 <= len(values) <= 8
        assert chart.top <= min(tick.at for tick in chart.prices)
        assert max(tick.at for tick in chart.prices) <= chart.floor


def test_a_chart_marks_what_happened_beside_the_price_once():
    out = [seen(n, None).changed(state="out_of_stock") for n in (1, 2)]
    doubtful = seen(3, "1").changed(confirmed=False, reason=Why(Reason.CONTRADICTION))
    observations = [seen(0, "800"), *out, doubtful, seen(4, "700")]
    chart = chart_of(series(observations), [observations[4].at_ms])
    assert [event.kind for event in chart.events] == ["out_of_stock", "doubtful", "alert"]


def test_a_price_that_no_second_fetch_confirms_is_marked_and_one_that_is_confirmed_is_not():
    twice = [seen(1, "700").changed(confirmed=False), seen(2, "700")]
    once = seen(3, "81.90").changed(confirmed=False)
    chart = chart_of(series([seen(0, "800"), *twice, once, seen(4, "700")]))
    assert [(event.kind, event.at_ms) for event in chart.events] == [("doubtful", once.at_ms)]
    assert all(point.price != Decimal("81.90") for point in chart.points)


def test_a_stretch_without_a_price_says_why():
    day = 86_400_000
    days = each_day(["800"] * 12)
    blocked = [one.changed(state="blocked", price=None, reason=Why(Reason.CAPTCHA)) for one in days[2:4]]
    seen_of_it = [*days[:2], *blocked, days[4], days[8], days[11]]
    others = [days[9].at_ms, days[10].at_ms]
    checked = [one.at_ms for one in seen_of_it] + others
    gaps = gaps_of(seen_of_it, checked, day)
    assert [(gap.kind, gap.begin_ms // day, gap.end_ms // day) for gap in gaps] == [
        ("unread", 2, 3),
        ("unchecked", 4, 8),
        ("not_offered", 8, 11),
    ]
    assert gaps[0].reason is Reason.CAPTCHA and gaps[0].checks == 2
    assert gaps_of(seen_of_it, checked) == gaps  # a schedule without an interval
    assert gaps_of(days, [], day) == [] == gaps_of(days[:1], [], day)


async def test_the_page_of_a_watch_says_why_its_chart_has_a_gap(visitor):
    served = visitor.served
    watch = (await served.post("/watches", {"query": "laptop", "every": "1d"}, 201))["id"]
    lost = seen(1, None, watch=watch).changed(state="failed", reason=Why(Reason.TIMEOUT))
    await put(served, [seen(0, "800", watch=watch), lost, seen(9, "750", watch=watch)])
    page = await visitor.page(f"/watches/{watch}")
    assert "1 check gave no price (no answer in time)" in page
    assert "not checked: the watch was paused, or no planner or crawler ran" in page


def test_a_limit_that_was_changed_is_a_step_of_its_line():
    days = each_day(["320", "280", "270"])
    limits = [(0, Decimal("300")), (days[1].at_ms, None), (days[2].at_ms - 1, Decimal("310"))]
    chart = chart_of(series(days), limits=limits)
    assert chart.limit_line.count("M") == 2
    assert chart.limit_line.startswith(f"M{chart.left} ")
    assert chart.limit_line.endswith(f"H{chart.right}")


async def test_a_watch_without_a_rule_or_a_place_says_that_nobody_is_told(visitor):
    answer = await visitor.send("/watches/new", what="https://a.example/kettle", every="5m", name="kettle")
    path = answer.headers["location"].removeprefix("/ui")
    assert "has no rule, so nobody is told" in await visitor.page(path)
    assert "No rule: nobody is told of a change." in await visitor.page("/watches")
    await visitor.send(f"{path}/edit", name="kettle", every="5m", below="300", currency="EUR")
    page = await visitor.page(path)
    assert "nobody is told" not in page and "Alerts are listed here only" in page
    assert "falls below €300.00" in await visitor.page("/watches")


async def test_an_alert_names_the_limit_that_held_when_it_was_given(visitor):
    answer = await visitor.send(
        "/watches/new", what="https://a.example/kettle", every="5m", below="300", currency="EUR"
    )
    path = answer.headers["location"].removeprefix("/ui")
    watch = path.rpartition("/")[2]
    await put(visitor.served, [seen(0, "280", watch=watch).changed(currency="EUR", name="Kettle 5")])
    await put_alert(visitor.served, watch, at_ms=watch_control.now_ms(), price="280")
    await visitor.send(f"{path}/edit", every="5m", below="250", currency="EUR")
    page = await visitor.page(path)
    assert "(below €300.00)" in page
    assert re.search(r"<h1[^>]*>Kettle 5</h1>", page)  # a watch of an address is called by what is seen there
    assert "Kettle 5</a></h2>" in await visitor.page("/watches")
    await visitor.send("/watches/new", what="https://b.example/lamp", every="5m", below="40", name="lamp")
    cards = await visitor.page("/watches")
    assert (cards.count("last alert"), cards.count("€280.00")) == (1, 1)


async def put_alert(served, watch: str, *, at_ms: int, price: str) -> None:
    after = ObservedState(price=Decimal(price), currency="EUR")
    identity = Identity(vendor="a.example", name="Kettle 5", url="https://a.example/kettle")
    change = Change(
        watch=watch, product="p", number=1, at_ms=at_ms, identity=identity, before=None, after=after
    )
    entry = await watch_control.find_watch(served.runtime, watch)
    alert = alert_of(entry.watch, change, ["below"])
    await served.runtime.container.archive.change(
        lambda connection: write_alert(connection, entry.watch, alert)
    )


def test_lines_of_a_price_axis_never_have_the_same_words():
    for prices in (["899.99", "900"], ["0.01", "0.02"], ["900", "900"], ["899.99", "900.01", "900"]):
        ticks = [f"{tick.value:.2f}" for tick in chart_of(series(each_day(prices))).prices]
        assert len(ticks) == len(set(ticks)) >= 2, prices


def height_of_limit(chart) -> float:
    """At which height the line of the limit ends."""
    return float(re.findall(r"M\S+ ([\d.]+)H", chart.limit_line)[-1])


def test_the_limit_of_a_watch_is_a_line_of_its_chart_at_every_width():
    for is_narrow in (False, True):
        chart = chart_of(series(each_day(["320", "280"])), limits=[(0, Decimal("300"))], is_narrow=is_narrow)
        assert chart.points[0].y < height_of_limit(chart) < chart.points[1].y
        far = chart_of(series(each_day(["320", "280"])), limits=[(0, Decimal("90"))], is_narrow=is_narrow)
        assert far.points[1].y < height_of_limit(far) <= far.floor
    assert chart.width <= 360 and chart.points[-1].x < chart.width
    assert chart_of(series(each_day(["320"]))).limit is None


def test_the_limit_that_a_chart_names_is_the_one_at_which_its_line_ends():
    limits = [(0, Decimal("300")), (86_400_000, Decimal("290"))]
    chart = chart_of(series(each_day(["320", "280", "270"])), limits=limits)
    assert chart.limit == Decimal("290")
    assert height_of_limit(chart) > float(re.match(r"M\S+ ([\d.]+)H", chart.limit_line)[1])
    gone = chart_of(series(each_day(["320", "280"])), limits=[(0, Decimal("300")), (86_400_000, None)])
    assert gone.limit is None and gone.limit_line


async def test_a_watch_says_in_the_language_of_its_reader_when_it_looks_and_when_it_tells(visitor):
    answer = await visitor.send(
        "/watches/new", what="https://a.example/kettle", every="5m", below="300", drop="10%"
    )
    path = answer.headers["location"].removeprefix("/ui")
    await put(visitor.served, [seen(0, "320", watch=path.rpartition("/")[2]).changed(currency="EUR")])
    await visitor.send("/preferences", language="de", theme="light", back="/")
    page = await visitor.page(path)
    check_tags(page)
    assert "Abstand: 5 Minuten" in page
    assert "Meldung, wenn der Preis unter 300,00\xa0€ fällt" in page.replace(" €", "\xa0€")
    assert "Meldung, wenn der Preis um 10\xa0% fällt" in page
    assert "Grenze: 300,00" in page and page.count('<path class="limit"') == 2
    assert "Abstand: 5 Minuten" in await visitor.page("/watches")


def test_the_keyboard_stops_at_few_points_of_a_long_line_and_at_its_last_change():
    prices = ["800"] * 200 + ["700"] * 100
    chart = chart_of(series(each_day(prices)))
    stops = [n for n, point in enumerate(chart.points) if point.stops]
    assert stops == [0, 200]
    for is_narrow, most in ((False, MOST_STOPS), (True, NARROW_STOPS)):
        many = chart_of(series(each_day([str(n + 1) for n in range(300)])), is_narrow=is_narrow)
        assert sum(point.stops for point in many.points) == most
        assert many.points[-1].stops


async def test_a_watch_is_added_and_changed_in_the_page_and_keeps_what_it_has_seen(visitor):
    form = await visitor.page("/watches/new")
    check_tags(form)
    answer = await visitor.send("/watches/new", what="laptop <b>", every="12h", below="900", currency="USD",
                                rule=["any_change"], notify="ntfys://ntfy.sh/a-topic", name="<u>m</u>")  # fmt: skip
    path = answer.headers["location"].removeprefix("/ui")
    watch = path.rpartition("/")[2]
    waiting = await visitor.page(path)
    assert "every 3s" in waiting, "the page shows the first prices when they come"
    assert "alert when the price falls below $900.00" in waiting
    await put(visitor.served, [seen(n, price, watch=watch) for n, price in enumerate(["800", "750"])])
    edited = await visitor.page(f"{path}/edit")
    check_tags(edited)
    assert 'value="12h"' in edited and 'value="900"' in edited
    assert "$750.00 is below that already" in await visitor.page(path)
    answer = await visitor.send(f"{path}/edit", every="1d", drop="10%", name="other", drop_place="0")
    saved = await visitor.page(answer.headers["location"].removeprefix("/ui"))
    assert "Saved." in saved and "below that already" not in saved
    check_tags(saved)
    edited = saved.partition('<ul class="plain edits">')[2]
    assert "<del>interval: 12 hours</del> → <ins>interval: 1 day</ins>" in edited
    assert (
        "Limit: <del>$900.00</del> → <ins>none</ins>" in edited
        and "no more alerts for: every change" in edited
    )
    assert "ntfy" not in edited, "an address may hold a key"
    assert saved.count('class="event edit"') == 2, "on the chart of wide pages, and on that of narrow ones"
    await visitor.send(f"{path}/edit", every="1d", drop="10%", name="other")
    assert (await visitor.page(path)).count("<ins>interval: 1 day</ins>") == 1, "nothing was changed"
    document = await visitor.served.get(f"/watches/{watch}")
    assert (document["name"], document["schedule"], document["notify"]) == ("other", "every 1d", [])
    assert document["rule"] == {"drop_percent": 10.0}
    assert "$750.00" in await visitor.page("/watches")


async def test_a_card_says_which_condition_it_follows_and_shows_a_cheaper_offer_of_another_apart(visitor):
    answer = await visitor.send("/watches/new", what="laptop", every="12h", below="900", currency="USD")
    path = answer.headers["location"].removeprefix("/ui")
    watch = path.rpartition("/")[2]
    opened = seen(1, "700", watch=watch).changed(product="q", condition="open_box")
    await put(visitor.served, [seen(0, "800", watch=watch).changed(condition="new"), opened])
    card = await visitor.page("/watches")
    check_tags(card)
    assert "<b>$800.00</b>" in card
    assert "Condition followed: new; not followed: open box, $700.00" in card
    page = await visitor.page(path)
    assert page.index("<b>$800.00</b>") < page.index("open box: not followed") < page.index("<b>$700.00</b>")
    await visitor.send(
        f"{path}/edit", every="12h", below="900", currency="USD", condition="any", name="laptop"
    )
    assert "<b>$700.00</b>" in await visitor.page("/watches")
    assert (await visitor.served.get(f"/watches/{watch}"))["condition"] == "any"


async def test_what_is_wrong_with_a_watch_is_told_above_the_form_that_keeps_what_was_typed(visitor):
    answer = await visitor.send("/watches/new", 422, what="laptop", every="1 fortnight", name="<u>x</u>")
    check_tags(answer.text)
    assert 'role="alert"' in answer.text and "fortnight" in answer.text
    assert ">laptop</textarea>" in answer.text
    assert 'value="&lt;u&gt;x&lt;/u&gt;"' in answer.text
    assert await visitor.served.get("/watches") == []
    await visitor.client.post("/ui/watches/new", data={"what": "laptop"})  # without the key of the session
    assert await visitor.served.get("/watches") == []


async def test_an_offer_without_a_title_is_called_by_its_host_alone(visitor):
    added = await visitor.served.post("/watches", {"query": "laptop", "every": "6h"}, 201)
    bare = seen(0, "800", watch=added["id"]).changed(name="", vendor="127.0.21.1", url="http://127.0.21.1/x")
    await put(visitor.served, [bare])
    for path in ("/watches", f"/watches/{added['id']}"):
        page = await visitor.page(path)
        assert "127.0.21.1" in page and ", 127.0.21.1" not in page


async def test_a_shop_is_called_by_its_name_beside_its_host(visitor):
    added = await visitor.served.post("/watches", {"query": "laptop", "every": "6h"}, 201)
    await put(visitor.served, [seen(0, "800", watch=added["id"]).changed(name="A laptop")])
    cards = await visitor.page("/watches")
    assert "A laptop – Amazon" in cards and "<small><bdi>amazon.com</bdi></small>" in cards
    for path in ("", "/seen?product=p&currency=USD"):
        assert "A laptop – Amazon<" in await visitor.page(f"/watches/{added['id']}{path}")


async def test_the_shops_that_a_report_has_left_out_are_asked_by_one_click(visitor):
    (job, findings), report = sample_jobs()["laptops"], report_with(of="laptops")
    runtime = visitor.served.runtime
    job = job.changed(plan=job.plan.changed(findings=len(findings)))
    await runtime.container.archive.save_job(job, findings, report.model_dump(mode="json"))
    page = await visitor.page(f"/jobs/{job.id}/report")
    check_tags(page)
    assert re.search(r"\d+ known shops were not asked", page)
    made = await visitor.send(f"/jobs/{job.id}/further-shops")
    asked = await runtime.container.jobs.get(made.headers["location"].rpartition("/")[2])
    assert (asked.inputs.from_job, asked.inputs.goal, asked.inputs.intent) == (
        job.id,
        job.inputs.goal,
        "commerce",
    )
    assert asked.inputs.vendors > sum(vendor.stage == "answered" for vendor in job.phase2.vendors)


@pytest.mark.parametrize("at", ["report", "job"])
async def test_the_price_of_what_a_report_recommends_is_watched_by_one_click(visitor, at):
    (job, findings), report = sample_jobs()["laptops"], report_with(of="laptops")
    offer = report.phase2.recommended
    await visitor.served.runtime.container.archive.save_job(job, findings, report.model_dump(mode="json"))
    page = await visitor.page(f"/jobs/{job.id}/report" if at == "report" else f"/jobs/{job.id}")
    check_tags(page)
    form = {**fields_of(page.partition('action="/ui/watches/new"')[2].partition("</form>")[0])}
    assert (form["what"], form["every"], form["currency"]) == (offer.url, "6h", offer.currency)
    assert float(form["below"]) == float(offer.price_numeric)
    made = await visitor.client.post("/ui/watches/new", data=form)
    watch = await visitor.served.get(f"/watches/{made.headers['location'].rpartition('/')[2]}")
    assert (watch["urls"], float(watch["rule"]["below"])) == ([offer.url], float(form["below"]))
    assert not watch["rule"].get("any_change")
    shown = await visitor.page(f"/jobs/{job.id}/report" if at == "report" else f"/jobs/{job.id}")
    check_tags(shown)
    assert f'href="/ui/watches/{watch["id"]}"' in shown and "Watch this price" not in shown
    await visitor.client.post("/ui/watches/new", data={**form, "below": "", "name": "any"})
    (anything,) = [one for one in await visitor.served.get("/watches") if one["name"] == "any"]
    assert anything["rule"]["any_change"] is True


async def test_all_that_is_wrong_with_a_watch_is_told_at_once_in_the_words_of_its_form(visitor):
    fields = {"what": "RTX 4060 laptop", "every": "often", "below": "abc", "drop": "x"}
    page = (await visitor.send("/watches/new", 422, **fields)).text
    for field in ("every", "below", "drop"):
        assert f'aria-errormessage="fault-{field}"' in page
    assert 'href="#every">3 fields are to be put right.' in page
    assert (
        page.count("aria-invalid") == 3
        and "--" not in page.partition('role="alert"')[2].partition("</div>")[0]
    )


async def test_words_with_a_broken_address_are_no_query_of_a_watch(visitor):
    for what in ("not a url http://", "https://a.example/1\na laptop"):
        page = (await visitor.send("/watches/new", 422, what=what, every="6h")).text
        assert 'aria-errormessage="fault-what"' in page


async def test_an_offer_of_something_else_is_left_out_in_the_form_and_taken_back_there(visitor):
    answer = await visitor.send("/watches/new", what="laptop", every="12h", rule=["any_change"])
    path = answer.headers["location"].removeprefix("/ui")
    watch = path.rpartition("/")[2]
    names = {"Laptop 16": "A1", "Laptop <b>bag</b>": "B2"}
    store = SqlWatches(visitor.served.runtime.container.archive)
    for number, (name, sku) in enumerate(names.items()):
        offer = an_identity(asked="", url=f"https://shop.example/{sku}", sku=sku, name=name)
        run = RunEntry(id=f"run{number}", watch=watch, slot_ms=number, state="submitted")
        await store.put_run(run)
        await store.settle(watch, run.id, [a_reading(number, "800", identity=offer)])
    products = {one.identity.sku: one.key for one in await store.products(watch)}
    form = await visitor.page(f"{path}/edit")
    check_tags(form)
    assert all(f'value="{key}"' in form for key in products.values()) and "&lt;b&gt;bag" in form
    await visitor.send(
        f"{path}/edit", every="12h", rule=["any_change"], offers="listed", drop_offer=products["B2"]
    )
    shown = await visitor.page(path)
    assert "Laptop 16" in shown and "&lt;b&gt;bag" not in shown
    assert "Offers left out: <del>0</del> → <ins>1</ins>" in shown
    assert f'value="{products["B2"]}" checked' in await visitor.page(f"{path}/edit")
    await visitor.send(f"{path}/edit", every="12h", rule=["any_change"], offers="listed")
    assert "&lt;b&gt;bag" in await visitor.page(path)
