"""Kept sessions of hosts: what is kept, where, and for whom."""

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.adapters.host_sessions import HostSessions
from research_crawler.core.errors import UsageError
from research_crawler.core.models.web.saved_sessions import (
    MAX_STATE_BYTES,
    SavedCookie,
    StorageState,
    read_session,
    seen_cookies,
)
from tests.cases import each_case


def cookie(domain, name="seen", **more):
    return {"name": name, "value": "yes", "domain": domain, "path": "/", "expires": -1} | more


def state(*cookies, origins=()):
    return StorageState.model_validate({"cookies": list(cookies), "origins": list(origins)})


def test_a_kept_session_is_private_and_holds_nothing_of_other_sites(tmp_path):
    kept = HostSessions(tmp_path)
    assert (kept.get("shop.example.org"), kept.hosts()) == (None, [])
    items = [{"name": "a", "value": "b"}]
    kept.put(
        "shop.example.org",
        state(
            cookie("shop.example.org"), cookie(".example.org", "site"), cookie("tracker.example.com", "other"),
            cookie("org", "suffix"),
            origins=[{"origin": "https://shop.example.org", "localStorage": items},
                     {"origin": "https://tracker.example.com", "localStorage": items}],
        ),
    )  # fmt: skip
    (file,) = (tmp_path / "sessions").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    found = kept.get("shop.example.org")
    assert [one.name for one in found.cookies] == ["seen", "site"]
    assert [one.origin for one in found.origins] == ["https://shop.example.org"]
    assert kept.hosts() == ["shop.example.org"]
    assert kept.drop("shop.example.org") and not kept.drop("shop.example.org")


def test_the_cookies_of_a_session_are_sent_to_its_host_only_and_until_they_expire():
    jar = state(cookie("shop.example.org"), cookie(".example.org", "site", expires=100.0)).jar()
    assert jar.header_for("http://shop.example.org/p", 50) == "seen=yes; site=yes"
    assert jar.header_for("http://shop.example.org/p", 200) == "seen=yes"
    assert jar.header_for("http://a.shop.example.org/", 50) == "site=yes"
    assert jar.header_for("http://example.com/", 50) == ""


@given(host=st.text(min_size=1, max_size=40))
def test_no_name_of_a_host_leads_out_of_the_folder(host):
    home = Path("/never-made")
    assert HostSessions(home)._path(host).parent == home / "sessions"


@given(st.one_of(st.text(max_size=200), st.binary(max_size=200)))
def test_what_is_no_session_is_refused_in_words(text):
    try:
        assert isinstance(read_session(text), StorageState)
    except UsageError as error:
        assert "session" in str(error)


def test_a_session_that_is_too_large_is_refused():
    with pytest.raises(UsageError, match="larger"):
        read_session(json.dumps({"cookies": [cookie("a.example", value="x" * MAX_STATE_BYTES)]}))


@each_case(
    "more",
    [
        {"value": "a\r\nX-Injected: 1"}, {"value": "a; b=c"}, {"name": "a\nb"}, {"path": "p"}, {"path": "/\r\n"},
        {"value": "\ud800"}, {"expires": float("nan")}, {"value": "a\0"},
    ],
)  # fmt: skip
def test_a_cookie_that_would_write_into_the_header_is_no_part_of_a_session(more):
    with pytest.raises(UsageError):
        read_session(json.dumps({"cookies": [cookie("shop.example.org", **more)]}))
    assert seen_cookies([cookie("shop.example.org", **more), cookie("shop.example.org", "other")]) == [
        SavedCookie.model_validate(cookie("shop.example.org", "other"))
    ]


def test_what_was_kept_can_be_read_again(tmp_path):
    kept, host = HostSessions(tmp_path), "shop.example.org"
    endless = cookie(host, expires=float("inf"), sameSite="no_restriction")
    kept.put(
        host, read_session(json.dumps({"cookies": [endless, cookie(host, "b", sameSite="unspecified")]}))
    )
    assert [one.sameSite for one in kept.get(host).cookies] == ["None", "Lax"]
    items = [{"name": f"\ud800{n}", "value": "é" * 1_000} for n in range(200)]
    kept.put(host, state(cookie(host), origins=[{"origin": f"https://{host}", "localStorage": items[:1]}]))
    assert kept.get(host).origins[0].localStorage[0].value == "é" * 1_000
    kept.put(host, state(cookie(host), origins=[{"origin": f"https://{host}", "localStorage": items}]))
    assert [one.name for one in kept.get(host).cookies] == ["seen"]
    assert kept.get(host).origins == []
    with pytest.raises(UsageError, match="larger than"):
        kept.put(host, state(*(cookie(host, f"{n}", value="x" * 4_000) for n in range(80))))
    assert [one.name for one in kept.get(host).cookies] == ["seen"]
