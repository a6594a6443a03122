import ast
from collections import Counter
from pathlib import Path

import planner


def test_a_public_function_name_of_the_planner_means_one_thing():
    names = Counter(
        statement.name
        for file in Path(planner.__file__).parent.rglob("*.py")
        for statement in ast.parse(file.read_text("utf-8")).body
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)
        and not statement.name.startswith("_")
    )
    assert [name for name, times in names.items() if times > 1] == []
