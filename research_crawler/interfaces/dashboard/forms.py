"""Reads the forms of pages, and refuses those that were not made for the session that sends them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import parse_qs

from fastapi import Depends, Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from research_crawler.core.text.translatable import translatable
from research_crawler.interfaces.dashboard.sessions import Sessions

INTERVALS: Final = ("1h", "6h", "12h", "1d", "7d")
"""Times between the runs of a watch that a form offers."""
NO_FAULTS: Final[Mapping[str, str]] = {}
"""A form without a fault in any field."""
FORM_KEY: Final = "form_key"
MOST_FIELDS: Final = 500
"""Most fields of a form."""
MOST_UPLOADS: Final = 20
"""Most files of a form."""
_UNREADABLE: Final = translatable("the form cannot be read; load the page anew and send it again")


@dataclass(frozen=True)
class UploadedFile:
    """A file that a form carries."""

    name: str
    """As the browser says it: never a path of this machine."""
    body: bytes


class Form:
    """The fields of a form; one that was left empty is not among them."""

    def __init__(self, fields: Mapping[str, Sequence[str]], files: Sequence[UploadedFile] = ()) -> None:
        self._fields, self.files = fields, list(files)

    def one(self, name: str) -> str:
        """The value of a field; empty if it was not given."""
        return self.all(name)[0] if self.all(name) else ""

    def all(self, name: str) -> list[str]:
        """All values of a field."""
        return [value.replace("\r\n", "\n") for value in self._fields.get(name, ())]


def faults_of(
    form: Form, fields: Mapping[str, Sequence[str]], check: Callable[[Form], str], usual: Mapping[str, str]
) -> dict[str, str]:
    """What is wrong with each field of a form that was refused, so that all of it is told at once.

    Args:
        form: the form.
        fields: by the field that is to be marked, the fields that are looked at together.
        check: what is wrong with a form; empty if nothing is.
        usual: a form with which nothing of these fields is wrong; each of them is looked at in it. What is wrong
            with it all the same (with what was sent before) belongs to no field.
    """
    found = {}
    beside = check(Form({name: [value] for name, value in usual.items()}))
    for marked, names in fields.items():
        own = {name: form.all(name) for name in names}
        if any(value.strip() for values in own.values() for value in values):
            found[marked] = check(Form({name: [value] for name, value in usual.items()} | own))
    return {marked: words for marked, words in found.items() if words and words != beside}


def sessions_of(request: Request) -> Sessions:
    """The sessions of the server that got this request."""
    sessions: Sessions = request.app.state.sessions
    return sessions


async def read_form(request: Request) -> Form:
    """The form that a request carries. How long it may be is bounded for all requests (`http/access.py`)."""
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        return await _read_parts(request)
    try:
        text = (await request.body()).decode("utf-8")
        return Form(parse_qs(text, max_num_fields=MOST_FIELDS))
    except ValueError:
        raise HTTPException(400, _UNREADABLE) from None


async def _read_parts(request: Request) -> Form:
    """A form with files; a field for a file that was left empty gives none."""
    fields: dict[str, list[str]] = {}
    files: list[UploadedFile] = []
    try:
        async with request.form(max_files=MOST_UPLOADS, max_fields=MOST_FIELDS) as parts:
            for name, value in parts.multi_items():
                if not isinstance(value, UploadFile):
                    fields.setdefault(name, []).extend([value] if value else [])
                elif value.filename:
                    files.append(UploadedFile(value.filename, await value.read()))
    except (ValueError, UnicodeError):
        raise HTTPException(400, _UNREADABLE) from None
    return Form(fields, files)


async def checked_form(request: Request, form: Annotated[Form, Depends(read_form)]) -> Form:
    """The form that a request of a session carries."""
    sessions = sessions_of(request)
    if not sessions.is_form_key(form.one(FORM_KEY), request.cookies.get(sessions.cookie, "")):
        raise HTTPException(
            403, translatable("this form is not of your session; load the page anew and send it again")
        )
    return form


FormOf = Annotated[Form, Depends(checked_form)]
"""A parameter of a page that takes a form: its fields, checked."""
