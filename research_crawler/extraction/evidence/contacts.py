"""Recognises contact data in quotes, so that a job does not collect mail addresses and telephone numbers."""

import re

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]++\s?(?:@|\(at\)|\[at\])\s?[\w-]++(?:\.[\w-]++)++", re.I)
_PHONE = re.compile(r"(?<![\w.,€$£])(?:\+|00)?\(?\d{1,4}\)?(?:[\s./-]{1,3}\(?\d{2,5}\)?){2,6}(?![\w%€$£])")
_PHONE_WORD = re.compile(
    r"(?<![\w+])\+\(?\d|\b(?:tel|telephone|phone|call|fax|mobile|mobil|telefon|t[ée]l[ée]phone|hotline|whatsapp)\b",
    re.I,
)
_WANTED = re.compile(
    r"\b(?:contact|e-?mail|phone|telephone|call|hotline|address|adresse|contacto|courriel)(?:e?s|n)?\b"
    r"|\b(?:kontakt|telefon)",
    re.I,
)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_MOST_WORDS = 6
"""A quote with contact data and at most this many other words is mainly contact data."""


def is_mainly_contact(quote: str) -> bool:
    """Whether a quote is little more than a mail address or a telephone number.

    A number counts as a telephone number only if the quote has a + before a digit or a word such as "phone", because
    dates, prices and sizes look similar.
    """
    rest, mails = _MAIL.subn(" ", quote)
    phones = 0
    if _PHONE_WORD.search(rest):
        rest, phones = _PHONE.subn(" ", rest)
    return mails + phones > 0 and len(_WORDS.findall(rest)) <= _MOST_WORDS


def asks_for_contact(goal: str) -> bool:
    """Whether a goal asks for contact data."""
    return _WANTED.search(goal) is not None
