"""The planner understands every reason that a crawler gives, by its member and not by its words."""

from planner.offers.vendor_events import reason_of
from planner.offers.vendor_steps import is_down
from planner.watches.readings import readings_of
from research_crawler.core.models.messages.events import CommandDone, read_event
from research_crawler.core.models.offers.phase2 import VendorTry
from research_crawler.core.models.reasons import WALLS, Reason
from research_crawler.core.models.watches.watch import WatchPage
from research_crawler.core.models.why import Why
from tests.cases import each_case
from tests.planner.scripted import Drive, ScriptedBrain, a_job, done, ended, start, visit

URL = "https://a.example/guide"
REFUSED = {Reason.ROBOTS, Reason.ROBOTS_UNREACHABLE, Reason.GUARD, Reason.HOST_LIST, Reason.TOO_SLOW}
DOWN = {Reason.TIMEOUT, Reason.DNS, Reason.CONNECTION, Reason.CONNECTION_REFUSED, Reason.VENDOR_BUSY}
DETAILS = {
    Reason.GUARD: "private_address",
    Reason.TOO_SLOW: "40 s",
    Reason.HTTP: "404",
    Reason.OTHER: "as it said",
}
OF_PHASE_2 = {Reason.BLOCKED, Reason.VENDOR_BUSY, Reason.NO_PRODUCTS, Reason.NO_PRICE}
OF_WATCHES = {Reason.NO_PRODUCT_SHOWN, Reason.NO_PRICE_SHOWN, Reason.CONTRADICTION}
OF_EVENTS = [kind for kind in Reason if kind not in OF_PHASE_2 | OF_WATCHES]


def told(kind: Reason) -> Why:
    return Why(kind, DETAILS.get(kind, ""))


def outcome_of(kind: Reason) -> str:
    return "blocked" if kind in WALLS else "refused" if kind in REFUSED else "failed"


def over_redis(event: CommandDone) -> CommandDone:
    return read_event(event.to_wire())


def test_a_visit_that_gave_no_page_keeps_its_reason_and_leaves_room_for_another():
    for kind in OF_EVENTS:
        drive = Drive(a_job(urls=[URL]), ScriptedBrain(visit(URL), done()))
        drive.step(start(drive.job))
        drive.step(over_redis(ended(drive.commands[0], outcome_of(kind), told(kind))))
        (record,) = drive.job.visits
        assert record.reason == told(kind)
        assert not record.counted, kind
        assert drive.job.plan.visits_used == 0, kind


def test_a_vendor_is_down_for_reasons_that_hold_for_its_whole_host():
    for kind in OF_EVENTS:
        event = over_redis(CommandDone(uid="j:1", command="j:1", outcome=outcome_of(kind), reason=told(kind)))
        vendor = VendorTry(host="a.example", origin="hint", reason=reason_of(event))
        wall = Reason.BLOCKED if kind in WALLS else kind
        assert vendor.reason.kind is (wall or Reason.FAILED)
        assert is_down(vendor) is (kind in DOWN), kind


@each_case(("status", "down"), [(404, False), (403, False), (429, True), (500, True), (503, True)])
def test_of_statuses_only_those_of_the_whole_host_count(status, down):
    vendor = VendorTry(host="a.example", origin="hint", reason=Why(Reason.HTTP, str(status)))
    assert is_down(vendor) is down


def test_a_vendor_whose_host_is_busy_is_down():
    busy = CommandDone(uid="j:1", command="j:1", outcome="busy", reason=Why(Reason.HOST_BUSY), wait_s=41.6)
    vendor = VendorTry(host="a.example", origin="hint", reason=reason_of(busy))
    assert (vendor.reason.text, is_down(vendor)) == ("its host is busy for 42 s", True)


def test_a_watch_keeps_why_a_look_saw_nothing():
    for kind in OF_EVENTS:
        event = over_redis(CommandDone(uid="j:1", command="j:1", outcome=outcome_of(kind), reason=told(kind)))
        (reading,) = readings_of(event, WatchPage(url=URL), target=0, fetch_attempt=1, now_ms=1)
        assert reading.reason == (told(kind) or Why(Reason.FAILED))
