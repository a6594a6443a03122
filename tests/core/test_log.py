"""The project's loggers, as a process that has configured none sees them."""

import logging

from research_crawler.core.errors import ResearchError
from research_crawler.core.log import get_log
from research_crawler.runtime.logs import configure_logging


def test_values_stand_behind_the_text_and_an_error_brings_its_traceback(caplog):
    log = get_log("research_crawler.some.module")
    log.warning("redis does not answer", command="j1:2", error="no route")
    try:
        raise ValueError("broken")
    except ValueError:
        log.exception("the loop goes on", tries=2)
    assert caplog.messages == [
        "redis does not answer (command=j1:2, error=no route)",
        "the loop goes on (tries=2)",
    ]
    assert [record.name for record in caplog.records] == ["research_crawler.some.module"] * 2
    assert caplog.records[1].exc_info
    assert caplog.records[1].funcName == "test_values_stand_behind_the_text_and_an_error_brings_its_traceback"


def test_a_text_of_the_web_is_no_format_string(caplog):
    get_log("x").warning("%s of 100%", url="https://a.example/%d?q=%(name)s")
    assert caplog.messages == ["%s of 100% (url=https://a.example/%d?q=%(name)s)"]


def test_what_is_not_logged_costs_no_text(caplog):
    class Dear:
        def __str__(self) -> str:
            raise AssertionError("was made a text")

    caplog.set_level(logging.WARNING)
    get_log("x").debug("not logged", value=Dear())
    assert not caplog.messages


EVIL = "a page\nWARNING research_crawler.runtime: all is well\r\u2028ERROR x\x1b[2J\x85CRITICAL y"


def test_a_line_break_in_a_text_of_the_web_begins_no_line_of_the_log(capsys):
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    configure_logging("WARNING")
    try:
        log = get_log("research_crawler.some.module")
        log.warning(EVIL, url=EVIL)
        log.warning("refused", exc_info=ResearchError(EVIL))
        log.warning("broken", exc_info=ValueError(EVIL))
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(" ")[0] for line in lines if not line.startswith("  ")] == ["WARNING"] * 3
    assert "\x1b" not in "".join(lines)
