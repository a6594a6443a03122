import pytest

from research_crawler.core.errors import PageUnreadable
from research_crawler.extraction.html.encoding import decode_page
from tests.cases import each_case

GERMAN = "Die Geräte kosten über 30 Euro, sind größer und schöner als die Bücher. " * 2
RUSSIAN = "Российские учёные нашли новый способ измерения скорости света в вакууме. " * 2
JAPANESE = "東京の天気は晴れです。明日は雨が降るでしょう。新しい製品の価格は二千円です。" * 2
POLISH = "Zażółć gęślą jaźń. Cena wynosi pięćdziesiąt złotych za sztukę książki. " * 3
KOREAN = "오늘 날씨가 좋습니다. 가격은 만원입니다. 우리는 공원에 갑니다." * 2


def page(text: str, encoding: str, head: str = "") -> bytes:
    return f"<html><head>{head}<title>x</title></head><body><p>{text}</p></body></html>".encode(encoding)


@each_case(
    ("text", "written", "declared"),
    [
        (GERMAN, "utf-8", "text/html; charset=iso-8859-1"),
        (GERMAN, "cp1252", "text/html; charset=utf-8"),
        (GERMAN, "cp1252", "text/html; charset=iso-8859-1"),
        (GERMAN, "cp1252", "text/html"),
        (RUSSIAN, "cp1251", "text/html; charset=utf-8"),
        (RUSSIAN, "cp1251", "text/html; charset=iso-8859-1"),
        (RUSSIAN, "koi8_r", "text/html"),
        (JAPANESE, "shift_jis", "text/html"),
        (JAPANESE, "euc_jp", "text/html; charset=utf-8"),
        (JAPANESE, "iso2022_jp", "text/html; charset=iso-2022-jp"),
        (KOREAN, "euc_kr", "text/html; charset=utf-8"),
        (POLISH, "cp1250", "text/html"),
        (POLISH, "cp1250", "text/html; charset=windows-1250"),
        (GERMAN, "utf-16", "text/html"),
        (GERMAN, "utf-16-le", "text/html; charset=utf-16-le"),
        (GERMAN, "utf-8", "text/html; charset=no-such-encoding"),
    ],
)
def test_a_page_is_decoded_correctly_whatever_encoding_is_declared(text, written, declared):
    assert text in decode_page(page(text, written), {"content-type": declared})[0]


def test_the_declaration_in_the_document_counts_if_the_header_has_none():
    body = page(POLISH, "iso8859-2", '<meta charset="iso-8859-2">')
    assert POLISH in decode_page(body, {"content-type": "text/html"})[0]


def test_a_few_broken_bytes_do_not_spoil_a_page_in_utf8():
    body = page(GERMAN * 5, "utf-8") + b"<p>\xff\xfe broken</p>"
    text, encoding = decode_page(body, {})
    assert encoding == "utf-8"
    assert GERMAN in text


def test_a_body_cut_inside_a_character_is_still_utf8():
    body = "größer".encode()[:3]
    assert decode_page(body, {})[1] == "utf-8"


@pytest.mark.parametrize("body", [b"", b" \n\t "])
def test_an_empty_body_is_refused_as_empty(body):
    with pytest.raises(PageUnreadable, match="empty"):
        decode_page(body, {})


@each_case(
    ("body", "content_type"),
    [
        (b"%PDF-1.7 text", "text/html"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), ""),
        (b"PK\x03\x04" + b"a" * 100, "application/octet-stream"),
        (b"\x00\x01\x02\x03" * 100, "text/html"),
        (b"\x00\x00\x00\x18ftypmp42" + b"a" * 50, ""),
        (b"looks like text", "image/jpeg"),
    ],
)
def test_bytes_that_are_not_text_are_refused_as_binary(body, content_type):
    with pytest.raises(PageUnreadable, match="binary"):
        decode_page(body, {"content-type": content_type})
