import gzip
import json

import pytest

from benchmarks.places import DATA
from research_crawler.extraction.html.encoding import decode_page
from research_crawler.extraction.html.tree import parse_html
from research_crawler.text.source_types import source_type
from tests.cases import each_case

KINDS = {"forum": "forum", "product": "vendor", "collection": "vendor", "documentation": "official"}


@pytest.mark.skipif(not (DATA / "pages").is_dir(), reason="no saved pages; set RESEARCH_TEST_DATA")
def test_of_saved_threads_shops_and_manuals_six_in_ten_are_told_by_address_and_title_and_one_in_twenty_wrongly():
    found = []
    for name, row in json.loads((DATA / "pages" / "ground-truth.json").read_text("utf-8")).items():
        if row["page_type"] in KINDS and row.get("url"):
            body = gzip.decompress((DATA / "pages" / "html" / f"{name}.html.gz").read_bytes())
            title = parse_html(decode_page(body, {})[0]).findtext(".//title") or ""
            found.append((source_type(row["url"], title), KINDS[row["page_type"]]))
    assert sum(told == kind for told, kind in found) >= 0.6 * len(found)
    assert sum(told not in (kind, "other") for told, kind in found) <= 0.05 * len(found)


def test_a_host_that_only_contains_a_known_name_is_another_host():
    assert source_type("https://www.amazon.de/dp/B0") == "vendor"
    assert source_type("https://notreddit.com.example.org/lamps") == "other"


@each_case(
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


@each_case("host", ["go.example.org", "www.govdeals.com", "gov.example.com", "parliament.example.org"])
def test_a_name_alone_makes_no_government(host):
    assert source_type(f"https://{host}/x") == "other"


@each_case(
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
