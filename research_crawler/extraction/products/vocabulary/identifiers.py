"""Reads the numbers that identify a product: GTINs with a check digit, article numbers, ids in URLs."""

import re
from urllib.parse import parse_qsl, unquote, urlsplit

_GTIN_LENGTHS = (8, 12, 13, 14)
"""Numbers of digits that a GTIN has."""
_CODE = re.compile(r"[A-Za-z0-9][\w./+-]*", re.ASCII)
_PRODUCT_PARAMETER = re.compile(
    r"(?:p|pr|prod(?:uct)?|item|art(?:icle)?|goods|sku|variant|offer)_?-?(?:id|no|nr|code|number)?|sku", re.I
)
_NAMING = frozenset([
    "p", "ip", "dp", "pd", "pdp", "itm", "product", "products", "prod", "produkt", "produkte", "produit", "produits",
    "producto", "productos", "produto", "produtos", "prodotto", "prodotti", "artikel", "sku", "goods", "listing",
])  # fmt: skip
"""Path segments after which a product follows, and nothing else does. Newspapers have articles, forums have items."""
_MAX_CODE = 64
"""Longest article number."""
_NOT_A_CODE = re.compile(r"^(?:null|none|undefined|n/?a|nan|false|true|tbd|unknown|default|sku|0+)$", re.I)


def valid_gtin(text: str) -> str:
    """The digits of a GTIN-8, -12, -13 or -14 with a correct check digit, else "".

    The check digit is defined in the GS1 General Specifications, 7.9.
    """
    digits = re.sub(r"[\s-]", "", text)
    if (
        not (digits.isascii() and digits.isdigit())
        or len(digits) not in _GTIN_LENGTHS
        or not digits.strip("0")
    ):
        return ""
    weighted = sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(reversed(digits)))
    return digits if weighted % 10 == 0 else ""


def clean_code(text: object) -> str:
    """An article number without surrounding punctuation; "" if the text cannot be one."""
    code = " ".join(str(text or "").split()).strip(" #:.,;")
    if not code or len(code) > _MAX_CODE or _NOT_A_CODE.match(code) or "://" in code or "{" in code:
        return ""
    return code


def codes_in_url(url: str) -> list[str]:
    """The parts of a URL that may identify the product (numbers and codes with digits), most likely first."""
    parts = urlsplit(url)
    found: list[str] = []
    for segment in reversed([unquote(part) for part in parts.path.split("/") if part]):
        stem = re.sub(r"\.\w{2,5}$", "", segment)
        found += [stem, *reversed(re.split(r"[-_.]", stem))]
    found += [value for _, value in parse_qsl(parts.query)]
    return [code for code in dict.fromkeys(found) if is_product_number(code)]


def named_codes(url: str) -> list[str]:
    """The codes in URL parameters that are named after a product: `pid=260591`."""
    return [
        value
        for name, value in parse_qsl(urlsplit(url).query)
        if _PRODUCT_PARAMETER.fullmatch(name) and is_product_number(value)
    ]


def is_product_url(url: str) -> bool:
    """Whether a URL has the form of a product's page: a segment such as `/product/`, with more after it."""
    segments = [unquote(part).lower() for part in urlsplit(url).path.split("/") if part]
    return any(segment in _NAMING for segment in segments[:-1])


def is_product_number(text: str) -> bool:
    """Whether a text looks like a product number: a short code with at least three digits."""
    digits = sum(map(str.isdigit, text))
    return digits >= 3 and len(text) <= 32 and _CODE.fullmatch(text) is not None


def comparable_code(code: str) -> str:
    """A code without separators, in lower case, for comparison."""
    return re.sub(r"[\W_]", "", code).lower()
