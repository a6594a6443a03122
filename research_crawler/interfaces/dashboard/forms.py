"""Reads the forms of pages, and refuses those that were not made for the session that sends them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final
from urllib.parse import parse_qs

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from research_crawler.interfaces.dashboard.sessions import COOKIE, Sessions

FORM_KEY: Final = "form_key"
MOST_FIELDS: Final = 500


class Form:
    """The fields of a form; one that was left empty is not among them."""

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        self._fields = fields

    def one(self, name: str) -> str:
        """The value of a field; empty if it was not given."""
        return self.all(name)[0] if self.all(name) else ""

    def all(self, name: str) -> list[str]:
        """All values of a field."""
        return [value.replace("\r\n", "\n") for value in self._fields.get(name, ())]


def sessions_of(request: Request) -> Sessions:
    """The sessions of the server that got this request."""
    sessions: Sessions = request.app.state.sessions
    return sessions


async def read_form(request: Request) -> Form:
    """The form that a request carries."""
    try:
        text = (await request.body()).decode("utf-8")
        return Form(parse_qs(text, max_num_fields=MOST_FIELDS))
    except ValueError:
        raise HTTPException(400, "the form cannot be read; load the page anew and send it again") from None


async def checked_form(request: Request, form: Annotated[Form, Depends(read_form)]) -> Form:
    """The form that a request of a session carries."""
    cookie = request.cookies.get(COOKIE, "")
    if not sessions_of(request).is_form_key(form.one(FORM_KEY), cookie):
        raise HTTPException(403, "this form is not of your session; load the page anew and send it again")
    return form


FormOf = Annotated[Form, Depends(checked_form)]
"""A parameter of a page that takes a form: its fields, checked."""
