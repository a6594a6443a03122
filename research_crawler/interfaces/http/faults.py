"""Answers errors in one shape: `{"error": {"code": …, "message": …}}`."""

from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from research_crawler.core.errors import RedisFull, ResearchError
from research_crawler.core.log import get_log
from research_crawler.core.models.base import Frozen
from research_crawler.services.error_codes import ErrorKind, code_of

log = get_log(__name__)

STATUSES: Final = {
    ErrorKind.UNKNOWN: 404,
    ErrorKind.WRONG_STATE: 409,
    ErrorKind.BAD_INPUT: 422,
    ErrorKind.TRY_LATER: 503,
    ErrorKind.FULL: 507,
}
"""What an error of ours is in HTTP."""
FULL_RETRY_S = 30
"""When a caller may ask again whose request Redis had no memory for."""
TOO_LARGE = "the body is too large; RESEARCH_SERVE_MAX_BYTES is the limit"
MESSAGE_HEAD, MESSAGE_TAIL = 700, 250
"""Characters of a message that are told, where it repeats a long value: its begin, and its end with what to do."""
_CODES = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    413: "too_large",
    421: "unknown_host",
    422: "bad_input",
    503: "not_started",
}


class ErrorDetail(Frozen):
    """An error: a code for programs, and words for people."""

    code: str
    message: str


class ErrorAnswer(Frozen):
    """The body of every answer that is an error."""

    error: ErrorDetail


Answers = dict[int | str, dict[str, Any]]
"""Further answers of a route, for the OpenAPI document."""


def error_answer(
    status: int, message: str, *, code: str = "", headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """An answer with an error."""
    detail = ErrorDetail(code=code or _CODES.get(status, "failed"), message=bounded(message))
    return JSONResponse(ErrorAnswer(error=detail).model_dump(), status, headers=dict(headers or {}))


def bounded(message: str) -> str:
    """A message without the middle of the long value that it repeats."""
    if len(message) <= MESSAGE_HEAD + MESSAGE_TAIL:
        return message
    return f"{message[:MESSAGE_HEAD]} … {message[-MESSAGE_TAIL:]}"


def install_faults(app: FastAPI) -> None:
    """Let an application answer every error in our shape."""
    app.add_exception_handler(ResearchError, _ours)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _by_status)
    app.add_exception_handler(Exception, _unexpected)


def _ours(_: Request, error: Exception) -> JSONResponse:
    if known := code_of(error):
        headers = {"Retry-After": str(FULL_RETRY_S)} if known.error is RedisFull else {}
        return error_answer(STATUSES[known.kind], str(error), code=known.code, headers=headers)
    log.error("a request failed", exc_info=error)
    return error_answer(500, str(error))


def _malformed(_: Request, error: Exception) -> JSONResponse:
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    kind, *fields = first.get("loc", ("request",))
    is_json = first.get("type") != "json_invalid"  # else the place is a number of characters
    place = ".".join(map(str, fields)) if is_json else ""
    return error_answer(422, f"{place or f'the {kind}'}: {_words(first)}")


def _words(complaint: Mapping[str, object]) -> str:
    match complaint.get("type"):
        case "json_invalid":
            return "is not valid JSON"
        case "missing":
            return "is missing; it must be given"
        case "extra_forbidden":
            return "there is no such field; GET /docs lists the fields"
    text = str(complaint.get("msg", "is not valid")).removeprefix("Value error, ")
    return text[:1].lower() + text[1:]


def _by_status(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return _unexpected(request, error)
    if error.status_code < 400:
        return Response(status_code=error.status_code)
    messages = {
        404: "there is no such address; GET /docs lists them",
        405: "this address does not take that method; GET /docs lists them",
        413: TOO_LARGE,
    }
    message = messages.get(error.status_code, str(error.detail))
    return error_answer(error.status_code, message, headers=error.headers)


def _unexpected(_: Request, error: Exception) -> JSONResponse:
    log.error("a request failed", exc_info=error)
    return error_answer(500, "something failed in the server; its log says what")
