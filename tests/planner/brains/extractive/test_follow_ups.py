"""The answer to a follow-up question without a model: its own words lead, the first question's only say of what."""

from planner.brains.extractive.answering.write import write_answer
from planner.reports.writer_view import report_view
from tests.planner.brains.views import finding
from tests.planner.scripted import a_job

FIRST = "How do I restore a pg_dump custom-format backup?"
DUMP = "http://127.0.0.1/app-pgdump.html"
RESTORE = "http://127.0.0.1/app-pgrestore.html"
EARLIER = [
    finding(
        "A backup in the custom format of pg_dump must be restored with pg_restore: pg_restore -d dbname filename",
        "http://127.0.0.1/backup-dump.html",
        title="26.1. SQL Dump",
    ),
    finding(
        "To dump a database into a custom-format archive file: pg_dump -Fc mydb > db.dump. To reload an archive file "
        "into a (freshly created) database named newdb: pg_restore -d newdb db.dump",
        DUMP,
        title="pg_dump",
    ),
    finding(
        "The alternative archive file formats must be used with pg_restore to rebuild the database.",
        DUMP,
        title="pg_dump",
    ),
]
OPTION = finding(
    "-t table\n\nRestore definition and/or data of only the named table. For this purpose, “table” includes views, "
    "materialized views, sequences, and foreign tables.",
    RESTORE,
    title="pg_restore",
    heading="Options",
)


def followed(question, findings):
    job = a_job(question, about_job="jobbbbbbbbbb", topic=FIRST, prior_turn_context=FIRST)
    return report_view(job, findings)


async def test_an_answer_to_a_follow_up_begins_with_what_it_adds_whether_or_not_it_names_its_subject(
    embedder,
):
    for question in (
        "How can I restore only one table from it?",
        "And how can only one table of the dump be restored?",
        "How do I restore only one table with pg_restore?",
    ):
        draft = await write_answer(followed(question, [*EARLIER, OPTION]), embedder)
        assert draft.answer[0].text.startswith("-t table"), question


async def test_a_follow_up_to_which_no_sentence_says_anything_is_not_answered_by_the_first_answer(embedder):
    draft = await write_answer(followed("How can I rename the owner of it?", EARLIER), embedder)
    assert draft.answer == []
    assert draft.not_found


async def test_a_first_question_is_answered_as_before(embedder):
    draft = await write_answer(report_view(a_job(FIRST), EARLIER), embedder)
    assert "pg_restore -d" in draft.answer[0].text
