"""The marks of currencies as shops write them, and the currency that a mark means on a page of a country.

Names in words ("Kronen", "couronnes suédoises") are those of CLDR (`babel`) in the page's language.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from babel.core import Locale, UnknownLocaleError, get_global
from babel.numbers import get_currency_name, get_territory_currencies, list_currencies

_TABLE = """
EUR: € euro euros eur EURO Eur ευρώ евро | USD: US$ US_$ U$S USD$ | CAD: CA$ CAN$ C$ CND Can$ CDN$
AUD: AU$ A$ AU_$ | NZD: NZ$ nzd | HKD: HK$ | SGD: S$ SG$ | TWD: NT$ NTD NT_$ NT | MXN: MX$ Mex$
ARS: AR$ | CLP: CL$ | COP: CO$ COL$ | BRL: R$ | UYU: $U | JMD: J$ | NAD: N$ | TTD: TT$ | DOP: RD$
BZD: BZ$ | BND: BN$ B$ | BBD: Bds$ | XCD: EC$ | ZWL: Z$ | MOP: MOP$ | FJD: FJ$ | GYD: G$ GY$
BOB: Bs $b Bs. | TOP: T$ | CVE: CV$ Esc | WST: WS$ | CUC: CUC$
USD CAD AUD NZD MXN ARS CLP COP HKD SGD TWD: $ ＄ | GBP EGP LBP FKP: £ ￡ pound stg | GBP: GBp p
EGP: E£ LE ج.م جنيه | LBP: LB£ ل.ل | SYP: SY£ ل.س | JPY CNY: ¥ ￥ | JPY: 円 yen JP¥ 日圓 日元
CNY TWD HKD: 元 | CNY: CN¥ RMB yuan 人民币 圆 | CNY TWD: 圓 | TWD HKD: 新台幣 台幣 | KRW: ₩ 원 | INR: ₹ रु ரூ रू. र
INR PKR LKR NPR MUR SCR: Rs Rs. ₨ Re | PKR: PKRs | LKR: රු SLRs | NPR: नेरू NPRs | BDT: ৳ টকা Tk Tk.
THB: ฿ บาท baht | VND: ₫ đ VNĐ VNd đồng | IDR: Rp Rp. | MYR: RM | PHP: ₱ | KHR: ៛ | LAK: ₭ | MMK: Ks
MNT: ₮ | BTN: Nu Nu. | MVR: Rf MRf ރ | CHF: Fr. SFr CHf SFr. fr. chf | SEK NOK DKK ISK: kr kr. Kr Kr. KR
SEK: Skr | NOK: Nkr | DKK: Dkr | ISK: Ikr krónur | PLN: zł zl Zł PLN zł. pln | CZK: Kč kč Kc KČ | SKK: Sk
HUF: Ft FT ft | RON MDL: lei Lei LEI leu | BGN: лв лв. lv lv. | HRK: kn Kn KN
RSD MKD: дин дин. din din. динар динара Din Дин Dinara | RSD: Дин | MKD: ден ДЕН mkd ден. | BAM: KM км
ALL: Lek lekë | RUB BYN: руб. руб р. р Р рублей рубля рубль РУБ ₽ р.- Rbl | BYN: Br бел.руб
UAH: ₴ грн грн. hrn ГРН UAH | KZT: ₸ тг тг. тңг тңг. тенге | KGS: сом som с
UZS: so'm so`m сум soʻm Sʻ S' | TJS: сомони | AZN: ₼ ман man ман. man. | AMD: ֏ դր. դր
GEL: ₾ ლ ლარი lari | TRY: ₺ TL YTL | ILS: ₪ ש"ח ש״ח ש'ח nis NIS ש''ח | SAR: ر.س ﷼ SR
SAR QAR OMR YER: ريال | IRR: ریال | IRT: تومان | AED: د.إ Dhs Dhs. | AED MAD: درهم Dh Dh. DH | MAD: د.م
QAR: ر.ق QR | OMR: ر.ع | KWD: د.ك KD دينار_كويتي | KWD JOD BHD IQD: دينار | BHD: د.ب .د.ب BD
JOD: د.أ د.ا JD دينار_أردني | IQD: د.ع ع.د ID | TND: د.ت DT | DZD: د.ج دج DA | LYD: ل.د د.ل | YER: ر.ي
SDG: ج.س ج.س. | ZAR: R | KES: KSh Ksh KShs | UGX: USh | TZS: TSh | NGN: ₦ | GHS: GH₵ ₵ GH¢ | ETB: ብር
XOF XAF: FCFA CFA F_CFA | XPF: CFP | ZMW: ZK K | MWK: MK | RWF: FRw RF R₣ | BIF: Fbu FBu | AOA: kwz Kz
MZN: MT MTn | MGA: Ar | PEN: S/. S/ s/ | PYG: ₲ Gs Gs. | CRC: ₡ | GTQ: Q q | HNL: L | PAB: B/. | HTG: G
VES: Bs.F. Bs.S | CUP: $MN | BTC: ₿ Ƀ BTC | AFN: ؋ Af | CHF XOF: franc francs | GNF: FG GFr
ERN: ናቕፋ نافكا Nfk | SZL: E | GMD: D | LBP: pounds | SLL: Le Sl | BWP: P | SPL: SPL | VUV: Vt VT
USD: ¢ dollars dollar | ILS: ش.ج ش.ص | AWG ANG: ƒ | DJF: Fdj | LRD: LD | MRU: UM | STN: Db | GBP: ₤
RUB: рублей | IQD: د. | PKR: روپے
"""
_GENERIC_TLDS = frozenset([
    "io", "tv", "me", "ai", "co", "cc", "ly", "fm", "gg", "to", "sh", "ws", "ac", "im", "st", "la",
    "sc", "nu", "pw", "gl", "app", "eu",
])  # fmt: skip
"""Country codes that shops of any country use."""
_UNSAFE_ALONE = frozenset([
    "p", "с", "E", "D", "G", "P", "K", "L", "R", "Q", "q", "р", "Р", "ID", "MT", "NT", "RF", "SR",
    "Re", "Ar", "MK", "DA", "BD", "FG", "Le", "Sl", "Af", "Vt", "VT", "DT", "JD", "KD", "QR", "Bs",
    "Sk", "kn", "KN", "Kn", "LE", "man", "km", "ft", "FT", "KM", "км", "som", "din", "Din", "ман",
    "ден", "р.", "Gs", "Esc", "pounds", "pound", "S'", "Sʻ", "stg", "Br", "Rf", "Nu", "ZK", "CFP",
    "ID", "Tk", "र", "ლ", "ރ", "د.", "lei", "leu", "Lei", "ks", "Ks", "GBp",
])  # fmt: skip
"""Marks that are also words or units. They count as marks only directly beside a number."""
_HINTED = frozenset([
    "p", "с", "E", "D", "G", "P", "L", "q", "ID", "MT", "NT", "RF", "Re", "Ar", "DA", "BD", "FG", "Le",
    "Sl", "Af", "Vt", "VT", "ft", "FT", "ks", "Ks", "MK", "GBp",
])  # fmt: skip
"""Those of these marks that mean no currency on a page of another country, where they are units or words."""
MINOR_DIGITS = {
    "BHD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
}  # fmt: skip
"""The number of digits after the decimal separator in shops' prices, for currencies where it is not two."""


_NO_CURRENCY = frozenset(["XXX", "XTS", "STD"])
"""ISO codes of no currency and of tests, and one that is out of use and reads as "standard"."""
_CODE = re.compile(r"[A-Z]{3}")


def _read_table() -> dict[str, tuple[str, ...]]:
    marks: dict[str, tuple[str, ...]] = {
        code: (code,) for code in list_currencies() if code not in _NO_CURRENCY
    }
    for entry in re.split(r"[|\n]", _TABLE.strip()):
        codes, _, written = entry.partition(":")
        for mark in written.split():
            spaced = mark.replace("_", " ")
            marks[spaced] = tuple(dict.fromkeys((*marks.get(spaced, ()), *codes.split())))
    return marks


MARKS = _read_table()
"""Mark → the currencies that it may mean, most likely first."""


_FIRST_WORDS = re.compile(r"([^\W\d_]{3,})(?:[ -][^\W\d_]{3,})?")
_COUNTS = (None, 1, 2, 5)
"""Numbers that languages count with forms of their own; None: the name without a number."""


@lru_cache(maxsize=32)
def _names_in(language: str) -> Mapping[str, frozenset[str]]:
    """What a language calls the currencies that are in use: whole names, and their nouns alone."""
    try:
        locale = Locale.parse(language)
    except (ValueError, UnknownLocaleError, TypeError):
        return {}
    found = defaultdict[str, set[str]](set)
    for code in _in_use():
        forms = {_bare_name(get_currency_name(code, count, locale=locale)) for count in _COUNTS}
        words = [set(form.split()) for form in forms]
        inflected = {word for form in words for word in form if not all(word in other for other in words)}
        for name in (*forms, *(inflected or {form.split()[-1] for form in forms})):
            found[name].add(code)
    return {name: frozenset(codes) for name, codes in found.items()}


def _bare_name(name: str) -> str:
    return name.casefold().replace("-", " ")


@lru_cache(maxsize=1)
def _in_use() -> frozenset[str]:
    return frozenset(
        code for place in get_global("territory_currencies") for code in get_territory_currencies(place)
    )


def _is_cjk(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" or "\u0e00" <= char <= "\u0e7f"


_SAFE = frozenset(mark for mark in MARKS if mark not in _UNSAFE_ALONE and not _CODE.fullmatch(mark))
"""Marks that mean a currency in any context."""
SIGNS = frozenset(mark for mark in _SAFE if len(mark) == 1 and not mark.isalnum())
"""Signs of currencies: marks of one character that is no letter."""
_TOKEN = re.compile(r"[^\W\d_]+\.?|[^\w\s]")
_DOLLAR = re.compile(r"\b[A-Za-z]{1,3}\s?\$|\$[A-Z]")
_LONGEST = max(map(len, MARKS))


def mark_ending(text: str) -> str:
    """The longest mark that a text ends with; "" for none. The end of a longer word is no mark."""
    for start in range(max(0, len(text) - _LONGEST), len(text)):
        mark = text[start:]
        if mark in MARKS and not (start and _continues(text[start - 1], mark[0])):
            return mark
    return ""


def mark_starting(text: str) -> str:
    """The longest mark that a text starts with; "" for none."""
    for end in range(min(len(text), _LONGEST), 0, -1):
        mark = text[:end]
        if mark in MARKS and not (end < len(text) and _continues(text[end], mark[-1])):
            return mark
    return ""


def _continues(outer: str, inner: str) -> bool:
    return outer.isalpha() and inner.isalpha() and not _is_cjk(outer) and not _is_cjk(inner)


def mark_in(text: str) -> str:
    """The mark in a short text that probably has one, such as a currency field; "" for none."""
    if text in MARKS:
        return text
    dollar = _DOLLAR.search(text) if "$" in text else None
    if dollar and dollar[0] in MARKS:
        return dollar[0]
    tokens = _TOKEN.findall(text)
    safe = next((one for one in tokens if one in SIGNS or one in _SAFE or one.rstrip(".") in _SAFE), "")
    return safe or next((one for one in tokens if len(one) == 3 and one.isupper() and one in MARKS), "")


@lru_cache(maxsize=4_096)
def resolve_currency(mark: str, territory: str = "", hint: str = "") -> str:
    """The ISO code that a mark means: the hinted one if it fits, else the country's, else the most likely.

    The result is "" if the text is not a mark, or only a word in another country.
    """
    written = " ".join(mark.split()).strip("\u200f\u200e")
    meanings = MARKS.get(written) or MARKS.get(written.rstrip(".")) or ()
    own = currency_of(territory)
    for wanted in (hint, own):
        if wanted and wanted in meanings:
            return wanted
    if not meanings or (written in _HINTED and own):
        return ""
    return meanings[0]


def named_in_words(text: str, language: str, territory: str) -> tuple[str, str]:
    """The name of a currency that a text begins with, and its code: that of the country where several have the name.

    Returns:
        ("", "") without a name; the code alone is "" where the name does not tell which currency is meant.
    """
    names = _names_in(language.replace("_", "-").partition("-")[0].lower())
    found = _FIRST_WORDS.match(text)
    for name in (found[0], found[1]) if found else ():
        bare, own = _bare_name(name), currency_of(territory)
        codes = names.get(bare, frozenset())
        if codes:
            return name, own if own in codes else next(iter(codes)) if len(codes) == 1 else resolve_currency(
                bare
            )
    return "", ""


def is_name(mark: str) -> bool:
    """Whether the mark of a price is the name of a currency in words."""
    return bool(mark) and mark not in MARKS


def is_money_word_of_one_country(mark: str, territory: str) -> bool:
    """Whether a mark is a word that means money only in its own country. (Elsewhere "5K" is a number.)"""
    return mark in _UNSAFE_ALONE and currency_of(territory) not in MARKS[mark]


@lru_cache(maxsize=512)
def currency_of(territory: str) -> str:
    """The currency of a country by its ISO 3166 code; "" if it has none."""
    try:
        return str(next(iter(get_territory_currencies(territory)), "")) if territory else ""
    except (KeyError, ValueError):
        return ""


@lru_cache(maxsize=2_048)
def territory_of(language: str, tld: str) -> str:
    """The country that a page is for, by its top-level domain or else its language tag; "" if unknown.

    A language without a region counts only if it is spoken mainly in one country (`sv`, not `en`).
    """
    last = tld.lower().rsplit(".", 1)[-1]
    subtags = re.split(r"[-_]", language.strip())
    region = next((tag.upper() for tag in subtags[1:] if len(tag) == 2 and tag.isalpha()), "")
    if len(last) == 2 and last not in _GENERIC_TLDS:
        return "GB" if last == "uk" else last.upper()
    if region:
        return region
    primary = subtags[0].lower()
    if primary in ("en", "es", "ar", "fr", "pt", ""):
        return last.upper() if last in ("co", "me") and primary in ("es", "sr") else ""
    return str(get_global("likely_subtags").get(primary, "")).rpartition("_")[2]


@lru_cache(maxsize=2_048)
def decimal_mark(language: str, territory: str) -> str:
    """The decimal separator of a language in a country; "" if neither is known."""
    primary = re.split(r"[-_]", language.strip())[0].lower()
    if not primary and territory:
        primary = _language_of(territory)
    for name in (f"{primary}_{territory}", primary):
        try:
            symbols = Locale.parse(name).number_symbols
        except (ValueError, UnknownLocaleError, TypeError):
            continue
        return str(symbols.get("latn", {}).get("decimal") or "")
    return ""


def _language_of(territory: str) -> str:
    return str(get_global("likely_subtags").get(f"und_{territory}", "")).partition("_")[0]
