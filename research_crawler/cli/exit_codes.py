"""What the command line ends with, besides 0 for done and 3 for evidence that is insufficient."""

FAILED, BAD_USAGE, INTERRUPTED = 1, 2, 130
