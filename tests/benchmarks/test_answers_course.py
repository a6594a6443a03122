from benchmarks.reporting.answers_course import Course, has_all_facts, stopping

QUESTION = {"id": "q", "answerable": True, "must": [["43 (metres|m)"], ["--tall"]]}
NOTHING = {"id": "n", "answerable": False, "must": []}


def values(pages, *, text="It is `43`\nmetres, by --tall.", ended=""):
    courses = {"q": Course(text, pages, ""), "n": Course("", 4, ended)}
    return [(figure.value, figure.unit, figure.ok) for figure in stopping([QUESTION, NOTHING], courses)]


def test_reading_on_after_an_early_answer_is_counted():
    assert values(6) == [(0, "of 1", True), (0, "of 1", True)]
    assert values(7)[0] == (1, "of 1", False)


def test_a_question_whose_first_pages_lack_a_fact_may_be_read_on_for():
    assert not has_all_facts(QUESTION, Course("It is 43 m.", 9, ""))
    assert values(9, text="It is 43 m.")[0] == (0, "of 0", True)


def test_a_question_without_an_answer_that_runs_out_of_time_is_counted():
    assert values(3, ended="timeout")[1] == (1, "of 1", False)
