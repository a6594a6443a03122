"""What the command line ends with, besides 0 for done and 3 for evidence that is insufficient."""

FAILED, BAD_USAGE, INTERRUPTED = 1, 2, 130
"""Exit codes of a failure, of a wrong command line, and of Ctrl-C."""
WAITS_FOR_ANSWER = 4
"""The job is not over: it waits for the answer of a person, who is not at this terminal."""
