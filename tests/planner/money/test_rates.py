import pytest

from planner.money.rates import Rates, load_rates
from research_crawler.core.errors import ConfigError

RATES = Rates(date="2026-01-02", source="ECB", euro={"USD": 1.25, "GBP": 0.8})


def test_amounts_are_converted_over_the_euro():
    assert RATES.convert(100, "EUR", "USD") == 125
    assert RATES.convert(125, "USD", "GBP") == pytest.approx(80)
    assert RATES.convert(7, "JPY", "JPY") == 7


def test_an_amount_without_a_known_rate_is_not_converted():
    assert RATES.convert(7, "JPY", "EUR") is None


def test_the_packaged_rates_say_that_they_are_approximate_and_unverified():
    rates = load_rates()
    assert rates.mark == "converted at an approximate rate (unverified, about 2024-12)"
    assert rates.convert(100, "EUR", "USD") == pytest.approx(100 * rates.euro["USD"])


def test_a_users_own_file_replaces_the_packaged_rates(tmp_path):
    file = tmp_path / "rates.toml"
    file.write_text('date = 2026-03-01\nsource = "bank"\n[euro]\nusd = 1.5\n')
    rates = load_rates(str(file))
    assert rates.convert(1, "EUR", "USD") == 1.5
    assert rates.mark == "converted at the bank rate of 2026-03-01"


@pytest.mark.parametrize(
    "text",
    ["[euro]\nUSD = 1.5", 'date = "2026"\n[euro]\nUSD = "x"', "date = [", 'date = "x"\n[euro]\nUSD = 0'],
)
def test_the_error_for_a_malformed_file_names_the_file(tmp_path, text):
    file = tmp_path / "rates.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"rates\.toml"):
        load_rates(str(file))
    with pytest.raises(ConfigError, match="cannot be read"):
        load_rates(str(tmp_path / "none.toml"))
