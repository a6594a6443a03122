"""A host that shows a wall at every path: captchas, logins and the like, with the markup of real ones."""

from typing import Final

from aiohttp import web

_SHAPE = '<!doctype html><html lang="en"><head><title>{title}</title></head><body>{body}</body></html>'
_LOGIN = (
    "<h1>Sign in</h1><p>This part of the harbour archive is for members. Please sign in to go on.</p>"
    '<form method="post" action="/session"><label>E-mail <input name="email" type="email"></label>'
    '<label>Password <input name="password" type="password"></label><button>Sign in</button></form>'
    '<p><a href="/reset">Forgot your password?</a> <a href="/join">Create an account</a></p>'
)
_CAPTCHA = (
    "<h1>Are you a human?</h1><p>Please solve the puzzle below to go on to the page.</p>"
    '<form action="/check" method="post"><div class="h-captcha" data-sitekey="1-f"></div>'
    '<script src="https://js.hcaptcha.com/1/api.js" async defer></script><button>Continue</button></form>'
)
_CHALLENGE = (
    "<noscript><h1>Please turn JavaScript on and reload the page.</h1></noscript>"
    '<h1>Checking your browser before accessing the archive</h1><p id="cf-spinner-please-wait">Please stand by …</p>'
    '<form id="challenge-form" action="/?__cf_chl_f_tk=a" method="POST"></form>'
    '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/jsch/v1"></script>'
)
_CONSENT = (
    '<main class="consent"><h1>Before you continue</h1><p>With your consent, we and our 712 partners use '
    "cookies to process personal data, such as your visit to this site, for personalised ads and content.</p>"
    '<form action="/consent/save" method="post"><button name="accept">Accept all</button>'
    '<button name="reject">Reject all</button><a href="/privacy">Manage options</a></form></main>'
)
_REGION = (
    "<h1>Not available</h1><p>This content is not available in your country or region for legal reasons.</p>"
)
_LOST = "<h1>Page not found</h1><p>Sorry, the page you were looking for does not exist any more.</p>"
_DENIED = (
    "<h1>Access denied</h1><p>You don't have permission to access this resource on this server.</p>"
    "<p>Reference #18.2d351ab8.1557333295.a4e16ab</p>"
)
_SLOW_DOWN = "<h1>Too many requests</h1><p>You have sent too many requests. Please try again later.</p>"

_WALLS: Final[dict[str, tuple[int, str, str]]] = {
    "/captcha": (403, "Verify you are human", _CAPTCHA),
    "/challenge": (503, "Just a moment...", _CHALLENGE),
    "/login": (200, "Sign in - Harbour Archive", _LOGIN),
    "/consent": (200, "Before you continue", _CONSENT),
    "/region": (451, "Unavailable for legal reasons", _REGION),
    "/old-page": (200, "Page not found", _LOST),
    "/denied": (403, "Access Denied", _DENIED),
    "/too-often": (429, "Too many requests", _SLOW_DOWN),
}
"""The status, title and body by path."""


def wall(path: str) -> web.Response | None:
    """The wall at a path; None if there is none."""
    if path not in _WALLS:
        return None
    status, title, body = _WALLS[path]
    text = _SHAPE.format(title=title, body=body)
    headers = {"Retry-After": "1"} if status == web.HTTPTooManyRequests.status_code else {}
    return web.Response(text=text, status=status, content_type="text/html", charset="utf-8", headers=headers)
