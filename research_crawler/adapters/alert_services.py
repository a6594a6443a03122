"""Which of apprise's services may get alerts: those that are reached by https at a fixed host, by https at a host of
the operator's own, and mail.

apprise also writes to local sockets, desktops, message brokers and devices, and it may add more with every release.
"""

from typing import Any, Final
from urllib.parse import urlsplit

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
        return "would not check the certificate of the host (verify=no)"
    if scheme in HOSTED | OWN_HOST | MAIL or _is_hosted_ntfy(plugin, scheme):
        return ""
    if scheme in CLEARTEXT:
        return "" if has_private_networks else f"is not encrypted; use {scheme}s://"
    return f"is a service that gets no alerts ({scheme}); those reached by https, and mail, do"


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
