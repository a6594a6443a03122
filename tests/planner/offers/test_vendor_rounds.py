"""Phase 2, driven by the step function: which vendors it asks for what, and when it ends."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.offers.vendor_commands import STORED_SHOP_PAGE_MAX_AGE_S
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.commands import Command
from research_crawler.core.models.messages.events import CommandDone, JobResumed
from research_crawler.core.vendors import Catalogue
from tests.cases import each_case
from tests.planner.scripted import (
    NOW,
    Drive,
    ScriptedBrain,
    a_catalogue,
    a_finding,
    a_job,
    a_product,
    done,
    ended,
    found,
    offered,
    start,
)

GOAL = "Find me a cheap gaming laptop with an RTX card"
FOUR = ("alpha.example", "beta.example", "gamma.example", "delta.example")
Answer = Callable[[Command], CommandDone | None]


def drive_for(
    *,
    catalogue: Catalogue | None = None,
    findings=(),
    vendors: int = 3,
    limits: Limits | None = None,
    **inputs,
) -> Drive:
    job = a_job(
        GOAL, intent="commerce", region="US", currency="USD", vendors=vendors, limits=limits, **inputs
    )
    job = job.model_copy(update={"strategy": "phase1_and_phase2"})
    drive = Drive(job, ScriptedBrain(done()), catalogue=catalogue or a_catalogue(*FOUR))
    drive.findings = list(findings)
    return drive


def named(quote: str, kind: str = "recommended_product", url: str = "https://forum.example/1"):
    return a_finding("jobaaaaaaaaa:1", quote, kind=kind, url=url, title="Which gaming laptop?")


def through_vendors(drive: Drive, answer: Answer, *, most: int = 60) -> Job:
    """End phase 1 at once, then answer each command in order; an answer of None lets its timer run out."""
    drive.step(start(drive.job))
    assert drive.job.phase2 is not None
    assert drive.job.state == "executing"
    drive.step()
    waiting = list(drive.commands)
    sent = list(drive.commands)
    for _ in range(most):
        if drive.job.state == "synthesizing":
            drive.commands = sent
            return drive.job
        event = answer(waiting.pop(0)) if waiting else None
        if event:
            drive.now_ms += 300
            drive.step(event)
        elif not waiting:
            drive.ring()
        else:
            continue
        waiting += drive.commands
        sent += drive.commands
    raise AssertionError("phase 2 does not end")


def asked(drive: Drive) -> list[str]:
    return [command.query or command.url for command in drive.commands]


def sells(command: Command) -> CommandDone:
    """The answer of a web in which every shop has the laptop and a web search finds nothing."""
    if command.kind == "search":
        return found(command)
    return offered(
        command,
        a_product(
            f"Gaming laptop RTX 4060 of {command.vendor.host}", url=f"https://{command.vendor.host}/p/1"
        ),
    )


def test_three_vendors_are_asked_and_then_phase_2_ends():
    drive = drive_for()
    job = through_vendors(drive, sells)
    assert [vendor.stage for vendor in job.phase2.vendors] == ["answered"] * 3 + ["not_asked"]
    assert [product.vendor for product in job.phase2.products] == list(FOUR[:3])
    assert job.phase2.ended == "enough"
    assert job.phase2.finished_ms > job.phase2.started_ms
    assert not any("vendors answered" in warning for warning in job.warnings)
    vendor = next(command for command in drive.commands if command.kind == "vendor")
    assert vendor.spider == "vendor"
    assert (vendor.vendor.page, vendor.vendor.region, vendor.vendor.currency) == ("search", "US", "USD")
    assert vendor.max_age_s == STORED_SHOP_PAGE_MAX_AGE_S
    assert vendor.job_context.intent == "commerce"
    assert vendor.id == f"{job.id}:2"


def test_prices_without_a_sign_are_read_in_the_vendors_currency_not_the_buyers():
    drive = drive_for(catalogue=a_catalogue("laden.example", country="", currency="EUR"), vendors=1)
    through_vendors(drive, sells)
    [vendor] = [c for c in drive.commands if c.kind == "vendor"][:1]
    assert (vendor.vendor.region, vendor.vendor.currency) == ("US", "EUR")


def test_vendors_are_searched_for_the_model_that_most_pages_recommend():
    findings = [
        named("I recommend the MSI Thin 15 here."),
        named("Get the Lenovo LOQ 15, I recommend it."),
        named("We recommend the Lenovo LOQ 15.", url="https://review.example/2"),
    ]
    drive = drive_for(findings=findings)
    job = through_vendors(drive, sells)
    assert job.phase2.terms[0] == "Lenovo LOQ 15"
    assert job.phase2.terms[-1] == "gaming laptop RTX"
    assert any("Lenovo+LOQ+15" in url for url in asked(drive))


def test_searches_of_phase_2_do_not_count_as_those_of_phase_1():
    drive = drive_for()
    job = through_vendors(drive, sells)
    assert job.phase2.searches == 1
    assert job.plan.searches_used == 0
    assert job.searches == []


def test_vendors_named_in_phase_1_come_before_those_of_a_search_and_those_before_known_ones():
    def answer(command):
        if command.kind == "search":
            return found(command, "https://gamma.example/x")
        return sells(command)

    drive = drive_for(findings=[named("I bought mine at Delta for a good price.", "vendor_mentioned")])
    job = through_vendors(drive, answer)
    hosts = [(v.host, v.origin) for v in job.phase2.vendors if v.stage == "answered"]
    assert hosts == [("delta.example", "hint"), ("gamma.example", "search"), ("alpha.example", "known")]


def test_the_vendor_that_most_pages_name_is_asked_first():
    findings = [
        named("Sold at Beta and at Gamma.", "vendor_mentioned"),
        named("I bought mine at Alpha for a good price.", "vendor_mentioned", "https://forum.example/2"),
        named("Alpha had it in stock.", "vendor_mentioned", "https://blog.example/3"),
    ]
    job = through_vendors(drive_for(findings=findings, vendors=1), sells)
    assert job.phase2 is not None
    assert [(vendor.host, vendor.stage) for vendor in job.phase2.vendors] == [
        ("alpha.example", "answered"),
        ("beta.example", "not_asked"),
        ("gamma.example", "not_asked"),
    ]


def test_with_enough_hints_no_vendor_is_searched_for():
    drive = drive_for(findings=[named("Sold at Alpha, Beta and Gamma.", "vendor_mentioned")])
    job = through_vendors(drive, sells)
    assert job.phase2.searches == 0
    assert [v.origin for v in job.phase2.vendors] == ["hint"] * 3


def test_an_unknown_hint_is_resolved_to_a_host_by_a_search():
    def answer(command):
        if command.kind == "search" and "Omega" in command.search.query:
            return found(command, "https://news.example/omega", "https://www.omegastore.example/")
        if command.kind == "search" and command.search.query.startswith("site:omegastore.example"):
            return found(command, "https://www.omegastore.example/loq", "https://elsewhere.example/loq")
        return sells(command)

    drive = drive_for(findings=[named("Omega Store", "vendor_mentioned")])
    job = through_vendors(drive, answer)
    omega = next(vendor for vendor in job.phase2.vendors if vendor.host == "omegastore.example")
    assert (omega.origin, omega.stage, omega.found) == ("hint", "answered", 1)
    assert "https://www.omegastore.example/loq" in asked(drive)
    assert "https://elsewhere.example/loq" not in asked(drive)


def test_a_product_page_among_the_results_of_a_buy_search_is_read():
    def answer(command):
        if command.kind == "search":
            return found(command, "https://newshop.example/products/loq", "https://forum.example/t/1")
        return sells(command)

    drive = drive_for(catalogue=Catalogue(), vendors=1)
    job = through_vendors(drive, answer)
    assert [(v.host, v.stage) for v in job.phase2.vendors] == [("newshop.example", "answered")]
    page = next(command for command in drive.commands if command.kind == "vendor")
    assert (page.url, page.vendor.page) == ("https://newshop.example/products/loq", "product")


@pytest.mark.parametrize(("shown", "stage"), [([a_product("Mouse mat", "9.00")], "answered"), ([], "failed")])
def test_a_shop_whose_found_page_sells_another_thing_is_searched_for_the_one_that_is_asked(shown, stage):
    def answer(command):
        if command.kind == "search":
            is_own = command.search.query.startswith("site:newshop.example")
            return found(command, f"https://newshop.example/products/{'loq' if is_own else 'mat'}")
        return offered(command, *shown) if command.url.endswith("mat") else sells(command)

    drive = drive_for(catalogue=Catalogue(), vendors=1)
    job = through_vendors(drive, answer)
    (vendor,) = job.phase2.vendors
    assert (vendor.origin, vendor.stage) == ("search", stage)
    assert ("https://newshop.example/products/loq" in asked(drive)) is (stage == "answered")


def test_rows_without_stock_or_specs_are_completed_from_their_pages():
    row = a_product(
        "Gaming laptop RTX 4060",
        url="https://alpha.example/p/1",
        in_stock=None,
        availability="unknown",
        specs={},
    )

    def answer(command):
        if command.kind == "search":
            return found(command)
        if command.vendor.page == "product":
            return offered(
                command, a_product("Gaming laptop RTX 4060 with 16 GB", "789.00", specs={"RAM": "16 GB"})
            )
        return offered(command, row)

    drive = drive_for(catalogue=a_catalogue("alpha.example"), vendors=1)
    job = through_vendors(drive, answer)
    (product,) = job.phase2.products
    assert float(product.price_numeric) == 789.0
    assert product.in_stock is True
    assert product.specs == {"RAM": "16 GB"}
    assert product.url == "https://alpha.example/p/1"
    assert asked(drive)[-1] == "https://alpha.example/p/1"


@each_case(
    ("outcome", "reason", "told", "searched"),
    [
        ("refused", "robots", "robots", True),
        ("blocked", "captcha", "blocked (captcha)", True),
        ("refused", "http 404", "http 404", True),
        ("failed", "timeout", "timeout", False),
        ("failed", "http 503", "http 503", False),
    ],
)
def test_a_vendor_that_fails_is_searched_within_its_host_unless_it_is_down_then_replaced(
    outcome, reason, told, searched
):
    def answer(command):
        if command.kind == "search":
            return found(command)
        if command.vendor.host == "alpha.example":
            return ended(command, outcome, reason)
        return sells(command)

    drive = drive_for()
    job = through_vendors(drive, answer)
    assert {v.host: v.stage for v in job.phase2.vendors}["delta.example"] == "answered"
    alpha = job.phase2.vendors[0]
    assert (alpha.stage, alpha.reason.text) == ("failed", told)
    assert any(query.startswith("site:alpha.example ") for query in asked(drive)) is searched
    assert not any("vendors answered" in warning for warning in job.warnings)


def test_a_vendor_whose_results_are_refused_still_answers_through_its_product_pages():
    def answer(command):
        if command.kind == "search":
            return found(command, *(["https://alpha.example/p/7"] if "site:" in command.search.query else []))
        if command.vendor.page == "search" and command.vendor.host == "alpha.example":
            return ended(command, "refused", "robots")
        return sells(command)

    job = through_vendors(drive_for(), answer)
    alpha = job.phase2.vendors[0]
    assert (alpha.host, alpha.stage, alpha.found) == ("alpha.example", "answered", 1)


def test_the_sitemap_that_robots_names_is_read_if_a_web_search_finds_nothing():
    def answer(command):
        if command.kind == "search":
            return found(command)
        if not command.vendor.sitemap:
            return ended(command, "refused", "robots") if command.vendor.page == "search" else sells(command)
        if command.url.endswith("/robots.txt"):
            return found(command, "https://alpha.example/maps/index.xml", "https://other.example/index.xml")
        if command.url.endswith("index.xml"):
            return found(command, "https://alpha.example/maps/products.xml.gz")
        return found(command, "https://alpha.example/p/rtx-laptop")

    drive = drive_for(catalogue=a_catalogue("alpha.example"), vendors=1)
    job = through_vendors(drive, answer)
    assert [(v.stage, v.found) for v in job.phase2.vendors] == [("answered", 1)]
    assert [command.url for command in drive.commands if command.kind == "vendor"][1:] == [
        "https://alpha.example/robots.txt",
        "https://alpha.example/maps/index.xml",
        "https://alpha.example/maps/products.xml.gz",
        "https://alpha.example/p/rtx-laptop",
    ]


def test_a_vendor_without_the_model_is_asked_for_the_kind_of_product():
    def answer(command):
        if command.kind == "search":
            return found(command)
        if "LOQ" in command.url:
            return offered(command, a_product("Garden hose 20 m"))
        return sells(command)

    drive = drive_for(
        catalogue=a_catalogue("alpha.example"), vendors=1, findings=[named("I recommend the Lenovo LOQ 15.")]
    )
    job = through_vendors(drive, answer)
    urls = [command.url for command in drive.commands if command.kind == "vendor"]
    assert urls == ["https://alpha.example/s?q=Lenovo+LOQ+15", "https://alpha.example/s?q=gaming+laptop+RTX"]
    assert [p.name for p in job.phase2.products] == ["Gaming laptop RTX 4060 of alpha.example"]


def test_a_vendor_that_never_answers_is_given_up_and_replaced():
    def answer(command):
        silent = command.kind == "vendor" and command.vendor.host == "alpha.example"
        return None if silent else sells(command)

    job = through_vendors(drive_for(), answer)
    assert {v.host: v.stage for v in job.phase2.vendors}["delta.example"] == "answered"
    assert job.phase2.vendors[0].reason.text == "timeout"


def test_a_late_answer_of_a_vendor_that_was_given_up_changes_nothing():
    late = {}

    def answer(command):
        if command.kind == "vendor" and command.vendor.host == "alpha.example":
            late.setdefault("command", command)
            return None
        return sells(command)

    drive = drive_for()
    drive.step(start(drive.job))
    drive.step()
    (lookup,) = drive.commands
    drive.step(found(lookup))
    vendors = drive.commands
    drive.ring()
    before = drive.job.phase2
    drive.step(sells(vendors[0]))
    assert drive.job.phase2.products == before.products


def test_a_warning_says_how_many_vendors_answered_if_too_few_did():
    def answer(command):
        return found(command) if command.kind == "search" else ended(command, "failed", "timeout")

    job = through_vendors(drive_for(), answer)
    assert job.phase2.ended == "candidates"
    assert [v.stage for v in job.phase2.vendors] == ["failed"] * 4
    assert job.warnings[-1].startswith("0 of 3 vendors answered (alpha.example: timeout; ")


def test_phase_2_has_a_time_limit_of_its_own():
    drive = drive_for(limits=Limits(vendors_timeout_seconds=20))
    job = through_vendors(drive, lambda command: sells(command) if command.kind == "search" else None)
    assert job.phase2.ended == "timeout"
    assert drive.now_ms - NOW <= 25_000
    assert all(v.stage in ("failed", "not_asked") for v in job.phase2.vendors)


def test_time_in_which_no_worker_ran_does_not_count_for_phase_2():
    drive = drive_for()
    drive.step(start(drive.job))
    drive.step()
    (lookup,) = drive.commands
    drive.step(found(lookup))
    until = [vendor.until_ms for vendor in drive.job.phase2.vendors if vendor.open]
    deadline = drive.job.plan.deadline_ms
    drive.now_ms += 500_000
    drive.step(JobResumed(uid="x"))
    assert drive.job.state == "executing"
    later = [vendor.until_ms for vendor in drive.job.phase2.vendors if vendor.open]
    assert [b - a for a, b in zip(until, later, strict=True)] == [500_000] * 3
    assert drive.job.plan.deadline_ms == deadline + 500_000


def test_a_job_with_phase_2_only_starts_with_vendors():
    drive = drive_for()
    drive.job = drive.job.model_copy(update={"strategy": "phase2_only"})
    job = through_vendors(drive, sells)
    assert len(drive.brain.views) == 0
    assert job.plan.iteration == 0
    assert job.phase2.ended == "enough"


def test_hosts_that_the_caller_excludes_are_not_asked():
    job = through_vendors(drive_for(exclude_hosts=["alpha.example"]), sells)
    assert "alpha.example" not in {vendor.host for vendor in job.phase2.vendors}


def test_a_shop_of_another_country_is_not_asked():
    both = Catalogue(
        vendors=(
            *a_catalogue("usa.example").vendors,
            *a_catalogue("laden.example", country="DE", currency="EUR").vendors,
        )
    )
    drive = drive_for(catalogue=both, vendors=1, findings=[named("Bought at Usa.", "vendor_mentioned")])
    drive.job = drive.job.model_copy(
        update={"inputs": drive.job.inputs.model_copy(update={"region": "DE", "currency": "EUR"})}
    )
    job = through_vendors(drive, sells)
    assert [vendor.host for vendor in job.phase2.vendors] == ["laden.example"]


def test_every_commit_of_phase_2_stays_below_32_kb():
    long = "x" * 400

    def answer(command):
        if command.kind == "search":
            return found(command)
        rows = [
            a_product(
                f"Gaming laptop RTX 4060 {n} {long}",
                url=f"https://{command.vendor.host}/{n}/{long}",
                specs={f"{k} {long}": long for k in range(40)},
                in_stock=None,
                availability="unknown",
            )
            for n in range(20)
        ]
        return offered(command, *rows)

    hosts = [f"shop{n}.example" for n in range(20)]
    drive = drive_for(catalogue=a_catalogue(*hosts), vendors=10)
    job = through_vendors(drive, answer, most=200)
    assert {p.vendor for p in job.phase2.products} == set(hosts[:10])
    fields = ("phase2", "plan", "timeline", "warnings", "progress", "usage")
    sizes = [
        sum(len(step.model_dump_json(include={name}).encode()) for name in fields) for step in drive.history
    ]
    assert max(sizes) < 32_000


OUTCOMES = st.sampled_from(
    ["sells", "nothing", "unpriced", "robots", "captcha", "http 503", "silent", "pages"]
)


@given(st.lists(OUTCOMES, min_size=1, max_size=40), st.integers(1, 5), st.integers(0, 6))
def test_phase_2_always_ends_and_every_vendor_has_an_outcome(outcomes, vendors, known):
    """Drive.step also checks that a takeover decides the same, and that an event or timer would wake the job."""
    counter = iter(range(10_000))

    def answer(command):
        outcome = outcomes[next(counter) % len(outcomes)]
        if outcome == "silent":
            return None
        if command.kind == "search":
            host = command.search.query.partition("site:")[2].partition(" ")[0] or "shop.example"
            return found(
                command, *([f"https://{host}/products/{next(counter)}"] if outcome == "pages" else [])
            )
        if outcome in ("robots", "captcha", "http 503"):
            what = {"robots": "refused", "captcha": "blocked"}.get(outcome, "failed")
            return ended(command, what, outcome)
        if outcome == "unpriced":
            return offered(command, a_product("Gaming laptop RTX", None))
        return sells(command) if outcome == "sells" else offered(command)

    drive = drive_for(catalogue=a_catalogue(*[f"shop{n}.example" for n in range(known)]), vendors=vendors)
    job = through_vendors(drive, answer, most=400)
    stages = [vendor.stage for vendor in job.phase2.vendors]
    assert stages.count("answered") <= vendors
    assert set(stages) <= {"answered", "failed", "not_asked"}
    if job.phase2.ended == "enough":
        assert stages.count("answered") == vendors
    elif job.phase2.ended == "candidates":
        assert "not_asked" not in stages
    assert all(vendor.found for vendor in job.phase2.vendors if vendor.stage == "answered")
    assert all(vendor.reason for vendor in job.phase2.vendors if vendor.stage == "failed")
    urls = [command.id for command in drive.commands]
    assert len(urls) == len(set(urls))
    assert job.plan.open_commands == []
