import pytest

from research_crawler.text.source_types import source_type


@pytest.mark.parametrize(
    ("url", "title", "kind"),
    [
        ("https://www.reddit.com/r/GamingLaptops/comments/1", "", "forum"),
        ("https://example.org/viewtopic.php?t=3", "", "forum"),
        ("https://forum.example.org/x", "", "forum"),
        ("https://www.amazon.de/dp/B0", "", "vendor"),
        ("https://shop.example.org/lamp", "", "vendor"),
        ("https://example.org/reviews/lamp", "", "review"),
        ("https://example.org/x", "Seven lamps, tested", "review"),
        ("https://example.org/2024/05/lamp-law", "", "news"),
        ("https://www.epa.gov/lamps", "", "official"),
        ("https://docs.example.org/lamps", "", "official"),
        ("https://example.org/lamps", "Lamps", "other"),
        ("https://notreddit.com.example.org/lamps", "Lamps", "other"),
    ],
)
def test_the_kind_of_a_source_is_read_from_its_url_and_title(url, title, kind):
    assert source_type(url, title) == kind


@pytest.mark.parametrize(
    "host",
    [
        "www.gov.uk", "petitions.parliament.uk", "www.bmi.bund.de", "www.bundestag.de", "www.economie.gouv.fr",
        "www.assemblee-nationale.fr", "www.admin.ch", "laws-lois.justice.gc.ca", "www.quebec.gouv.qc.ca", "europa.eu",
        "www.gob.mx", "www.senato.it", "www.japan.go.jp", "sejm.gov.pl", "www.camara.leg.br", "oesterreich.gv.at",
        "nsw.gov.au", "www.govt.nz", "www.usa.gov", "www.who.int",
    ],
)  # fmt: skip
def test_governments_and_parliaments_of_any_country_are_official(host):
    assert source_type(f"https://{host}/benefits/2024/05/x", "We tested the best of 2024") == "official"


@pytest.mark.parametrize(
    "host", ["go.example.org", "www.govdeals.com", "gov.example.com", "parliament.example.org"]
)
def test_a_name_alone_makes_no_government(host):
    assert source_type(f"https://{host}/x") == "other"


@pytest.mark.parametrize(
    ("snippet", "kind"),
    [
        ("For a small garden we would buy the Kestrel Duo: it is the quietest.", "review"),
        ("We measured 78 dB. In stock at two shops.", "review"),
        ("Unsere Wahl: der Kestrel Duo, beim Händler online kaufen.", "review"),
        ("Buy the Kestrel Duo. In stock, free delivery.", "vendor"),
    ],
)
def test_who_says_what_he_would_buy_has_tested_it_and_does_not_sell_it(snippet, kind):
    assert source_type("https://example.org/shredders", "Five garden shredders", snippet) == kind
