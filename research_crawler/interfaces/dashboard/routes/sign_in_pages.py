"""Signing in with the token, and out."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from research_crawler.interfaces.dashboard.forms import Form, FormOf, read_form, sessions_of
from research_crawler.interfaces.dashboard.page_templates import page, see
from research_crawler.interfaces.dashboard.sessions import LASTS_S
from research_crawler.interfaces.http.access import DASHBOARD

router = APIRouter()


@router.get("/sign-in")
async def ask_for_token(request: Request, code: str = "") -> Response:
    """The form for the token; who comes with the code of the terminal is signed in at once."""
    if code and sessions_of(request).takes_code(code):
        return _signed_in(request)
    return page(request, "sign_in.html", {"is_wrong": False, "is_old": bool(code)})


@router.post("/sign-in")
async def sign_in(request: Request, form: Annotated[Form, Depends(read_form)]) -> Response:
    """Take the token, and give a cookie for it."""
    sessions = sessions_of(request)
    if not sessions.is_token(form.one("token")):
        return page(request, "sign_in.html", {"is_wrong": True, "is_old": False}, code=401)
    return _signed_in(request)


def _signed_in(request: Request) -> Response:
    answer, sessions = see("/"), sessions_of(request)
    answer.set_cookie(
        sessions.cookie,
        sessions.new(),
        max_age=LASTS_S,
        path=DASHBOARD,
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return answer


@router.post("/sign-out")
async def sign_out(request: Request, _form: FormOf) -> Response:
    """Forget the cookie."""
    answer = see("/sign-in")
    answer.delete_cookie(sessions_of(request).cookie, path=DASHBOARD, httponly=True, samesite="strict")
    return answer
