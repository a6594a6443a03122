"""Sends alerts: to signed https webhooks, and to services of apprise that are reached by https or mail.

The address guard checks every address before a connection is made. Webhooks are sent by aiohttp with a
resolver that asks the guard. apprise sends by many libraries, in a thread with limits of its own (`sending_thread`).
"""

import asyncio
import hashlib
import hmac
import json
import logging
import socket
import time
import warnings
from collections.abc import Mapping
from functools import cache, partial
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from research_crawler.adapters.sending_thread import SENDERS, SENDING_S, in_thread, limited_sending
from research_crawler.core.config import Config
from research_crawler.core.errors import AddressFault, AddressRefused, NotDelivered, UsageError
from research_crawler.core.models.watches.watch import Delivery
from research_crawler.core.text.translatable import translatable
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.core.web.user_agent import user_agent_of
from research_crawler.handlers.upstream_proxy import UpstreamProxy

_TIMEOUT_S, CONNECT_S = 20.0, 8.0
"""How long a notice may take in all, and to connect."""
TRY_AGAIN = frozenset({429, 503})
"""Statuses that say that nothing was done. After others (500, 504) that is unknown, so the alert is not
repeated."""
SENT = range(200, 300)

log = logging.getLogger(__name__)


def check_destination(url: str, config: Config) -> None:
    """Check that alerts can be sent to this URL, before a watch is added.

    Raises:
        UsageError: it is neither a webhook nor an apprise URL, or there is no secret to sign with.
    """
    try:
        urlsplit(url)
    except ValueError as error:
        raise UsageError(
            translatable(
                "a place for alerts is a malformed URL (%(why)s); check its brackets and its port",
                why=str(error),
            )
        ) from error
    if _is_webhook(url):
        if not config.webhook_secret.get_secret_value():
            raise UsageError(
                translatable(
                    "alerts to a webhook are signed; set RESEARCH_WEBHOOK_SECRET to any long random text"
                )
            )
        if urlsplit(url).scheme == "http" and not config.allow_private_hosts:
            raise UsageError(
                translatable(
                    "no alerts go to %(place)s: a webhook must use https, but for a receiver in your own network; "
                    "RESEARCH_ALLOW_PRIVATE_HOSTS opens one",
                    place=shown_destination(url),
                )
            )
        try:
            guard_from(config).check_url(url)
        except AddressRefused as error:
            raise UsageError(
                translatable(
                    "no alerts go to %(place)s, an address that the address guard refuses (%(why)s)",
                    place=shown_destination(url),
                    why=_WHY_REFUSED.get(error.fault, error.fault),
                )
            ) from error
        return
    plugin = _plugin(url)
    if plugin is None:
        raise UsageError(
            translatable(
                "no alerts go to %(place)s, which is neither an https URL nor one that apprise supports "
                "(mailtos://, ntfys://, slack:// …: https://appriseit.com)",
                place=shown_destination(url),
            )
        )
    if fault := service_fault(plugin, config):
        raise UsageError(
            translatable("no alerts go to %(place)s: it %(fault)s", place=shown_destination(url), fault=fault)
        )


_WHY_REFUSED: Final[Mapping[AddressFault, str]] = {
    "host_list": translatable("RESEARCH_WEB_BLOCKED_HOSTS names the host"),
    "port": translatable("of the ports below 1024 only 80 and 443 are allowed"),
    "private_address": translatable("a private address; RESEARCH_ALLOW_PRIVATE_HOSTS opens a network"),
}
"""Why a receiver is refused, where a setting does it; else the fault is told by its name."""


def service_fault(plugin: Any, config: Config) -> str:
    """Why a service of apprise may not get alerts; "" if it may."""
    if fault := fault_of(plugin, has_private_networks=bool(config.allow_private_hosts)):
        return fault
    host = own_host_of(plugin)
    url = f"https://[{host}]/" if ":" in host else f"https://{host}/"
    return (
        translatable("has an address that the address guard refuses")
        if host and not guard_from(config).permits(url)
        else ""
    )


def shown_destination(url: str) -> str:
    """The URL of a destination without keys, for messages."""
    plugin = None if _is_webhook(url) else _plugin(url)
    if plugin is not None:
        return str(plugin.url(privacy=True)).partition("?")[0]
    parts = urlsplit(url)
    return (
        f"{parts.scheme}://{parts.hostname or ''}/…" if parts.hostname else url.partition(":")[0][:20] + ":…"
    )


def guard_from(config: Config) -> AddressGuard:
    """The address guard for alerts. Hosts that crawlers must not visit get no alerts either."""
    return AddressGuard(
        allow_private=config.allow_private_hosts,
        allowed_hosts=(),
        blocked_hosts=config.web_blocked_hosts,
    )


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """The signature that a receiver compares: HMAC-SHA256 over `<timestamp>.<body>`, in hex."""
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def escape_page_text(text: str, form: str) -> str:
    """Escape text from a page, so that it stays text in a service that reads HTML or Markdown (`form`)."""
    _apprise()
    from apprise import conversion

    convert: Any = conversion.convert_between
    return str(convert("text", form, text))


class Notifications:
    """The port `Notifier` over webhooks and apprise."""

    def __init__(self, config: Config, *, sending_s: float = SENDING_S) -> None:
        """`sending_s`: longest time in which the answers of a service of apprise are read."""
        self._config, self._guard, self._sending_s = config, guard_from(config), sending_s
        self._senders = asyncio.Semaphore(SENDERS)

    def fault_of(self, url: str) -> str:
        """What this process lacks to send to a URL, or why it may not; "" if it can."""
        if _is_webhook(url):
            if not self._config.webhook_secret.get_secret_value():
                return "RESEARCH_WEBHOOK_SECRET is not set here; alerts to webhooks are signed"
            refused = "has an address that the address guard refuses here"
            return "" if self._guard.permits(url) else f"{shown_destination(url)} {refused}"
        plugin = _plugin(url)
        if plugin is None:
            return "apprise does not know this URL"
        fault = service_fault(plugin, self._config)
        return f"{shown_destination(url)} {fault}" if fault else ""

    async def send(self, delivery: Delivery) -> None:
        """Send one alert to one destination.

        Raises:
            NotDelivered: says whether another try may succeed, and whether the alert may have arrived.
        """
        if _is_webhook(delivery.url):
            await self._post(delivery)
        else:
            async with self._senders:
                await in_thread(partial(self._by_apprise, delivery))

    async def _post(self, delivery: Delivery) -> None:
        body, headers = self._signed_body(delivery)
        try:
            self._guard.check_url(delivery.url)
            status = await self._status_of(delivery.url, body, headers)
        except AddressRefused as error:
            raise NotDelivered(str(error)) from error
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise NotDelivered(f"no connection: {type(error).__name__}", retry=True) from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise NotDelivered(f"no answer: {type(error).__name__}", maybe=True) from error
        if status in TRY_AGAIN:
            raise NotDelivered(f"http {status}", retry=True)
        if status not in SENT:
            raise NotDelivered(f"http {status}", maybe=status >= 500)

    async def _status_of(self, url: str, body: bytes, headers: dict[str, str]) -> int:
        proxy = UpstreamProxy.from_config(self._config)
        # With a proxy, only the proxy's own host is resolved here, and the operator configured it.
        resolver = aiohttp.ThreadedResolver() if proxy else _CheckedResolver(self._guard)
        connector = aiohttp.TCPConnector(resolver=resolver, use_dns_cache=False)
        timeout = aiohttp.ClientTimeout(total=_TIMEOUT_S, sock_connect=CONNECT_S)
        async with (
            aiohttp.ClientSession(connector=connector, timeout=timeout) as session,
            session.post(
                url, data=body, headers=headers, allow_redirects=False, proxy=proxy.url if proxy else None
            ) as answer,
        ):
            return answer.status

    def _signed_body(self, delivery: Delivery) -> tuple[bytes, dict[str, str]]:
        alert = delivery.alert
        body, timestamp = json.dumps(alert.document(), ensure_ascii=False).encode(), str(int(time.time()))
        secret = self._config.webhook_secret.get_secret_value()
        if not secret:
            raise NotDelivered("RESEARCH_WEBHOOK_SECRET is not set here; alerts to webhooks are signed")
        return body, {
            "Content-Type": "application/json",
            "User-Agent": user_agent_of(self._config),
            "Idempotency-Key": alert.key,
            "X-Research-Timestamp": timestamp,
            "X-Research-Signature": f"sha256={signature(secret, timestamp, body)}",
        }

    def _by_apprise(self, delivery: Delivery) -> None:
        plugin = _plugin(delivery.url)
        if plugin is None:
            raise NotDelivered("apprise does not know this URL")
        if fault := service_fault(plugin, self._config):
            raise NotDelivered(f"{shown_destination(delivery.url)} {fault}")
        with limited_sending(self._guard, seconds=self._sending_s) as sending:
            try:
                form = plugin.notify_format
                title, body = (
                    escape_page_text(part, form) for part in (delivery.alert.title, delivery.alert.text)
                )
                sent = bool(plugin.notify(title=title, body=body, body_format=form))
            except Exception as error:
                raise NotDelivered(f"apprise: {type(error).__name__}", maybe=sending.resolved) from error
        if sending.refused:
            raise NotDelivered(sending.refused)
        if not sent:
            # apprise gives no reason. If no host was resolved, nothing can have arrived.
            raise NotDelivered(
                "apprise could not send it", retry=not sending.resolved, maybe=sending.resolved
            )


class _CheckedResolver(AbstractResolver):
    """Returns only addresses that the guard allows; literal addresses were checked with the URL."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard, self._resolver = guard, aiohttp.ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The host's addresses. Raises AddressRefused."""
        found = await self._resolver.resolve(host, port, family)
        self._guard.check_addresses(host, [entry["host"] for entry in found])
        return found

    async def close(self) -> None:
        """Close the resolver behind it."""
        await self._resolver.close()


def _is_webhook(url: str) -> bool:
    return urlsplit(url).scheme in ("http", "https") and _plugin(url) is None


def _plugin(url: str) -> Any:
    """apprise's object for a URL; None if apprise does not support it."""
    try:
        return _apprise().instantiate(url, suppress_exceptions=True) if "://" in url else None
    except Exception as error:  # some plugins raise on a malformed URL
        log.info("apprise cannot read a URL", extra={"reason": type(error).__name__})
        return None


@cache
def _apprise() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import apprise

        apprise.Apprise.instantiate("json://localhost")  # loads the plugins, which warn as well
    logging.getLogger("apprise").setLevel(logging.CRITICAL)  # its log lines hold messages and keys
    return apprise.Apprise


# Which of apprise's services may get alerts: those that are reached by https at a fixed host, by https at a host
# of the operator's own, and mail.
#
# apprise also writes to local sockets, desktops, message brokers and devices, and it may add more with every
# release.

HOSTED: Final = frozenset(
    """
    azure betterstack bluesky brevo bsky cliq clicksend dingtalk discord feishu flock freemobile gchat github groupme
    guilded ifttt ilert incidentio infobip jira join kook lark line mailersend mailgun msg91 msgbird nexmo
    notifiarr o365 octopush onesignal opsgenie pagerduty pagertree pbul plivo postmark pover prowl push pushed
    pushplus pushy reddit resend revolt ringc ryver sendgrid sendpulse ses seven signl4 simplepush sinch slack smtp2go
    sns sparkpost spike splunk spush squadcast stackfield strmlabs tgram threema telnyx tweet twilio twist twitter
    viber victorops vonage webex wechat wecombot whatsapp workflow workflows wxpusher wxteams x zcliq zohocliq zoom
    zulip
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Services that apprise reaches by https at hosts it knows itself."""
OWN_HOST: Final = frozenset(
    """
    apprises barks forms goalerts gotifys hassios humhubs jsons lametrics mastodons matrixs misskeys mmosts nclouds
    nctalks ntfys onebots parseps pushdeers rockets signals synologys toots xmls
    """.split()  # noqa: SIM905
)
"""Services that are reached by https at the host that the URL names."""
CLEARTEXT: Final = frozenset({scheme.removesuffix("s") for scheme in OWN_HOST})
"""The same services without TLS, for networks of the operator's own."""
MAIL: Final = frozenset({"mailto", "mailtos"})


def scheme_of(plugin: Any) -> str:
    """The scheme by which apprise itself writes the URL of a service: `https://discord.com/…` is `discord`."""
    return urlsplit(str(plugin.url(privacy=True))).scheme


def fault_of(plugin: Any, *, has_private_networks: bool) -> str:
    """Why a service may not get alerts; "" if it may.

    Args:
        has_private_networks: the operator has opened private networks, where TLS is not always to be had.
    """
    scheme = scheme_of(plugin)
    if not plugin.verify_certificate:
        return translatable("would not check the certificate of the host (verify=no)")
    if scheme in HOSTED | OWN_HOST | MAIL or _is_hosted_ntfy(plugin, scheme):
        return ""
    if scheme in CLEARTEXT:
        return (
            ""
            if has_private_networks
            else translatable("is not encrypted; use %(scheme)ss://", scheme=scheme)
        )
    return translatable(
        "is a service that gets no alerts (%(scheme)s); those reached by https, and mail, do", scheme=scheme
    )


def own_host_of(plugin: Any) -> str:
    """The host that the URL of a service names itself; "" for a service that has its hosts."""
    scheme = scheme_of(plugin)
    if scheme in MAIL:
        return str(plugin.smtp_host or "")
    if scheme not in OWN_HOST | CLEARTEXT or _is_hosted_ntfy(plugin, scheme):
        return ""
    return str(plugin.host or "")


def _is_hosted_ntfy(plugin: Any, scheme: str) -> bool:
    """`ntfy://topic` is a topic of ntfy.sh, which apprise reaches by https."""
    return scheme in ("ntfy", "ntfys") and getattr(plugin, "mode", "") == "cloud"
