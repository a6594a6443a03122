"""Looks up known vulnerabilities of the pinned packages; `make audit` and `make check` run it.

pip-audit asks an advisory service over the network. It also ends with "no known vulnerabilities" where the service
knows none of the packages, as behind a mirror without advisories. This script tells the two apart: what was not audited
is never called safe, and does not fail the check either.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PINNED = Path(__file__).resolve().parents[1] / "constraints.txt"
SERVICES = ("pypi", "osv")
"""The advisory services of pip-audit. The first one that has data is asked for everything."""
ACCEPTED: Mapping[str, str] = {}
"""Id of an advisory that does not concern this project → why not."""
TIMEOUT_S = 10
LONGEST_S = 600


@dataclass(frozen=True)
class Audit:
    """What one call of pip-audit found."""

    audited: int = 0
    skipped: int = 0
    found: tuple[str, ...] = ()
    """A line for each known vulnerability."""
    fault: str = ""
    """Why there is no answer."""


def audit_of(text: str, accepted: Mapping[str, str] = ACCEPTED) -> Audit:
    """Read pip-audit's JSON."""
    try:
        document: dict[str, Any] = json.loads(text)
        entries: Sequence[dict[str, Any]] = list(document["dependencies"])
    except (ValueError, KeyError, TypeError):
        return Audit(fault="the answer is not pip-audit's JSON")
    looked_up = [entry for entry in entries if "skip_reason" not in entry]
    found = [
        _line(entry, known)
        for entry in looked_up
        for known in entry["vulns"]
        if not {known["id"], *known.get("aliases", ())} & accepted.keys()
    ]
    return Audit(len(looked_up), len(entries) - len(looked_up), tuple(found))


def _line(entry: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    fixed_in = ", ".join(known["fix_versions"]) or "no release"
    return f"{entry['name']} {entry['version']}: {known['id']}, fixed in {fixed_in}"


def ask(requirements: Sequence[str], service: str) -> Audit:
    """Ask one service about pinned requirements."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(requirements))
        file.flush()
        command = [
            sys.executable, "-m", "pip_audit", "--requirement", file.name, "--no-deps", "--disable-pip",
            "--vulnerability-service", service, "--format", "json", "--progress-spinner", "off",
            "--timeout", str(TIMEOUT_S),
        ]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S, check=False)
        except subprocess.TimeoutExpired:
            return Audit(fault=f"no answer within {LONGEST_S} s")
    if not done.stdout.strip():
        lines = done.stderr.strip().splitlines()
        return Audit(fault=lines[-1][:120] if lines else f"pip-audit ended with {done.returncode}")
    return audit_of(done.stdout)


def run(requirements: Sequence[str]) -> int:
    """Audit, print what was found, and return the exit code: 1 only for a known vulnerability."""
    faults = []
    for service in SERVICES:
        # One package first: a service that does not know it or does not answer is not asked about all others.
        probe = ask(requirements[:1], service)
        result = ask(requirements, service) if probe.audited else probe
        if result.audited:
            for line in result.found:
                print(f"audit: {line}")
            skipped = f"; NOT audited, unknown to {service}: {result.skipped}" if result.skipped else ""
            print(f"audit: {result.audited} packages, {len(result.found)} known vulnerabilities{skipped}")
            return 1 if result.found else 0
        faults.append(f"{service}: {result.fault or 'knows none of the packages'}")
    print(f"audit: NOTHING WAS AUDITED, because no advisory data could be had ({'; '.join(faults)})")
    print("audit: run `make audit` on a machine with a network before a release")
    return 0


if __name__ == "__main__":
    lines = PINNED.read_text("utf-8").splitlines()
    sys.exit(run([line for line in lines if line.strip() and not line.startswith("#")]))
