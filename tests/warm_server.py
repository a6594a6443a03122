"""A process that has imported what ours import, and forks: a forked command starts in no time.

`python warm_server.py SOCKET`: whoever connects sends a command as `tests.warm` writes it, with its standard streams,
and hears its process id and, when it has ended, its exit code. The forked process runs the command as its main
program, as the interpreter would. The processes that use the server hold a connection on which they sent `{}`; the
server ends when none of them is left, and removes the folder of its socket.
"""

import atexit
import contextlib
import fcntl
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import select
import shutil
import signal
import socket
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any, NoReturn

PROJECT = str(Path(__file__).parents[1])
HIGHEST_DESCRIPTOR = 4096
FREE_DESCRIPTOR = 512
"""No process that was just forked has descriptors from here on."""
FIRST_USER_WITHIN_S = 60
THIRD_PARTIES = (
    "aiohttp", "alembic.command", "openai.resources.chat", "qdrant_client", "safetensors.torch", "scrapy.crawler",
    "scrapy_redis.scheduler", "sqlalchemy.dialects.sqlite", "tldextract", "tokenizers", "torch", "uvloop",
)  # fmt: skip
SCRIPTS = {"__main__", "migrations"}
"""Modules that run when they are imported."""
OURS = ("planner", "pipelines", "prompts", "research_crawler")


def import_all() -> None:
    """What a job, a node and a planner import, third parties first; none of it begins a thread or a loop."""
    sys.path[0] = PROJECT  # in the place of this file's folder
    from research_crawler.core.telemetry import switch_off_telemetry

    switch_off_telemetry()
    for name in THIRD_PARTIES:
        importlib.import_module(name)
    for package in map(importlib.import_module, OURS):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if SCRIPTS.isdisjoint(module.name.split(".")):
                importlib.import_module(module.name)
    assert "twisted.internet.reactor" not in sys.modules, "a reactor cannot be had twice"
    build_models()


def build_models() -> None:
    """Build our models, which put that off until they are used: each forked process would do so again."""
    from pydantic import BaseModel

    kinds = list(BaseModel.__subclasses__())
    for kind in kinds:
        kinds += kind.__subclasses__()
        if kind.__module__.split(".")[0] in OURS and not kind.__pydantic_complete__:
            kind.model_rebuild()


def serve(path: str) -> dict[str, Any]:
    """Fork for whoever asks; answers only in a forked process, with what it is to run."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: dict[int, socket.socket] = {}
    users: set[socket.socket] = set()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen(64)
        sys.stdout.write("started\n")
        sys.stdout.flush()
        while True:
            ready, _, _ = select.select([server, woken, *users], [], [], FIRST_USER_WITHIN_S)
            for user in users.intersection(ready):
                users.remove(user)
                user.close()
            if not users and server not in ready:
                shutil.rmtree(Path(path).parent, ignore_errors=True)
                os._exit(0)
            if woken in ready:
                os.read(woken, 4096)
                tell_the_ended(running)
            if server in ready:
                client, _ = server.accept()
                message, streams, _, _ = socket.recv_fds(client, 1 << 20, 3)
                job = json.loads(message)
                if not job:
                    users.add(client)
                    continue
                pid = os.fork()
                if not pid:
                    become(job, client, streams)
                    for left in (server, client, *users, *running.values()):
                        left.detach()  # closed already, and the numbers may be in use again
                    return job  # type: ignore[no-any-return]
                running[pid] = client
                for stream in streams:
                    os.close(stream)


def tell_the_ended(running: dict[int, socket.socket]) -> None:
    """Tell the exit codes of processes that have ended."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            with running.pop(ended[0]) as client, contextlib.suppress(OSError):
                client.sendall(b"%d\n" % os.waitstatus_to_exitcode(ended[1]))


def become(job: dict[str, Any], client: socket.socket, streams: list[int]) -> None:
    """Streams, folder, environment, signals and group as a process started anew would have them."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if job["new_session"]:
        os.setsid()
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["env"])
    time.tzset()
    client.sendall(b"%d\n" % os.getpid())
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, HIGHEST_DESCRIPTOR)
    sys.stdin, sys.stdout, sys.stderr = opened(0, "r"), opened(1, "w"), opened(2, "w")
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr


def fork_parse_server() -> None:
    """Let the server of this command's parse processes be a fork of this process as it is now, without threads.

    Started anew it would import all parsers for a second. What it must not inherit is tested where it is started anew
    (`tests/attacks/test_parse_processes.py`).
    """
    from multiprocessing import util

    ours, theirs = socket.socketpair()
    waiting = os.fork()
    if not waiting:
        ours.close()
        become_parse_server(theirs)
    theirs.close()
    start_anew = util.spawnv_passfds

    def spawn(path: Any, arguments: Any, kept: Any) -> int:
        if "forkserver" not in arguments[-1] or ours.fileno() < 0:
            return start_anew(path, arguments, kept)
        job = {"code": arguments[-1], "environment": dict(os.environ), "descriptors": list(kept)}
        with ours:
            socket.send_fds(ours, [json.dumps(job).encode()], list(kept))
        return waiting

    util.spawnv_passfds = spawn


def become_parse_server(client: socket.socket) -> None:
    """Wait for what the interpreter would be started with, and run it; end where the command ends before that."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        message, streams, _, _ = socket.recv_fds(client, 1 << 20, 8)
        if not message:
            return
        client.close()
        job = json.loads(message)
        high = [fcntl.fcntl(stream, fcntl.F_DUPFD, FREE_DESCRIPTOR) for stream in streams]
        os.closerange(3, FREE_DESCRIPTOR)
        for stream, number in zip(high, job["descriptors"], strict=True):
            os.dup2(stream, number)
            os.close(stream)
        os.environ.clear()
        os.environ.update(job["environment"])
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, signal.default_int_handler)
        exec(job["code"], {"__name__": "__main__"})  # as the interpreter's `-c` would
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(0)


def opened(number: int, mode: str) -> Any:
    """A standard stream as the interpreter opens it."""
    plain = io.FileIO(number, mode, closefd=False)
    buffer = io.BufferedReader(plain) if mode == "r" else io.BufferedWriter(plain)
    return io.TextIOWrapper(
        buffer,
        encoding="utf-8",
        errors="backslashreplace" if number == 2 else "strict",
        line_buffering=number == 2 or plain.isatty(),
    )


def run(arguments: list[str]) -> None:
    """Run `-m MODULE …` or `SCRIPT …` as the main program."""
    fork_parse_server()
    if arguments[0] == "-m":
        sys.argv[:] = arguments[1:]
        sys.path[0] = str(Path.cwd())
        sys.path.insert(1, PROJECT)
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv[:] = arguments
        sys.path[0] = str(Path(arguments[0]).parent)
        sys.path.insert(1, PROJECT)
        runpy.run_path(arguments[0], run_name="__main__")


def end(code: Any) -> NoReturn:
    """End as the interpreter does, but leave the modules: to take apart all that were imported takes 0.4 s."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    import_all()
    gc.collect()
    gc.freeze()
    job = serve(sys.argv[1])
    try:
        run(job["arguments"])
    except SystemExit as end_of_program:
        if not isinstance(end_of_program.code, int | None):
            raise
        end(end_of_program.code or 0)
    end(0)
