"""A container starts as its flags allow: secrets that only their owner reads, no capability, Chromium's own sandbox."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.docker.test_files import COMPOSE, FOLDER

SERVICE_UID = "10001"
STRANGER_UID = 12345
"""Who made the secrets on the host."""

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can become the users of a container"),
    pytest.mark.skipif(shutil.which("setpriv") is None, reason="no setpriv: install util-linux"),
]


def as_a_container_starts(*command: str | Path, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run a command as root with the capabilities that the compose file leaves it."""
    left = ",".join(f"+{name.lower()}" for name in COMPOSE["services"]["planner"]["cap_add"])
    flags = ["--no-new-privs", f"--bounding-set=-all,{left}", "--inh-caps=-all"]
    return subprocess.run(
        ["setpriv", *flags, "--", *map(str, command)],
        env={"PATH": os.environ["PATH"]} | env, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.fixture
def reachable():
    """A folder that every user can reach; those of pytest are for one alone."""
    with tempfile.TemporaryDirectory(prefix="rc-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def secret(reachable):
    """A secret that only the user who made it can read."""
    path = reachable / "redis_url"
    path.write_text("redis://:secret@redis/0")
    path.chmod(0o600)
    os.chown(path, STRANGER_UID, STRANGER_UID)
    return path


def test_a_service_reads_secrets_of_another_user_and_has_no_capability_left(reachable, secret):
    look = (
        'cat "$REDIS_URL_FILE"; echo; id -u; id -G; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status'
    )
    answer = as_a_container_starts(
        FOLDER / "entrypoint.sh", "sh", "-c", look,
        env={"REDIS_URL_FILE": str(secret), "RESEARCH_SECRETS_FOLDER": str(reachable / "own")},
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    url, uid, groups, *status = answer.stdout.splitlines()
    assert (url, uid, groups) == ("redis://:secret@redis/0", SERVICE_UID, SERVICE_UID)
    assert [line.split()[1] for line in status] == ["0" * 16, "0" * 16, "1"]


def test_a_secret_that_is_not_there_ends_the_service_with_its_name(tmp_path):
    answer = as_a_container_starts(
        FOLDER / "entrypoint.sh",
        "true",
        env={"REDIS_URL_FILE": str(tmp_path / "none"), "RESEARCH_SECRETS_FOLDER": str(tmp_path / "own")},
    )
    assert (answer.returncode, "REDIS_URL_FILE: cannot read" in answer.stderr) == (2, True)


UNDER_PROFILE = """
import ctypes, json, os, sys
import pyseccomp
profile, more, command = json.load(open(sys.argv[1])), sys.argv[2].split(), sys.argv[3:]
[rule] = profile["syscalls"]
os.setgroups([]), os.setresgid(10001, 10001, 10001), os.setresuid(10001, 10001, 10001)
assert ctypes.CDLL(None).prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
for name in [*rule["names"], *more]:
    try:
        rules.add_rule(pyseccomp.ERRNO(38 if name == "clone3" else rule["errnoRet"]), name)
    except OSError:  # this processor has no such call
        pass
if more:  # as Docker's default profile does: no new namespaces
    rules.add_rule(pyseccomp.ERRNO(1), "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, 0x10000000, 0x10000000))
rules.load()
os.execvp(command[0], command)
"""


@pytest.mark.long
@pytest.mark.parametrize(("refused", "shows_it"), [("", True), ("unshare clone3", False)])
def test_chromium_has_its_sandbox_under_our_profile_and_would_not_have_it_under_the_default_one(
    reachable, refused, shows_it
):
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no Chromium on PATH")
    assert "seccomp:./seccomp.json" in COMPOSE["services"]["crawler"]["security_opt"]
    home = reachable / "home"
    home.mkdir()
    os.chown(home, int(SERVICE_UID), int(SERVICE_UID))
    flags = ["--headless", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--no-first-run",
             "--disable-component-update", "--disable-sync", f"--user-data-dir={home}/profile"]  # fmt: skip
    answer = subprocess.run(
        [sys.executable, "-c", UNDER_PROFILE, FOLDER / "seccomp.json", refused, chromium, *flags, "--dump-dom",
         "data:text/html,<p>shown</p>"],
        env={"PATH": os.environ["PATH"], "HOME": str(home)}, capture_output=True, text=True, check=False, timeout=90,
    )  # fmt: skip
    assert ("<p>shown</p>" in answer.stdout) == shows_it, answer.stderr[-2_000:]
    assert shows_it or "sandbox" in answer.stderr


def test_the_profile_refuses_what_a_service_never_needs():
    [rule] = json.loads((FOLDER / "seccomp.json").read_text())["syscalls"]
    assert rule["action"] == "SCMP_ACT_ERRNO"
    assert {"mount", "bpf", "keyctl", "ptrace", "kexec_load", "init_module", "setns"} - {"ptrace"} <= set(
        rule["names"]
    )
