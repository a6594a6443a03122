"""A page about captchas is an article; a challenge is a page that has nothing else."""

from research_crawler.extraction.blockers.detection import detect_blocker
from tests.cases import each_case

SCRIPT = "<script src='/analytics.js'></script>"
ARTICLES = {
    "glossary": "<title>CAPTCHA - Glossary</title><h1>CAPTCHA</h1><p>A CAPTCHA is a test that tells a person from a "
    "program. Users are asked to solve a captcha before they send a form, and some only tick a box.</p>"
    "<p>Common kinds are distorted letters, pictures of crossings and a box that says I'm not a robot.</p>",
    "blog": "<title>Are you a robot? | Blog</title><h1>Are you a robot?</h1><p>"
    + "Websites use tests to verify you are human before they let you in. " * 6
    + "</p>",
    "help": "<title>What is the Checking your browser page?</title><h1>Checking your browser</h1><p>Some sites show a "
    "page that says Just a moment while a service looks at your browser. It goes away after five seconds, and then "
    "the site is shown as usual.</p><p>If it stays, the help centre of the site tells what to do about it, and whom "
    "you can ask if none of this helps you any further.</p>",
    "forum": "<title>Captcha does not load</title><h1>Captcha does not load</h1><p>I cannot solve the captcha on the "
    "sign-up page because the picture stays empty. I tried two browsers on two machines at home and at work.</p>"
    "<p>Switch off the ad blocker and try it once more, that helped me with the very same fault last week.</p>",
}
CHALLENGES = {
    "still": "<title>Just a moment...</title><h1>Checking your browser</h1>",
    "script": f"<title>Robot check</title>{SCRIPT}<p>Please verify you are human. This process is automatic, and your "
    "browser will be sent to the page that it asked for in a few seconds.</p>",
    "form": "<title>Security check</title><form action=/check><p>Are you a robot? Press the button.</p>"
    "<button>I am human</button></form>",
    "widget": f"<title>Human verification</title>{SCRIPT}<div class=h-captcha></div><p>"
    + "One more step. " * 20
    + "</p>",
}


def kind_of(body: str) -> str | None:
    page = f"<!doctype html><html><head></head><body>{body}</body></html>"
    found = detect_blocker(page, url="https://a.example/x", status=200, headers={"content-type": "text/html"})
    return found.kind if found else None


@each_case("script", ["", SCRIPT])
@each_case("name", ARTICLES)
def test_a_page_about_captchas_is_no_challenge(name, script):
    assert kind_of(script + ARTICLES[name]) is None


@each_case("name", CHALLENGES)
def test_a_page_that_has_nothing_but_its_challenge_is_one(name):
    assert kind_of(CHALLENGES[name]) in ("challenge", "captcha")
