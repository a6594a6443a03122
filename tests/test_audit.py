"""The audit of dependencies: what was not looked up is never called safe."""

import json

import pytest

from scripts import audit
from tests.cases import each_case

KNOWN = {"name": "old", "version": "1.0", "vulns": [
    {"id": "PYSEC-2099-1", "aliases": ["CVE-2099-7"], "fix_versions": ["1.1"], "description": "…"},
]}  # fmt: skip
SAFE = {"name": "good", "version": "2.0", "vulns": []}
SKIPPED = {"name": "own", "skip_reason": "Dependency not found on PyPI and could not be audited: own (1.0)"}


def answer(*entries):
    return json.dumps({"dependencies": list(entries), "fixes": []})


def test_a_known_vulnerability_is_told_apart_from_packages_that_were_not_looked_up():
    found = audit.audit_of(answer(KNOWN, SAFE, SKIPPED))
    assert (found.audited, found.skipped) == (2, 1)
    assert found.found == ("old 1.0: PYSEC-2099-1, fixed in 1.1",)


@pytest.mark.parametrize("accepted", ["PYSEC-2099-1", "CVE-2099-7"])
def test_an_advisory_can_be_accepted_by_any_of_its_names(accepted):
    assert audit.audit_of(answer(KNOWN), {accepted: "not reached"}).found == ()


@each_case("text", ["", "<html>", "[]", '{"dependencies": 3}'])
def test_an_answer_of_another_form_is_a_fault(text):
    assert audit.audit_of(text).fault


@pytest.mark.parametrize(
    ("answers", "code", "words"),
    [
        ([answer(SAFE), answer(SAFE, SKIPPED)], 0, "1 packages, 0 known vulnerabilities; NOT audited"),
        ([answer(SAFE), answer(SAFE, KNOWN)], 1, "old 1.0: PYSEC-2099-1"),
        ([answer(SKIPPED), answer(SKIPPED)], 0, "NOTHING WAS AUDITED"),
        ([answer(SKIPPED), answer(SAFE), answer(KNOWN)], 1, "PYSEC-2099-1"),
        (["", ""], 0, "NOTHING WAS AUDITED"),
    ],
)
def test_only_a_known_vulnerability_fails_the_check(monkeypatch, capsys, answers, code, words):
    left = list(answers)
    monkeypatch.setattr(audit, "ask", lambda _, service: audit.audit_of(left.pop(0)))
    assert audit.run(["good==2.0", "old==1.0"]) == code
    assert left == []
    assert words in capsys.readouterr().out


def test_without_pip_audit_the_reason_is_told():
    assert audit.ask(["good==2.0"], "no such service").fault
