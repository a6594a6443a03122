"""What code itself writes into a report and a job's record, in the language of the goal."""

import tomllib
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Final

from babel import Locale
from babel.dates import format_date
from babel.numbers import format_decimal, format_percent

REPORT_LANGUAGES: Final = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")
"""The languages of reports. Others get English."""


FILES: Final = ("messages.toml", "record_messages.toml")
"""What stands in reports, and what stands in a job's record."""


class Count(int):
    """A number that chooses a word: `{n:page|pages}`, or in languages with three forms `{n:one|few|many}`."""

    language: str = "en"

    def __format__(self, spec: str) -> str:
        """The number, or the form among `spec` that it needs by the rules of CLDR."""
        if "|" not in spec:
            return super().__format__(spec)
        forms = spec.split("|")
        kind = Locale(self.language).plural_form(int(self))
        return forms[0] if kind == "one" else forms[1] if kind == "few" else forms[-1]


class Messages:
    """The messages of one language: `translate("no_answer")`, `translate("offers_of", host=…, n=3)`."""

    def __init__(self, language: str) -> None:
        """`language`: a language code; one that reports do not have gives English."""
        code = language[:2].lower()
        self.language = code if code in REPORT_LANGUAGES else "en"

    def __call__(self, key: str, **values: str | int) -> str:
        """A message with its values."""
        template = catalogue()[key][self.language]
        return template.format(**{name: self._counted(value) for name, value in values.items()})

    def number(self, amount: float, *, decimals: int = 0) -> str:
        """A number as the language writes it: `1,200.50`, in German `1.200,50`."""
        pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
        return str(format_decimal(amount, format=pattern, locale=self.language))

    def share(self, part: float) -> str:
        """A share in whole per cent."""
        return str(format_percent(part, locale=self.language))

    def day(self, iso: str) -> str:
        """A day as the language writes it: `19.10.2026` in German; in English, and where it is no whole ISO date, as it
        is given."""
        try:
            parsed = date.fromisoformat(iso)
        except ValueError:
            return iso
        return iso if self.language == "en" else str(format_date(parsed, "medium", locale=self.language))

    def title(self, key: str, english: str) -> str:
        """The title of a list of the report; `english` for a list that nobody has translated yet."""
        return self(key) if key in catalogue() else english

    def word(self, value: str) -> str:
        """A value of a closed list (`in_stock`, `used`, `verified`) as a word."""
        found = catalogue().get(value)
        return found[self.language] if found else value.replace("_", " ")

    def _counted(self, value: str | int) -> str | Count:
        if isinstance(value, str):
            return value
        count = Count(value)
        count.language = self.language
        return count


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """All messages: {key: {language: template}}."""
    folder = files(__package__)
    groups = [tomllib.loads(folder.joinpath(name).read_text("utf-8")) for name in FILES]
    return {key: texts for group in groups for part in group.values() for key, texts in part.items()}


ENGLISH_MESSAGES: Final = Messages("en")
