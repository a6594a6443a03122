"""Decodes the bytes of a page: refuses bytes that are not text, and finds the encoding of the others."""

import codecs
import re
from collections.abc import Iterator, Mapping

from charset_normalizer import from_bytes
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.reasons import Reason

_MAGIC = (
    b"%PDF-", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a",
    b"RIFF", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd", b"\x7fELF", b"MZ\x90", b"OggS",
    b"ID3", b"fLaC", b"wOFF", b"wOF2", b"\x00\x00\x01\x00", b"SQLite format 3", b"\xd0\xcf\x11\xe0",
    b"II*\x00", b"MM\x00*", b"\x00asm",
)  # fmt: skip
_BINARY_TYPES = ("image/", "audio/", "video/", "font/", "model/")
_CONTROL = bytes(set(range(32)) - {7, 8, 9, 10, 12, 13, 27})
SAMPLE_BYTES = 8_192
"""So much of a body shows whether it is text."""
_CONTROL_SHARE = 0.02
"""With a larger share of control bytes, a body is no text."""
_SEVEN_BIT = {"iso2022_jp", "iso2022_kr", "hz"}
"""Encodings whose bytes are all ASCII. Such bytes are valid UTF-8 too, which rules nothing out."""
_WEB_ENCODINGS = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r", "iso8859_2",
    "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr",
]  # fmt: skip
_DETECTION_BYTES = 20_000
"""So much text is looked at to find an encoding that nothing declares."""
_BROKEN_SHARE = 0.1
"""A page is UTF-8 even if up to this share of its non-ASCII bytes is not (cut strings, pasted parts)."""
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_LONG_RUN = re.compile(rb"[\x80-\xff]{3,}")
_LONG_RUN_SHARE = 0.6
"""With more of its high bytes in long runs, a text is of a script of many bytes."""
_ASCII = bytes(range(128))
_TAGS = re.compile(rb"<[^>]{0,2000}>|&\w{1,10};|[\s\x00-\x20]+")


def decode_page(body: bytes, headers: Mapping[str, str]) -> tuple[str, str]:
    """Decode a body, and return its text and the name of its encoding.

    The first of these that fits wins: the byte order mark; UTF-8 if the bytes are valid UTF-8, whatever is
    declared; the charset of the header; the charset in the document; detection. A declaration that
    contradicts the bytes is ignored.

    Args:
        body: the downloaded bytes, with the content encoding already removed.
        headers: response headers, names in lower case.

    Raises:
        PageUnreadable: `empty` or `binary`.
    """
    if not body.strip():
        raise PageUnreadable(Reason.EMPTY)
    content_type = headers.get("content-type", "")
    mark, bom = read_bom(body)
    declared = list(_declared(body, content_type))
    refuse_binary(body, content_type, wide=bool(mark) or any(_is_wide(name) for name in declared))
    if mark and bom:
        return body[len(bom) :].decode(mark, "replace"), mark
    return _decode(body, declared)


def refuse_binary(body: bytes, content_type: str, *, wide: bool = False) -> None:
    """Refuse bytes that are not text, judged by their type, first bytes and control characters.

    Args:
        wide: the text is in UTF-16 or UTF-32, so NUL bytes do not mean that it is binary.

    Raises:
        PageUnreadable: `binary`.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if kind.startswith(_BINARY_TYPES) and not kind.endswith("svg+xml"):
        raise PageUnreadable(Reason.BINARY)
    if body.lstrip()[:16].startswith(_MAGIC) or body.startswith(_MAGIC) or body[4:8] == b"ftyp":
        raise PageUnreadable(Reason.BINARY)
    sample = body[:SAMPLE_BYTES]
    controls = len(sample) - len(sample.translate(None, _CONTROL))
    if not wide and controls > _CONTROL_SHARE * len(sample):
        raise PageUnreadable(Reason.BINARY)


def _declared(body: bytes, content_type: str) -> Iterator[str]:
    header = http_content_type_encoding(content_type)
    own = html_body_declared_encoding(body[:4096])
    for name in (header, own):
        resolved = resolve_encoding(name) if name else None
        if resolved and _is_text_codec(resolved):
            yield resolved


def _is_text_codec(name: str) -> bool:
    try:
        return bool(codecs.lookup(name)._is_text_encoding)
    except LookupError:
        return False


def _is_wide(name: str) -> bool:
    return name.lower().replace("_", "-").startswith(("utf-16", "utf-32"))


def _decode(body: bytes, declared: list[str]) -> tuple[str, str]:
    if not any(codecs.lookup(name).name in _SEVEN_BIT or _is_wide(name) for name in declared):
        broken, high = _not_utf8(body)
        if broken <= _BROKEN_SHARE * high:
            return body.decode("utf-8", "replace"), "utf-8"
    named = [name for name in declared if name != "cp1252" or not _is_unlike_western(body)]
    for name in (*named, *_detected(body), "cp1252"):
        try:
            return body.decode(name), name
        except UnicodeError:
            continue
    return body.decode("cp1252", "replace"), "cp1252"


def _not_utf8(body: bytes) -> tuple[int, int]:
    """How many of the non-ASCII bytes are not valid UTF-8, and how many non-ASCII bytes there are.

    A character that is cut at the very end does not count as an error.
    """
    try:
        codecs.getincrementaldecoder("utf-8")().decode(body, final=False)
    except UnicodeDecodeError:
        rest = _MULTIBYTE.sub(b"", body)
        return _count_high(rest), _count_high(body)
    return 0, 0


def _count_high(body: bytes) -> int:
    return len(body.translate(None, _ASCII))


def _is_unlike_western(body: bytes) -> bool:
    """Whether bytes that are declared as Latin-1 are hardly that. (Many servers declare it for everything.)

    Western text has single high bytes among ASCII letters; other scripts have long runs of them.
    """
    long_runs = sum(map(len, _LONG_RUN.findall(body)))
    return long_runs > _LONG_RUN_SHARE * _count_high(body)


def _detected(body: bytes) -> list[str]:
    """The most likely legacy encoding, or cp1252 if it explains the text equally well."""
    sample = _TAGS.sub(b" ", body[: 10 * _DETECTION_BYTES])[:_DETECTION_BYTES]
    matches = list(from_bytes(sample, cp_isolation=_WEB_ENCODINGS, threshold=0.4))
    if not matches:
        return []
    best = matches[0]
    equal = [m for m in matches if m.chaos <= best.chaos + 0.1 and m.coherence >= best.coherence - 0.01]
    if any("cp1252" in match.could_be_from_charset for match in equal):
        return ["cp1252"]
    return [best.encoding]
