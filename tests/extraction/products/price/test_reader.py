"""Tests of reading prices as shops of many countries write them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.products.price.reader import parse_price
from tests.cases import each_case

PRICES = [
    # text, language, tld, amount, currency
    ("1.299,00 €", "de", "de", "1299.00", "EUR"),
    ("1.299 €", "de", "de", "1299", "EUR"),
    ("1299,- €", "de", "de", "1299", "EUR"),
    ("ab 1.299,– €", "de", "at", "1299", "EUR"),
    ("EUR 59,90", "de", "de", "59.90", "EUR"),
    ("0,99 €/100 g", "de", "de", "0.99", "EUR"),
    ("Preis: 12,5 EUR inkl. MwSt.", "de", "de", "12.5", "EUR"),
    ("1,299", "de", "de", "1299", ""),
    ("CHF 1'299.–", "de-CH", "ch", "1299", "CHF"),
    ("1’299.95 CHF", "de-CH", "ch", "1299.95", "CHF"),
    ("Fr. 49.90", "fr", "ch", "49.90", "CHF"),
    ("1 299,00 €", "fr", "fr", "1299.00", "EUR"),
    ("1\u202f299,99\u00a0€", "fr", "fr", "1299.99", "EUR"),
    ("12€99", "fr", "fr", "12.99", "EUR"),
    ("1 299,99 $", "fr-CA", "ca", "1299.99", "CAD"),
    ("$1,299.99", "en-CA", "ca", "1299.99", "CAD"),
    ("CA$ 49.00", "en", "com", "49.00", "CAD"),
    ("$1,299.99", "en-US", "com", "1299.99", "USD"),
    ("$1,299", "en", "com", "1299", "USD"),
    ("US $5.40", "en", "com", "5.40", "USD"),
    ("USD 1,299.00", "en", "com", "1299.00", "USD"),
    ("$.75", "en", "com", "0.75", "USD"),
    ("Now only $60.00!", "en", "com", "60.00", "USD"),
    ("2 x $5.99", "en", "com", "5.99", "USD"),
    ("20% off $80", "en", "com", "80", "USD"),
    ("£1,299.00", "en-GB", "co.uk", "1299.00", "GBP"),
    ("£4.50", "en-GB", "co.uk", "4.50", "GBP"),
    ("GBP 7", "en", "com", "7", "GBP"),
    ("€1,299.00", "en-IE", "ie", "1299.00", "EUR"),
    ("A$1,299.00", "en", "com", "1299.00", "AUD"),
    ("$89.95", "en-AU", "com.au", "89.95", "AUD"),
    ("NZ$ 1,099", "en", "co.nz", "1099", "NZD"),
    ("$1,099.00", "en-NZ", "co.nz", "1099.00", "NZD"),
    ("₹1,29,999", "en-IN", "in", "129999", "INR"),
    ("₹ 1,29,999.00", "hi", "in", "129999.00", "INR"),
    ("Rs. 2,499", "en", "in", "2499", "INR"),
    ("Rs. 2,499", "en", "pk", "2499", "PKR"),
    ("৳ ১,২৯৯", "bn", "com.bd", "1299", "BDT"),
    ("1 299 kr", "sv", "se", "1299", "SEK"),
    ("1.299:-", "sv", "se", "1299", ""),
    ("12 990 kr", "sv-SE", "se", "12990", "SEK"),
    ("kr 1.299,-", "nb", "no", "1299", "NOK"),
    ("1 299,- kr", "no", "no", "1299", "NOK"),
    ("1.299,00 kr.", "da", "dk", "1299.00", "DKK"),
    ("DKK 99,95", "da", "com", "99.95", "DKK"),
    ("12.990 kr", "is", "is", "12990", "ISK"),
    ("1 299,00 €", "fi", "fi", "1299.00", "EUR"),
    ("12 990 Kč", "cs", "cz", "12990", "CZK"),
    ("1 299,50 Kč", "cs", "cz", "1299.50", "CZK"),
    ("1.299,- Kč", "cs", "cz", "1299", "CZK"),
    ("13,40 €", "sk", "sk", "13.40", "EUR"),
    ("1 299,99 zł", "pl", "pl", "1299.99", "PLN"),
    ("1299 PLN", "pl", "pl", "1299", "PLN"),
    ("12 990 Ft", "hu", "hu", "12990", "HUF"),
    ("1.299,99 Lei", "ro", "ro", "1299.99", "RON"),
    ("63,07 lei", "ro", "md", "63.07", "MDL"),
    ("1 299,00 лв.", "bg", "bg", "1299.00", "BGN"),
    ("270,00 kn", "hr", "hr", "270.00", "HRK"),
    ("12.990,00 RSD", "sr", "rs", "12990.00", "RSD"),
    ("12.990 ден", "mk", "mk", "12990", "MKD"),
    ("1.299,00 €", "el", "gr", "1299.00", "EUR"),
    ("1.299,90 TL", "tr", "com.tr", "1299.90", "TRY"),
    ("₺1.299", "tr", "com.tr", "1299", "TRY"),
    ("12 990 ₽", "ru", "ru", "12990", "RUB"),
    ("12 990 руб.", "ru", "ru", "12990", "RUB"),
    ("12 руб. 50 коп.", "ru", "ru", "12.50", "RUB"),
    ("502,20 р.", "ru", "by", "502.20", "BYN"),
    ("1 299 грн", "uk", "ua", "1299", "UAH"),
    ("44 890 тг.", "ru", "kz", "44890", "KZT"),
    ("44 890 ₸", "kk", "kz", "44890", "KZT"),
    ("1.299,90 €", "es", "es", "1299.90", "EUR"),
    ("$ 1.299.990", "es-CL", "cl", "1299990", "CLP"),
    ("$3.340", "es", "cl", "3340", "CLP"),
    ("$ 1.299,99", "es-AR", "com.ar", "1299.99", "ARS"),
    ("$1,299.00", "es-MX", "com.mx", "1299.00", "MXN"),
    ("S/ 1,299.90", "es-PE", "pe", "1299.90", "PEN"),
    ("$ 1.299.900", "es-CO", "com.co", "1299900", "COP"),
    ("R$ 1.299,90", "pt-BR", "com.br", "1299.90", "BRL"),
    ("1.299,90€", "pt", "pt", "1299.90", "EUR"),
    ("€ 1.299,00", "it", "it", "1299.00", "EUR"),
    ("€ 1.299,-", "nl", "nl", "1299", "EUR"),
    ("1.299.000 ₫", "vi", "vn", "1299000", "VND"),
    ("12.990.000đ", "vi", "vn", "12990000", "VND"),
    ("Rp 1.299.000", "id", "co.id", "1299000", "IDR"),
    ("Rp1.299.000,00", "id", "co.id", "1299000.00", "IDR"),
    ("RM 1,299.00", "ms", "com.my", "1299.00", "MYR"),
    ("฿1,299.00", "th", "co.th", "1299.00", "THB"),
    ("1,299 บาท", "th", "co.th", "1299", "THB"),
    ("₱1,299.75", "en-PH", "ph", "1299.75", "PHP"),
    ("S$1,299", "en-SG", "sg", "1299", "SGD"),
    ("HK$1,299", "en", "hk", "1299", "HKD"),
    ("NT$ 12,990", "zh-TW", "com.tw", "12990", "TWD"),
    ("12,990元", "zh-TW", "com.tw", "12990", "TWD"),
    ("¥12,800", "ja", "co.jp", "12800", "JPY"),
    ("12,800円(税込)", "ja", "co.jp", "12800", "JPY"),
    ("１２,８００円", "ja", "co.jp", "12800", "JPY"),
    ("1.5万円", "ja", "co.jp", "15000", "JPY"),
    ("¥1,299.00", "zh-CN", "cn", "1299.00", "CNY"),
    ("1,299,000원", "ko", "co.kr", "1299000", "KRW"),
    ("₩1,299,000", "ko", "co.kr", "1299000", "KRW"),
    ("₪1,679", "he", "co.il", "1679", "ILS"),
    ('1,679.90 ש"ח', "he", "co.il", "1679.90", "ILS"),
    ("١٬٢٩٩٫٥٠ ر.س", "ar", "sa", "1299.50", "SAR"),
    ("1,299 د.إ", "ar", "ae", "1299", "AED"),
    ("AED 1,299.00", "en", "ae", "1299.00", "AED"),
    ("423.923 KD", "en", "kw", "423.923", "KWD"),
    ("12.500 OMR", "en", "om", "12.500", "OMR"),
    ("۱۲۹٬۰۰۰ تومان", "fa", "ir", "129000", "IRT"),
    ("R 1,299.00", "en-ZA", "co.za", "1299.00", "ZAR"),
    ("R1 299,00", "en-ZA", "co.za", "1299.00", "ZAR"),
    ("KSh 12,990", "en", "co.ke", "12990", "KES"),
    ("₦129,900", "en", "ng", "129900", "NGN"),
    ("E£ 1,299", "ar", "eg", "1299", "EGP"),
]


@each_case(("text", "language", "tld", "amount", "currency"), PRICES)
def test_a_price_is_read_by_the_conventions_of_its_country(
    text: str, language: str, tld: str, amount: str, currency: str
) -> None:
    price = parse_price(text, language=language, tld=tld)
    assert price is not None
    assert (price.amount, price.currency) == (Decimal(amount), currency)


def test_the_table_has_enough_cases_and_countries() -> None:
    assert len(PRICES) >= 80
    assert len({(language, tld) for _, language, tld, _, _ in PRICES}) >= 20


@each_case("text", ["", "Sold out", "50% off", "15.08.2017", "See price in cart", "€"])
def test_a_text_without_a_price_gives_none(text: str) -> None:
    assert parse_price(text) is None


@pytest.mark.parametrize("text", ["Free", "gratis", "kostenlos!"])
def test_free_means_a_price_of_zero(text: str) -> None:
    price = parse_price(text, currency_hint="EUR")
    assert price is not None
    assert (price.amount, price.currency) == (0, "EUR")


def test_a_number_beside_a_mark_is_taken_before_other_numbers() -> None:
    price = parse_price("3 Ausgaben für nur 14,85 EUR", language="de")
    assert price is not None
    assert price.amount == Decimal("14.85")
    assert price.text == "14,85 EUR"


def test_a_hint_decides_the_currency_of_a_number_without_a_mark() -> None:
    price = parse_price("1.299", currency_hint="€")
    assert price is not None
    assert (price.amount, price.currency) == (1299, "EUR")


@each_case(
    ("mark", "tld", "currency"),
    [
        ("$", "ca", "CAD"),
        ("$", "com.au", "AUD"),
        ("$", "com", "USD"),
        ("kr", "no", "NOK"),
        ("kr", "dk", "DKK"),
        ("¥", "cn", "CNY"),
    ],
)
def test_an_ambiguous_mark_means_the_currency_of_the_sites_country(
    mark: str, tld: str, currency: str
) -> None:
    price = parse_price(f"{mark} 12", tld=tld)
    assert price is not None
    assert price.currency == currency


def test_a_currency_code_wins_over_the_country() -> None:
    price = parse_price("$12.00 AUD", tld="ca")
    assert price is not None
    assert price.currency == "AUD"


@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    price = parse_price(text, language="de", tld="de")
    assert price is None or (price.amount >= 0 and price.amount.is_finite())


@given(
    st.integers(0, 99_999_999),
    st.sampled_from([("de", "€{}", ".", ","), ("en", "${}", ",", "."), ("fr", "{} €", " ", ",")]),
)
def test_a_price_written_by_a_locales_rules_is_read_back(
    cents: int, style: tuple[str, str, str, str]
) -> None:
    language, template, group, decimal = style
    whole = f"{cents // 100:,}".replace(",", group)
    price = parse_price(template.format(f"{whole}{decimal}{cents % 100:02d}"), language=language)
    assert price is not None
    assert price.amount == Decimal(cents) / 100


@each_case(
    ("text", "language", "tld", "currency"),
    [
        ("9 990 kronor", "sv", "com", "SEK"),
        ("9.990 Kronen", "de", "dk", "DKK"),
        ("9.990 Kronen", "de", "de", ""),
        ("9.990 tschechische Kronen", "de", "de", "CZK"),
        ("9 990 couronnes suédoises", "fr", "fr", "SEK"),
        ("1299 Franken", "de", "ch", "CHF"),
        ("1 299 złotych", "pl", "pl", "PLN"),
        ("1299 Dollar", "de", "com", "USD"),
    ],
)
def test_a_currency_in_words_is_that_of_the_pages_language_and_never_guessed(text, language, tld, currency):
    assert parse_price(text, language=language, tld=tld).currency == currency


def test_a_word_that_is_no_currency_is_none():
    assert parse_price("12 Stück", language="de", tld="com").mark == ""
