import pytest

from research_crawler.handlers.guarding_proxy import LIST, is_tracker
from tests.cases import each_case


@pytest.mark.parametrize("host", ["google-analytics.com", "www.google-analytics.com", "AD.DoubleClick.net."])
def test_a_listed_host_and_its_subdomains_are_trackers(host):
    assert is_tracker(host)


@each_case(
    "host",
    ["google.com", "notgoogle-analytics.com", "cdn.jsdelivr.net", "api.example.org", "com", "", "127.0.0.1"],
)
def test_hosts_of_page_content_are_not_trackers(host):
    assert not is_tracker(host)


def test_every_line_is_a_domain_and_none_occurs_twice():
    lines = [line for line in LIST.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert len(lines) == len(set(lines)) > 150
    assert all(line == line.strip().lower() and "." in line for line in lines)
