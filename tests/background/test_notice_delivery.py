"""Alerts go out at most once: claimed before they are sent, signed, through the address guard."""

import asyncio
import contextlib
import hashlib
import hmac
import inspect
import json
import re
import socket
import threading
import time
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from planner.watches.price_alerts import alert_of
from research_crawler.adapters import notifications
from research_crawler.adapters.notifications import (
    CLEARTEXT,
    HOSTED,
    OWN_HOST,
    Notifications,
    check_destination,
    escape_page_text,
    shown_destination,
)
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.stores.alert_store import SqlAlerts
from research_crawler.adapters.sql.stores.watch_store import SqlWatches
from research_crawler.background.notice_delivery import (
    CLAIMED_MS,
    FAILED_DAYS,
    RETRY_WAITS_MS,
    NoticeDelivery,
)
from research_crawler.core.config import Config
from research_crawler.core.errors import NotDelivered, UsageError
from research_crawler.core.models.watches.watch import Change, Delivery, ObservedState
from tests.cases import each_case
from tests.handlers.forward_proxy import forward_proxy
from tests.planner.watches.watch_samples import NOW, a_reading, a_watch, an_identity

SECRET = "a long random text"


class Receiver(BaseHTTPRequestHandler):
    """Records the requests it gets, and answers with the status that their path names."""

    got: list[tuple[str, dict, bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, dict(self.headers), body))
        status = int(self.path.rsplit("/", 1)[-1])
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere/200")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_) -> None:
        pass


class Endless(Receiver):
    """Begins an answer that has no end: one byte at a time, or as much as is taken."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        part, pause = (b"x", 0.05) if self.path == "/dribble" else (b"x" * 100_000, 0)
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(part)
                time.sleep(pause)


@pytest.fixture
def receiver():
    server = ThreadingHTTPServer(("127.0.0.3", 0), Receiver)
    server.got = []
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def url_of(server, status: int = 200, scheme: str = "http") -> str:
    host, port = server.server_address
    return f"{scheme}://{host}:{port}/hook/{status}"


def config(tmp_path, **more) -> Config:
    return Config(home=tmp_path, webhook_secret=SECRET, allow_private_hosts=["127.0.0.0/8"], **more)


def a_delivery(url: str) -> Delivery:
    change = Change(
        watch="w",
        product="p",
        number=1,
        at_ms=NOW,
        before=None,
        after=ObservedState(price=Decimal("849.50"), currency="EUR"),
        identity=an_identity(),
    )
    return Delivery(alert=alert_of(a_watch(), change, ["below"]), destination=0, url=url, attempt=1)


async def test_a_webhook_is_signed_and_names_its_change(tmp_path, receiver):
    delivery = a_delivery(url_of(receiver))
    await Notifications(config(tmp_path)).send(delivery)
    ((_, headers, body),) = receiver.got
    signed = f"{headers['X-Research-Timestamp']}.".encode() + body
    expected = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert headers["X-Research-Signature"] == f"sha256={expected}"
    assert headers["Idempotency-Key"] == delivery.alert.key
    document = json.loads(body)
    assert document["change"]["after"]["price"] == 849.5
    assert document["reasons"] == ["below"]


@pytest.mark.parametrize(
    ("status", "retry", "maybe"),
    [(302, False, False), (404, False, False), (429, True, False), (503, True, False), (500, False, True)],
)
async def test_only_an_alert_that_certainly_did_not_arrive_may_be_retried(
    tmp_path, receiver, status, retry, maybe
):
    with pytest.raises(NotDelivered) as failed:
        await Notifications(config(tmp_path)).send(a_delivery(url_of(receiver, status)))
    assert (failed.value.retry, failed.value.maybe) == (retry, maybe)
    assert len(receiver.got) == 1, "redirects are not followed"


async def test_the_address_guard_checks_webhooks_and_apprise_urls(tmp_path, receiver):
    guarded = Notifications(Config(home=tmp_path, webhook_secret=SECRET, web_blocked_hosts=[]))
    for url, words in (
        (url_of(receiver), "private_address"),
        ("http://localhost/hook", "private_address"),
        (url_of(receiver, scheme="json"), "not encrypted"),
        (url_of(receiver, scheme="jsons"), "address guard"),
        ("jsons://localhost/x", "address guard"),
    ):
        with pytest.raises(NotDelivered) as refused:
            await guarded.send(a_delivery(url))
        assert words in str(refused.value)
        assert not refused.value.retry
    assert receiver.got == []


async def test_the_address_guard_checks_what_a_services_host_resolves_to(tmp_path, receiver, monkeypatch):
    monkeypatch.setattr(notifications, "service_fault", lambda plugin, config: "")
    guarded = Notifications(Config(home=tmp_path, webhook_secret=SECRET, web_blocked_hosts=[]))
    for url in (url_of(receiver, scheme="json"), "json://localhost/x"):
        with pytest.raises(NotDelivered, match="private_address") as refused:
            await guarded.send(a_delivery(url))
        assert not refused.value.retry
    assert receiver.got == []


async def test_apprise_sends_to_addresses_that_the_guard_allows(tmp_path, receiver):
    await Notifications(config(tmp_path)).send(a_delivery(url_of(receiver, scheme="json")))
    ((path, _, body),) = receiver.got
    assert path == "/hook/200"
    assert "EUR 849.50" in json.loads(body)["title"]
    with pytest.raises(NotDelivered) as failed:
        await Notifications(config(tmp_path)).send(a_delivery(url_of(receiver, 500, scheme="json")))
    assert failed.value.maybe


@pytest.mark.parametrize("scheme", ["http", "json"])
@pytest.mark.parametrize("path", ["/dribble", "/endless"])
async def test_a_receiver_that_never_ends_its_answer_is_left_and_the_alert_may_have_arrived(
    tmp_path, receiver, scheme, path
):
    receiver.RequestHandlerClass = Endless
    host, port = receiver.server_address
    sent = Notifications(config(tmp_path), sending_s=0.3).send(a_delivery(f"{scheme}://{host}:{port}{path}"))
    if scheme == "http":  # only the status of a webhook is read
        return await asyncio.wait_for(sent, 10)
    with pytest.raises(NotDelivered) as failed:
        await asyncio.wait_for(sent, 10)
    assert failed.value.maybe


async def test_slow_receivers_hold_up_no_other_work_of_the_process(tmp_path, receiver):
    receiver.RequestHandlerClass = Endless
    host, port = receiver.server_address
    sender = Notifications(config(tmp_path), sending_s=1.5)
    delivery = a_delivery(f"json://{host}:{port}/dribble")
    sends = [asyncio.create_task(sender.send(delivery)) for _ in range(40)]
    while threading.active_count() < 10:
        await asyncio.sleep(0.01)
    assert await asyncio.wait_for(asyncio.to_thread(lambda: "done"), 1.0) == "done"
    for send in sends:
        send.cancel()
    await asyncio.wait(sends)


async def test_a_webhook_is_sent_through_the_configured_proxy(tmp_path, receiver):
    async with forward_proxy(leads_to="127.0.0.3") as proxy:
        port = receiver.server_address[1]
        settings = config(tmp_path, proxy=proxy.url)
        await Notifications(settings).send(a_delivery(f"http://hooks.example.org:{port}/hook/200"))
    assert [path for path, _, _ in receiver.got] == ["/hook/200"]
    assert proxy.asked == [("POST", f"http://hooks.example.org:{port}/hook/200")]


@pytest.mark.parametrize(("form", "mark"), [("html", "<img"), ("markdown", "[x](")])
def test_a_products_name_is_escaped_for_services_that_render_markup(form, mark):
    text = '<img src="https://evil.example"> [x](https://evil.example)'
    assert mark in escape_page_text(text, "text")
    assert mark not in escape_page_text(text, form)


def test_an_unusable_notify_url_is_refused_when_the_watch_is_added(tmp_path):
    fine = config(tmp_path)
    check_destination("https://hooks.example.org/T0/secret", fine)
    check_destination("ntfy://my-topic", fine)
    for place, words in [
        ("nonsense://x", "apprise"),
        ("hooks.example.org", "apprise"),
        ("https://169.254.169.254/latest", "guard"),
        ("https://user:word@hooks.example.org/x", "guard"),
    ]:
        with pytest.raises(UsageError, match=words):
            check_destination(place, fine)
    with pytest.raises(UsageError, match="RESEARCH_WEBHOOK_SECRET"):
        check_destination("https://hooks.example.org/x", Config(home=tmp_path))
    strict = Config(home=tmp_path, webhook_secret=SECRET)
    with pytest.raises(UsageError, match="https"):
        check_destination("http://hooks.example.org/x", strict)
    for own in ("http://127.0.0.1:9000/hook", "https://127.0.0.1:9000/hook", "https://10.1.2.3/hook"):
        with pytest.raises(UsageError, match="RESEARCH_ALLOW_PRIVATE_HOSTS"):
            check_destination(own, strict)
    with pytest.raises(UsageError, match="only 80 and 443"):
        check_destination("https://hooks.example.org:25/x", fine)


LOCAL = [
    "rsyslog://127.0.0.1",
    "syslog://",
    "dbus://",
    "mqtt://127.0.0.1/t",
    "mqtts://127.0.0.1/t",
    "amqp://127.0.0.1/q",
    "irc://127.0.0.1/#c",
    "kodi://127.0.0.1",
    "xbmc://127.0.0.1",
    "emby://a:b@127.0.0.1",
    "growl://127.0.0.1",
    "aprs://AB1CDE:12345@AB1CDF",
    "gnome://",
    "enigma2://127.0.0.1",
    "macosx://",
    "windows://",
    "glib://",
    "xmpp://a:b@127.0.0.1",
    "smpp://a:b@127.0.0.1/x",
]


@each_case("place", LOCAL)
async def test_a_service_that_is_neither_https_nor_mail_gets_no_alert(tmp_path, place):
    settings = config(tmp_path, web_blocked_hosts=[])
    with pytest.raises(UsageError, match=r"gets no alerts|neither"):
        check_destination(place, settings)
    with pytest.raises(NotDelivered):
        await Notifications(settings).send(a_delivery(place))


async def test_a_system_log_in_the_network_hears_nothing(tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as log:
        log.bind(("127.0.0.1", 0))
        log.setblocking(False)
        place = f"rsyslog://127.0.0.1:{log.getsockname()[1]}"
        with pytest.raises(NotDelivered, match="gets no alerts"):
            await Notifications(config(tmp_path, web_blocked_hosts=[])).send(a_delivery(place))
        with pytest.raises(BlockingIOError):
            log.recv(1)


@each_case(
    ("place", "words"),
    [
        ("json://hooks.example.org/x", "jsons://"),
        ("gotify://push.example.org/Aabcdefghijklmn", "gotifys://"),
        ("ntfy://push.example.org/topic", "ntfys://"),
        ("jsons://127.0.0.1/x", "guard"),
        ("jsons://[::1]/x", "guard"),
        ("jsons://10.0.0.1/x", "guard"),
        ("jsons://metadata.google.internal/x", "guard"),
        ("mailtos://a:b@localhost?to=a@b.example", "guard"),
        ("jsons://hooks.example.org/x?verify=no", "certificate"),
        ("slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/?verify=no", "certificate"),
    ],
)
def test_services_are_reached_with_tls_at_public_hosts(tmp_path, place, words):
    with pytest.raises(UsageError, match=words):
        check_destination(place, Config(home=tmp_path, webhook_secret=SECRET, web_blocked_hosts=[]))


@each_case(
    "place",
    [
        "ntfy://my-topic",
        "ntfys://push.example.org/topic",
        "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#general",
        "https://discord.com/api/webhooks/123456789012345678/AbCdEfGhIjKlMnOpQrStUvWxYz",
        "mailtos://user:word@mail.example.org?to=a@b.example",
        "tgram://123456789:abcdefg_hijklmnop/12315544/",
        "gotifys://push.example.org/Aabcdefghijklmn",
        "jsons://hooks.example.org/x",
    ],
)
def test_services_by_https_and_mail_get_alerts(tmp_path, place):
    check_destination(place, Config(home=tmp_path, webhook_secret=SECRET, web_blocked_hosts=[]))


def test_every_service_that_gets_alerts_is_known_to_apprise_and_opens_no_socket_itself():
    from apprise.manager_plugins import NotificationManager

    manager = NotificationManager()
    manager.load_modules()
    own_ways = re.compile(r"^\s*(?:import|from) (?:socket|subprocess|dbus|paho|slixmpp|gntp)\b", re.M)
    for scheme in HOSTED | OWN_HOST | CLEARTEXT:
        assert scheme in manager, scheme
        assert not own_ways.search(inspect.getsource(inspect.getmodule(manager[scheme]))), scheme


def test_secrets_in_notify_urls_are_not_shown():
    assert shown_destination("https://hooks.example.org/T0/secret") == "https://hooks.example.org/…"
    assert "word" not in shown_destination("mailto://user:word@mail.example")
    assert "word" not in shown_destination("nonsense://user:word@x")


class Scripted:
    """A notifier that raises the given errors first, and then sends."""

    def __init__(self, *faults: NotDelivered | None) -> None:
        self.faults, self.sent = list(faults), []

    def fault_of(self, url: str) -> str:
        return ""

    async def send(self, delivery: Delivery) -> None:
        await asyncio.sleep(0)
        fault = self.faults.pop(0) if self.faults else None
        if fault:
            raise fault
        self.sent.append((delivery.alert.key, delivery.destination))


@pytest.fixture
async def box(tmp_path):
    """An archive with one alert for two places."""
    archive = SqlArchive(Config(home=tmp_path))
    await archive.open()
    watches = SqlWatches(archive)
    await watches.add(a_watch(notify=["https://a.example/x", "https://b.example/x"]), next_due_ms=NOW)
    prices = ["999", "999", "800", "800"]
    for number, price in enumerate(prices, 1):
        await watches.settle("watchaaaaaaa", f"run{number}", [a_reading(number, price)])
    yield SqlAlerts(archive)
    await archive.close()


def sending(box, notifier, at_ms: int = NOW + 10**9) -> NoticeDelivery:
    return NoticeDelivery(box, notifier, clock_ms=lambda: at_ms)


async def test_each_notify_url_gets_an_alert_once_however_many_processes_send(box):
    notifier = Scripted()
    await asyncio.gather(*(sending(box, notifier).tick() for _ in range(5)))
    assert [place for _, place in sorted(notifier.sent)] == [0, 1]
    assert {state for _, _, state, _ in await box.delivery_states()} == {"sent"}


async def test_a_change_that_is_settled_twice_gives_one_alert(box):
    watches = SqlWatches(box.archive)
    for number, price in enumerate(["999", "999", "800", "800"], 1):
        await watches.settle("watchaaaaaaa", f"run{number}", [a_reading(number, price)])
    assert len(await box.alerts()) == 1
    assert len(await watches.observations()) == 4


async def test_an_alert_that_certainly_did_not_arrive_is_sent_again_later(box):
    notifier = Scripted(NotDelivered("no connection", retry=True), None)
    begin = NOW + 10**9
    await sending(box, notifier, begin).tick()
    await sending(box, notifier, begin + 1).tick()
    assert len(notifier.sent) == 1
    await sending(box, notifier, begin + RETRY_WAITS_MS[0]).tick()
    assert len(notifier.sent) == 2


async def test_an_alert_that_may_have_arrived_is_not_sent_again(box):
    notifier = Scripted(NotDelivered("no answer", maybe=True), None)
    await sending(box, notifier).tick()
    await sending(box, notifier, NOW + 10**12).tick()
    assert len(notifier.sent) == 1
    assert sorted(state for _, _, state, _ in await box.delivery_states()) == ["sent", "unknown"]


async def test_a_process_that_dies_while_it_sends_causes_no_second_alert(box):
    class Dies(Scripted):
        async def send(self, delivery: Delivery) -> None:
            self.sent.append((delivery.alert.key, delivery.destination))
            raise asyncio.CancelledError

    dying = Dies()
    with contextlib.suppress(asyncio.CancelledError):
        await sending(box, dying).tick()
    later = Scripted()
    await sending(box, later, NOW + 10**9 + 2 * CLAIMED_MS).tick()
    assert not set(dying.sent) & set(later.sent)
    states = {place: state for _, place, state, _ in await box.delivery_states()}
    assert "unknown" in states.values()
    assert "due" not in states.values()


@pytest.mark.parametrize("in_time", [True, False])
async def test_a_process_without_the_secret_leaves_an_alert_for_one_that_has_it_within_a_week(
    tmp_path, receiver, in_time
):
    archive = SqlArchive(Config(home=tmp_path))
    await archive.open()
    watches, box = SqlWatches(archive), SqlAlerts(archive)
    await watches.add(a_watch(notify=[url_of(receiver)]), next_due_ms=NOW)
    for number, price in enumerate(["999", "999", "800", "800"], 1):
        await watches.settle("watchaaaaaaa", f"run{number}", [a_reading(number, price)])
    without = Notifications(Config(home=tmp_path, allow_private_hosts=["127.0.0.0/8"]))
    [alert] = await box.alerts()
    soon, late = alert.change.at_ms + 86_400_000, alert.change.at_ms + 8 * 86_400_000
    assert await sending(box, without, soon).tick() == 0
    [(_, _, state, note)] = await box.delivery_states()
    assert (state, "RESEARCH_WEBHOOK_SECRET is not set here" in note) == ("due", True)
    if in_time:
        assert await sending(box, Notifications(config(tmp_path)), soon).tick() == 1
    else:
        assert await sending(box, without, late).tick() == 0
        [(_, _, state, note)] = await box.delivery_states()
        assert (state, "RESEARCH_WEBHOOK_SECRET is not set here" in note) == ("failed", True)
        assert await sending(box, Notifications(config(tmp_path)), late + 1).tick() == 0
    assert len(receiver.got) == in_time
    await archive.close()


async def test_an_alert_that_failed_is_tried_again_for_a_week_and_sent_once(box):
    begin, day = NOW + 10**9, 86_400_000
    refused = Scripted(*[NotDelivered("http 404")] * 6, None)
    await sending(box, refused, begin).tick()
    assert {state for _, _, state, _ in await box.delivery_states()} == {"failed"}
    for days in range(1, 30):
        await sending(box, refused, begin + days * day).tick()
    assert len(refused.sent) == 2
    assert {state for _, _, state, _ in await box.delivery_states()} == {"sent"}
    gone = Scripted(*[NotDelivered("http 404")] * 100)
    watches = SqlWatches(box.archive)
    for number, price in enumerate(["700", "700"], 5):
        await watches.settle("watchaaaaaaa", f"run{number}", [a_reading(number, price)])
    for days in range(40):
        await sending(box, gone, begin + days * day).tick()
    assert 100 - len(gone.faults) == 2 * (1 + FAILED_DAYS)  # at once, and once a day for a week


async def test_a_failure_of_long_ago_is_not_told_now(box):
    gone = Scripted(*[NotDelivered("http 404")] * 2)
    await sending(box, gone).tick()
    later = Scripted()
    await sending(box, later, NOW + 10**9 + 60 * 86_400_000).tick()
    assert later.sent == []
