"""Blockers are recognised, and ordinary pages are not taken for blockers; `test_saved_pages` scores real ones."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.blockers.detection import detect_blocker
from research_crawler.extraction.blockers.model import Blocker
from tests.cases import each_case

MENU = (
    "<nav><ul>"
    + "".join(f'<li><a href="/c/{n}">Category number {n}</a></li>' for n in range(30))
    + "</ul></nav>"
)
PROSE = (
    "<p>"
    + "The old mill stands by the river and turns its wheel when the water is high in spring. " * 8
    + "</p>"
)


def page(title: str, body: str, *, head: str = "") -> bytes:
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>{title}</title>{head}</head><body>{body}</body></html>"
    ).encode()


def form(name: str, password: str, button: str) -> str:
    return (
        f'<form method=post action="/s"><label>{name} <input name=user></label>'
        f"<label>{password} <input type=password name=p></label><button>{button}</button></form>"
    )


def look(
    body: bytes | str,
    *,
    url: str = "https://shop.example/a",
    status: int = 200,
    text: str | None = None,
    **headers: str,
) -> Blocker | None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return detect_blocker(body, url=url, status=status, headers=named, text=text)


def kind_of(body: bytes | str, **known: object) -> str | None:
    found = look(body, **known)  # type: ignore[arg-type]
    return found.kind if found else None


@pytest.mark.parametrize(
    "body",
    [
        page("Acme Forum", MENU + "You are not logged in." + form("User", "Password", "Log in")),
        page(
            "Sign in", "<h1>Sign in</h1><form><input type=email name=identifier><button>Next</button></form>"
        ),
        page("Prüfung", "<label>Code <input name=otp autocomplete=one-time-code></label>"),
    ],
    ids=["notice and form", "name first", "one-time code"],
)
def test_a_login_page_is_recognised_without_a_password_field(body):
    assert kind_of(body) == "login_page"


def test_a_login_form_built_by_scripts_is_recognised_by_title_and_url_together():
    shell = page("Login", '<div id="root"></div><script src="/app.js"></script>')
    assert kind_of(shell, url="https://x.example/login?next=/a") == "login_page"
    assert kind_of(shell) == "empty_shell"


def test_a_menu_of_hundreds_of_links_does_not_hide_a_login_page():
    menu = (
        "<ul>"
        + "".join(f"<li><a href='/{n}'>A rather long name of a category, {n}</a>" for n in range(400))
        + "</ul>"
    )
    assert kind_of(page("Sign in", menu + form("E-mail", "Password", "Sign in"))) == "login_page"
    login = "https://shop.example/account/login"
    assert kind_of(page("Shop", menu + form("E-mail", "Password", "Go")), url=login) == "login_page"


WALLS = [
    (
        "challenge",
        "cloudflare",
        403,
        page("Just a moment...", "<script>window._cf_chl_opt={cvId:'3'}</script>"),
    ),
    (
        "challenge",
        "cloudflare",
        403,
        page(
            "Nur einen Moment…", "<script src='/cdn-cgi/challenge-platform/h/b/orchestrate/x?ray=1'></script>"
        ),
    ),
    (
        "rate_limit",
        "cloudflare",
        429,
        page("Error 1015", "<div class=cf-error-details><span class='cf-error-code'>1015</span> wait</div>"),
    ),
    (
        "geo_block",
        "cloudflare",
        403,
        page(
            "Error 1009", "<div class=cf-error-details><span class='cf-error-code'>1009</span> banned</div>"
        ),
    ),
    (
        "captcha",
        "datadome",
        403,
        page("x.example", "<script>var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script>"),
    ),
    ("captcha", "perimeterx", 403, page("Access to this page has been denied", "<div id=px-captcha></div>")),
    ("challenge", "imperva", 200, page("", "<iframe src='/_Incapsula_Resource?SWUDNSAI=31'></iframe>")),
    (
        "challenge",
        "imperva",
        200,
        page("", "", head="<script src='/_Incapsula_Resource?SWJIYLWA=1'></script>"),
    ),
    (
        "access_denied",
        "akamai",
        403,
        page(
            "Access Denied",
            "<h1>Access Denied</h1>You don't have permission. Reference&#32;&#35;18&#46;2d351ab8",
        ),
    ),
    (
        "challenge",
        "aws_waf",
        202,
        page(
            "", "<script>window.gokuProps={}</script><script src='https://a.token.awswaf.com/c.js'></script>"
        ),
    ),
    (
        "captcha",
        "amazon",
        200,
        page("Shop", "<form action='/errors/validateCaptcha'>Enter the characters<input name=k></form>"),
    ),
    (
        "geo_block",
        "aws_cloudfront",
        403,
        page("ERROR", "The Amazon CloudFront distribution is configured to block access from your country."),
    ),
    ("challenge", "kasada", 429, page("", "<script>window.KPSDK={};KPSDK.now=1</script>")),
    ("captcha", "hcaptcha", 200, page("Verify", "<h1>Bitte bestätigen</h1><div class='h-captcha'></div>")),
    ("captcha", "yandex", 200, page("Ой!", "<form action='/checkcaptcha?k=1'><input type=submit></form>")),
    (
        "challenge",
        "anubis",
        200,
        page(
            "Making sure you're not a bot!", "<script src='/.within.website/x/cmd/anubis/main.mjs'></script>"
        ),
    ),
]


@each_case(("kind", "vendor", "status", "body"), WALLS)
def test_a_wall_has_the_name_of_its_vendor(kind, vendor, status, body):
    found = look(body, status=status)
    assert found is not None
    assert (found.kind, found.vendor) == (kind, vendor)


def test_headers_alone_reveal_a_challenge():
    assert look(b"", status=202, x_amzn_waf_action="challenge") == Blocker(
        kind="challenge", vendor="aws_waf", confidence=0.99, evidence="header x-amzn-waf-action: challenge"
    )
    assert kind_of(page("x", PROSE), status=403, cf_mitigated="challenge") == "challenge"


def test_a_captcha_of_an_unknown_vendor_is_recognised_if_nothing_else_is_to_fill_in():
    puzzle = (
        "<img src='/c.php?captcha=1'><form><input name=captcha placeholder=Captcha><input type=submit></form>"
    )
    assert kind_of(page("Gateway", "One step is required. " + puzzle)) == "captcha"
    contact = "<input type=email name=mail><textarea name=message></textarea>" + puzzle
    assert kind_of(page("Contact", "<h1>Contact</h1>" + contact)) is None


@each_case(
    ("kind", "words"),
    [
        ("rate_limit", "429 Too Many Requests"),
        ("geo_block", "This content is not available in your region"),
        ("access_denied", "Sorry, you have been blocked"),
        ("challenge", "Checking your browser before accessing"),
    ],
)
def test_a_page_with_only_a_notice_is_recognised_by_the_notice(kind, words):
    assert kind_of(page("shop.example", f"<h1>{words}</h1>")) == kind
    assert kind_of(page(words, MENU + f"<div>{words}</div>")) == kind


@each_case(
    ("status", "kind"),
    [
        (401, "login_page"),
        (403, "access_denied"),
        (429, "rate_limit"),
        (451, "geo_block"),
        (503, "rate_limit"),
        (999, "access_denied"),
        (404, None),
        (500, None),
        (502, None),
    ],
)
def test_the_status_decides_if_the_page_says_nothing(status, kind):
    assert kind_of(b"", status=status) == kind
    assert kind_of(b'{"error": 1}', status=status, content_type="application/json") == kind
    assert kind_of(page("Error", "<h1>Error</h1>" + PROSE), status=status) == kind


@each_case(
    "words",
    [
        "Page not found",
        "404",
        "Error 404 (Not Found)!!1",
        "Oops! That page can’t be found.",
        "We couldn't find the page you were looking for",
        "The page you are looking for doesn't exist",
        "Product not found",
        "Seite nicht gefunden",
        "Page introuvable",
        "Página no encontrada",
        "Pagina non trovata",
        "Página não encontrada",
        "Pagina niet gevonden",
        "Nie znaleziono strony",
    ],
)
def test_a_page_titled_not_found_is_a_soft_404(words):
    assert kind_of(page(f"{words} | Shop", MENU + "<p>Try the search.</p>")) == "soft_404"
    assert kind_of(page("Shop", MENU + f"<h1>{words}</h1>")) == "soft_404"


@each_case(
    "body",
    [
        page("App", "<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>"),
        page(
            "App",
            "<noscript>Bitte aktivieren Sie JavaScript</noscript><div id=w></div><script src=a.js></script>",
        ),
        page("App", "<div id=__next></div><script>self.__next_f=[]</script>"),
        page("App", "<app-root></app-root><script type=module src=main.js></script>"),
        page("Redirect", "", head='<meta http-equiv=refresh content="0; url=/b">'),
        b"<html><head></head><body></body></html>",
        b"   \n",
        b"",
    ],
)
def test_a_page_without_text_is_an_empty_shell(body):
    assert kind_of(body) == "empty_shell"


def test_a_page_that_only_asks_for_consent_is_a_consent_wall():
    asking = (
        "<p>Wir und unsere 237 Partner verwenden Cookies und verarbeiten personenbezogene Daten für personalisierte "
        "Werbung. Mit Ihrer Einwilligung; Näheres im Datenschutz.</p>"
        "<button>Alle akzeptieren</button><button>Ablehnen</button>"
    )
    assert kind_of(page("Zeitung", asking)) == "consent_wall"
    assert kind_of(page("Zeitung", MENU + PROSE * 2 + asking)) is None
    assert (
        kind_of(page("Before you continue", "<p>cookies, privacy</p>"), url="https://consent.x.example/m")
        == "consent_wall"
    )


DIALOG = "<div class='modal fade'><h3>Log in</h3>" + form("u", "p", "Log in") + "</div>"
ORDINARY = {
    "article on 404": page("How to fix a 404 not found error", "<h1>How to fix a 404 not found error</h1>" + PROSE),
    "article called like a wall": page("Access denied: a novel", "<h1>Access Denied</h1>" + PROSE * 3),
    "model 404": page("Peugeot 404 review", MENU + "<h1>Peugeot 404</h1>" + PROSE),
    "tutorial": page("Login form tutorial", "<h1>Build a login form</h1>" + PROSE * 6 + form("u", "p", "Log in")),
    "dialog": page("Blue chair", MENU + "<h1>Blue chair</h1>Nice." + DIALOG),
    "help": page("How to sign in – Help", MENU + "<h1>How to sign in</h1>" + PROSE * 2 + DIALOG),
    "login in the header": page("Blue chair", "<header>" + form("u", "p", "Log in") + "</header><h1>Blue chair</h1>"),
    "registration": page("Create account", "<form><input type=email><input type=password><input type=password></form>"),
    "short": page("Weather", "<h1>Weather in Oslo</h1><p>12 degrees, light rain.</p><script src=a.js></script>"),
    "thanks": page("Thank you", "<h1>Thank you</h1><p>Order placed</p>"),
    "product data": page(
        "Chair", "<div id=app></div><script type='application/ld+json'>{'@type': 'Product', \"offers\": {}}</script>"
    ),
    "noscript forum": page("Thread", "<script src=a.js></script><noscript>" + PROSE + "</noscript>"),
    "protected by a vendor": page("News", "<script src='/_Incapsula_Resource?SWJ=1'></script>" + PROSE),
    "contact that wants a human": page(
        "Hotel", "<h1>Contact</h1><form><input name=subject><textarea name=message></textarea>"
        "<label>Please prove that you are human <input name=sum class=captcha></label></form>"
    ),
    "contact beside a login": page(
        "Club", "<h2>Log in</h2>" + form("u", "p", "Log in") + "<form><textarea name=message></textarea></form>"
    ),
    "lost password": page(
        "Shop", "<form><input type=text name=email><img src=captcha.png><input name=captcha_sum></form>"
    ),
    "json": b'{"status": "ok"}',
    "text": b"just words",
    "pdf": b"%PDF-1.4 ...",
    "image": b"\x89PNG\r\n\x1a\n\x00\x00",
}  # fmt: skip


@each_case("name", ORDINARY)
def test_an_ordinary_page_is_not_a_blocker(name):
    assert look(ORDINARY[name]) is None
    assert look(ORDINARY[name], text="word " * 1_000) is None


def test_text_and_bytes_of_a_page_give_the_same_result():
    for body in (page("Вход", form("Имя", "Пароль", "Войти")), *ORDINARY.values()):
        try:
            text = body.decode()
        except UnicodeDecodeError:
            continue
        assert look(text) == look(body)


@given(
    st.one_of(
        st.binary(max_size=400),
        st.text(max_size=400),
        st.lists(
            st.sampled_from(
                ["<title>", "404", "</title>", "<!--", "-->", "<script>", "</script", "<form>", "<input type=password>",
                 "<h1>", "log in", "<div id=root>", "captcha", "<frameset>", "<body>", "</head", ">", "\x00", "<svg"]
            )
        ).map("".join),
    ),
    st.sampled_from([0, 200, 301, 403, 429, 500, 503]),
)  # fmt: skip
def test_any_bytes_are_accepted(body, status):
    found = detect_blocker(body, url="https://x.example/", status=status, headers={})
    assert found is None or found.evidence


def test_a_large_ordinary_page_takes_about_a_millisecond():
    body = page("News", "<script>" + "var a = {b: 1}; " * 20_000 + "</script>" + f"<div>{PROSE}</div>" * 200)
    spans = []
    for _ in range(7):
        begun = time.process_time()
        assert look(body) is None
        spans.append(time.process_time() - begun)
    assert min(spans) < 0.01  # a busy machine takes longer; parsing takes 20 ms
