"""CPython: what `atexit` and `codecs` have without documentation."""

import atexit
import codecs
import inspect
import subprocess
import sys
from multiprocessing import spawn

from tests.contracts.private_names import parameters, relied_on


def test_exit_functions_can_be_run_before_the_process_ends_at_once():
    relied_on(atexit, "_run_exitfuncs", "cli.session ends without waiting for threads, but runs them first")
    code = (
        "import atexit, os; atexit.register(print, 'ran', flush=True); atexit._run_exitfuncs(); os._exit(3)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (3, "ran\n")


def test_a_codec_says_whether_it_decodes_to_text():
    codec = codecs.lookup("utf-8")
    relied_on(codec, "_is_text_encoding", "extraction.encoding refuses codecs such as base64 and rot13")
    assert [codecs.lookup(name)._is_text_encoding for name in ("latin-1", "base64", "rot13")] == [
        True,
        False,
        False,
    ]


def test_a_process_that_is_forked_from_a_server_imports_the_main_module_by_two_functions():
    why = "extraction.process.preload replaces them, so that a script does not run once more in each worker"
    for name in ("_fixup_main_from_path", "_fixup_main_from_name"):
        assert len(parameters(relied_on(spawn, name, why))) == 1
        assert f"{name}(" in inspect.getsource(spawn.prepare)
