import ast
from collections import Counter

from scripts.reference.modules import parsed
from tests.sources import within


def test_a_public_function_name_of_the_planner_means_one_thing():
    names = Counter(
        statement.name
        for path in within("planner")
        for statement in parsed(path).body
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)
        and not statement.name.startswith("_")
    )
    assert [name for name, times in names.items() if times > 1] == []
