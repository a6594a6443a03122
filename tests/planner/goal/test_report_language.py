"""The language of a goal, which is that of its report."""

from planner.goal.report_language import report_language
from tests.cases import each_case


@each_case(
    ("goal", "language"),
    [
        ("Wie funktioniert eine Wärmepumpe?", "de"),
        ("günstiger Laptop mit RTX 4060 unter 900 €", "de"),
        ("Comment fonctionne une pompe à chaleur ?", "fr"),
        ("¿Cuál es el mejor portátil barato?", "es"),
        ("Come funziona una pompa di calore?", "it"),
        ("Hoe werkt een warmtepomp?", "nl"),
        ("Como funciona uma bomba de calor?", "pt"),
        ("Jak działa pompa ciepła i ile kosztuje?", "pl"),
        ("what is the best budget e-reader", "en"),
        ("is die casting in use in Germany", "en"),
        ("how do I set max_connections in PostgreSQL", "en"),
        ("Lenovo LOQ 15", "en"),
        ("", "en"),
    ],
)
def test_the_function_words_of_a_goal_show_its_language(goal, language):
    assert report_language(goal) == language


def test_the_callers_language_decides():
    assert report_language("what is the best e-reader", "fr") == "fr"
    assert report_language("what is the best e-reader", "pt-BR") == "pt"
