from planner.goal.stack import is_off_stack, technologies_of, unnamed_stack, with_stack
from tests.cases import each_case


@each_case(
    ("goal", "stack"),
    [
        ("How do I build a Python GUI with a table?", "Python GUI"),
        ("Vite React frontend: lazy loading of routes", "Vite React frontend"),
        ("center a div with CSS", "CSS"),
        ("How do I go to the rust belt?", ""),
        ("error handling in Go and Rust", "Go Rust"),
        ("How tall is the Skelder lighthouse?", ""),
    ],
)
def test_the_stack_is_what_the_goal_names(goal, stack):
    assert technologies_of(goal) == stack


def test_the_context_names_it_where_the_goal_does_not():
    assert technologies_of("How do I show a progress bar?", "We are writing a PySide6 program.") == "PySide6"
    assert technologies_of("How do I show a progress bar in Vue?", "Earlier: Django.") == "Vue"


def off(stack, goal, *, title, url="https://docs.example/page", snippet="", host="docs.example"):
    return is_off_stack(stack, goal, url=url, title=title, snippet=snippet, host=host)


def test_a_python_goal_brings_no_pages_on_typescript():
    goal = "Python GUI best practices"
    assert off("Python GUI", goal, title="TypeScript best practices for Node.js")
    assert off("Python GUI", goal, title="Best practices", url="https://x.example/typescript/best-practices")
    assert not off("Python GUI", goal, title="Tkinter layout guide")
    assert not off("Python GUI", goal, title="From TypeScript to Python")
    assert not off("Python GUI", goal, title="TypeScript stubs", snippet="generated for a Python GUI")
    assert not off("Python GUI", goal, title="Layout of windows")


def test_a_css_goal_brings_no_videos_or_stock_pictures_unless_it_asks_for_them():
    assert off("CSS", "CSS grid patterns", title="CSS grid in 5 minutes", host="www.youtube.com")
    assert off("CSS", "CSS grid patterns", title="Grid pattern", host="shutterstock.com")
    assert not off("CSS", "a video about CSS grid", title="CSS grid", host="www.youtube.com")
    assert not off("", "How do whales sleep?", title="Whales", host="www.youtube.com")


def test_queries_get_the_words_of_a_stack_that_the_goal_lacks():
    assert unnamed_stack("Python GUI", "a GUI with a table") == "Python"
    assert with_stack("table widget", "Python") == "table widget Python"
    assert with_stack("python table widget", "Python") == "python table widget"
