"""A listing may be put together from the quotes, and holds nothing that they do not have."""

from hypothesis import given
from hypothesis import strategies as st

from planner.verify.composed_listing import composed_in
from tests.cases import each_case

RESET = "`git reset --soft` leaves your changes staged; `HEAD~1` names the commit before the last one."
FORCE = "`git push --force` overwrites what the others have pushed."
MEMORY = "Set `shared_buffers` in `postgresql.conf` to `4GB`, then restart. The default port is 5432."
REMOVE = "`rm -rf build` removes what the compiler has made."
BUILD = "`docker build -t web .` takes the folder that you are in; `--no-cache` is an option of docker build."
INDEX = "CREATE INDEX makes an index ON a table; add CONCURRENTLY to keep writes going. Here the table is orders (day)."


RECOVER = "sudo -u postgres pgbackrest --stanza=demo --type=time --target-action=promote restore"
SET = "Without the --set option, restore takes the latest backup."
LOG = "`cat /var/log/postgresql-12-demo.log` shows it."
BLOCK = 'AuthType Basic in a <Directory "/srv"> section'


@each_case(
    ("code", "quotes", "shown"),
    [
        ("git reset --soft HEAD~1", [RESET], "git reset --soft HEAD~1"),
        ("shared_buffers = 4GB", [MEMORY], "shared_buffers = 4GB"),
        ("CREATE INDEX CONCURRENTLY ON orders (day);", [INDEX], "CREATE INDEX CONCURRENTLY ON orders (day);"),
        ("docker build --no-cache -t web .", [BUILD], "docker build --no-cache -t web ."),
        (
            "docker build \\\n  --no-cache \\\n  -t web .",
            [BUILD],
            "docker build \\\n  --no-cache \\\n  -t web .",
        ),
        # an option that a quote names beside the subcommand alone, also behind `sudo`
        (
            "sudo -u postgres pgbackrest --stanza=<name> --set=<label> --type=time restore",
            [RECOVER, SET],
            "sudo -u postgres pgbackrest --stanza=<name> --set=<label> --type=time restore",
        ),
        ("sudo git reset --soft HEAD~1", [RESET, RECOVER], "sudo git reset --soft HEAD~1"),
        (
            '<Directory "<folder>">\nAuthType Basic\n</Directory>',
            [BLOCK],
            '<Directory "<folder>">\nAuthType Basic\n</Directory>',
        ),
        # a placeholder in capitals, and some within a name
        (
            "pgbackrest --type=time --set=<LABEL> restore",
            [RECOVER, SET],
            "pgbackrest --type=time --set=<LABEL> restore",
        ),
        (
            "cat /var/log/postgresql-<version>-<cluster>.log",
            [LOG],
            "cat /var/log/postgresql-<version>-<cluster>.log",
        ),
        # an entry of a list of options
        (
            "tar -x -f <file> --check",
            ["tar -x -f file", "-c\n--check\n\nlooks only"],
            "tar -x -f <file> --check",
        ),
        # what a writer explains in a line of its own goes
        ("# undo it, but keep everything\ngit reset --soft HEAD~1", [RESET], "git reset --soft HEAD~1"),
    ],
)
def test_a_listing_is_composed_of_what_the_quotes_have(code, quotes, shown):
    assert composed_in(code, quotes) == shown


@each_case(
    ("code", "quotes"),
    [
        ("git reset --soft --force HEAD~1", [RESET]),
        ("git reset --force HEAD~1", [RESET, FORCE]),  # an option of another command
        ("git reset --hard HEAD~1", [RESET]),
        ("cat /var/log/mysql-<version>.log", [LOG]),
        ("cat /var/log/postgresql-<version>-<cluster>.gz", [LOG]),
        ("cat /v<a>", [LOG]),
        ("cat /var/log/postgresql-\0", [LOG]),
        ("sudo git reset --soft HEAD~1", [RESET]),
        ("sudo git reset --force HEAD~1", [RESET, FORCE, RECOVER]),
        ("sudo pgbackrest --set=<label> restore", [RECOVER, "`rm --set` removes it."]),
        ("sudo -u root pgbackrest --type=time restore", [RECOVER]),
        ('<Directory "<folder>">\nAuthType Basic\n</Files>', [BLOCK]),
        ("git reset --soft HEAD~10", [RESET]),
        ("git reset --soft HEAD~1 && reboot", [RESET]),
        ("git reset --soft HEAD~1 | sh", [RESET]),
        ("git reset --soft HEAD~1 > postgresql.conf", [RESET, MEMORY]),
        ("shared_buffers = 40GB", [MEMORY]),
        ("shared_buffers = -4GB", [MEMORY]),
        ("port = 5433", [MEMORY]),
        ("CREATE UNIQUE INDEX ON orders (day);", [INDEX]),
        ("DROP TABLE orders;", [INDEX]),
        ("git reset --soft HEAD~1\nrm -rf /", [RESET]),
        ("rm -rf /", [REMOVE]),
        ("rm -rf ~", [REMOVE]),
        ("rm -rf .", [REMOVE]),
        ("rm -rf build ..", [REMOVE]),
        ("rm -rf $(build)", [REMOVE]),
        ("rm -rf .build", [REMOVE]),
        ("cat /etc/hosts", ["Show them by `cat ./etc/hosts`."]),
        ("cat etc/..", ["Show it by `cat etc/`."]),
        ("git reset \\\n  --force HEAD~1", [RESET, FORCE]),  # as above, over two lines
        ("# only words", [RESET]),
        ("", [RESET]),
        ("git", []),
    ],
)
def test_a_writer_who_adds_or_changes_a_token_loses_the_whole_listing(code, quotes):
    assert composed_in(code, quotes) == ""


@given(
    added=st.text(st.characters(categories=("L", "N")), min_size=1, max_size=12),
    at=st.integers(0, 4),
)
def test_no_word_or_number_is_added_to_a_listing(added, at):
    tokens = ["git", "reset", "--soft", "HEAD~1"]
    tokens.insert(at, added)
    shown = composed_in(" ".join(tokens), [RESET])
    assert not shown or added in RESET


def test_the_askers_own_lines_may_be_mended_by_what_a_quote_has():
    asked = "I count with cat list.txt | while read line; do n=$((n+1)); done on Windows / Linux"
    quote = "Redirecting input causes the file to be opened: done < word"
    mended = "while read line; do n=$((n+1)); done < list.txt"
    assert composed_in(mended, [quote], asked) == mended
    assert composed_in(mended, [quote]) == ""
    assert composed_in("cat list.txt", [quote], asked) == ""
    assert composed_in("rm -rf /", ["rm -rf build"], asked) == ""


def test_a_value_that_its_reader_has_to_choose_may_be_a_placeholder():
    quotes = ["Set maximal_queue_lifetime in main.cf (default: 5d)."]
    for value in ("<days>", '"<number of days>"', "<days+hours>"):
        listing = f"maximal_queue_lifetime = {value}"
        assert composed_in(listing, quotes) == listing
    assert not composed_in("maximal_queue_lifetime = 1d", quotes)
    assert not composed_in("<command> <name>", quotes)
    assert not composed_in("sort <main.cf >copied.cf", quotes)
