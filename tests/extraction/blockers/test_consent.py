"""Consent banners are removed from the tree; content stays, even if its names mention cookies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.blockers.consent import remove_consent_banners
from research_crawler.extraction.html.tree import parse_html

ARTICLE = (
    "<h1>Mills</h1><p>" + "The old mill stands by the river and turns its wheel in spring. " * 20 + "</p>"
)
ASKING = "<p>We use cookies and share data with our partners. See our privacy policy.</p>"
BANNERS = {
    "OneTrust": f"<div id=onetrust-consent-sdk><div role=dialog>{ASKING}<ul><li>Vendor list</ul></div></div>",
    "Cookiebot": f"<div id=CybotCookiebotDialog>{ASKING}</div>",
    "Didomi": f"<div id=didomi-host>{ASKING}</div>",
    "Quantcast": f"<div class='qc-cmp2-container' id=qc-cmp2-container>{ASKING}</div>",
    "Usercentrics": f"<div id=usercentrics-root>{ASKING}</div>",
    "TrustArc": f"<div id=truste-consent-track>{ASKING}</div>",
    "Sourcepoint": f"<div id=sp_message_container_1>{ASKING}</div>",
    "Klaro": f"<div class=klaro>{ASKING}</div>",
    "Osano": f"<div class='osano-cm-window'>{ASKING}</div>",
    "Complianz": f"<div id=cmplz-cookiebanner-container>{ASKING}</div>",
    "Cookie Law Info": f"<div id=cookie-law-info-bar>{ASKING}</div>",
    "own name": f"<div class='site-cookie-bar'>{ASKING}<button>Accept all</button></div>",
    "dialog": f"<div role=dialog>{ASKING}<button>I agree</button></div>",
    "no name": f"<div class=css-1x7d><div>{ASKING}</div><div><button>Allow all</button></div></div>",
    "German": "<div role=dialog><p>Wir verwenden Cookies. Datenschutz</p><button>Alle akzeptieren</button></div>",
    "French": "<div role=dialog><p>Nos partenaires utilisent des cookies.</p><button>Tout accepter</button></div>",
    "Spanish": "<div role=dialog><p>Usamos cookies. Política de privacidad</p><button>Aceptar</button></div>",
    "Polish": "<div role=dialog><p>Używamy ciasteczek; polityka prywatności.</p><button>Akceptuję</button></div>",
    "Russian": "<div role=dialog><p>Файлы cookie. Конфиденциальность</p><button>Принять</button></div>",
    "Japanese": "<div role=dialog><p>当サイトはクッキーを使用します。プライバシー</p><button>同意する</button></div>",
}


def read(body: str) -> tuple[int, str]:
    root = parse_html(f"<html><body class='cookie-consent-open'>{body}</body></html>")
    removed = remove_consent_banners(root)
    return removed, " ".join(root.text_content().split())


@pytest.mark.parametrize("name", BANNERS)
def test_a_banner_is_removed_and_nothing_else(name):
    removed, text = read(f"{BANNERS[name]}<div id=page>{ARTICLE}</div>")
    assert removed == 1
    assert text == read(ARTICLE)[1]


@pytest.mark.parametrize(
    "body",
    [
        f"<div id=onetrust-wrapper><main>{ARTICLE}</main></div>",
        f"<div class=has-cookie-banner>{ARTICLE}<button>Accept</button></div>",
        "<div class=cookie-recipe><h2>Cookies</h2><p>Sugar and butter.</p><button>Print</button></div>",
        f"<main>{ARTICLE}<section id=cookies><h2>Cookies</h2>{ASKING}<a href='#s'>accept</a></section></main>",
        "<div role=dialog><p>Choose your size</p><button>Accept</button></div>" + ARTICLE,
        f"<div class=cookie-policy>{ASKING * 60}<button>Accept</button></div>",
    ],
    ids=["main part inside", "whole page", "recipe", "chapter", "other dialog", "policy"],
)
def test_an_element_that_is_not_a_banner_stays(body):
    removed, text = read(body)
    assert removed == 0
    assert text == " ".join(parse_html(body).text_content().split())


def test_text_after_a_banner_stays():
    assert read(f"<p>before</p>{BANNERS['OneTrust']} after <p>{ARTICLE}")[1].startswith("before after Mills")


@given(
    st.lists(st.sampled_from([*BANNERS.values(), "<p>words</p>", "<main>", "</div>", "<div class=consent>"]))
)
def test_removal_works_on_any_tree(pieces):
    assert read("".join(pieces))[0] >= 0
