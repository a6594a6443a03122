"""What a public function takes is in its signature: none takes any keywords of any type."""

import ast
from collections.abc import Iterator

from scripts.reference.modules import parsed
from tests.sources import PROJECT, modules

BY_PLUGIN = "scripts/mypy_changed.py gives it the fields of its model, each with its type"
BY_CLICK = "click calls it with the options that are declared once, beside the command"
BY_LIBRARY = "the library that calls it says with what"
OPEN = {
    "research_crawler.core.models.base.replaced": "only the methods that the plugin types call it",
    "research_crawler.core.models.base.Changeable.changed": BY_PLUGIN,
    "planner.job.job_editor.JobEditor.set": BY_PLUGIN,
    "planner.job.job_editor.JobEditor.plan": BY_PLUGIN,
    "planner.offers.vendor_events.set_phase2": BY_PLUGIN,
    "research_crawler.cli.batches.batch_commands.run": BY_CLICK,
    "research_crawler.cli.jobs.ask.ask": BY_CLICK,
    "research_crawler.cli.jobs.extend.extend": BY_CLICK,
    "research_crawler.cli.jobs.job_commands.submit": BY_CLICK,
    "research_crawler.cli.jobs.run.run": BY_CLICK,
    "research_crawler.cli.watching.watch_commands.add": BY_CLICK,
    "research_crawler.cli.watching.watch_commands.edit": BY_CLICK,
    "research_crawler.extensions.lease_keeper.LeaseKeeper.item_failed": BY_LIBRARY,
    "research_crawler.extensions.lease_keeper.LeaseKeeper.item_dropped": BY_LIBRARY,
    "research_crawler.extensions.lease_keeper.LeaseKeeper.callback_failed": BY_LIBRARY,
    "research_crawler.extensions.lease_keeper.LeaseKeeper.request_dropped": BY_LIBRARY,
    "research_crawler.interfaces.http.connections.BoundedConnection.__init__": BY_LIBRARY,
    "research_crawler.runtime.scrapy_log.QuietLogFormatter.crawled": BY_LIBRARY,
    "research_crawler.runtime.scrapy_log.QuietLogFormatter.scraped": BY_LIBRARY,
    "research_crawler.runtime.scrapy_log.QuietLogFormatter.dropped": BY_LIBRARY,
    "research_crawler.runtime.scrapy_log.QuietLogFormatter.download_error": BY_LIBRARY,
    "research_crawler.spiders.command_spider.CommandSpider.parse": BY_LIBRARY,
}
"""Functions that may, and why."""


def open_functions(tree: ast.AST, within: str) -> Iterator[str]:
    """The public functions below a node with `**x: Any`, `**x: object` or a `**x` without a type."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from open_functions(node, within)
        elif is_public(node.name):
            name = f"{within}.{node.name}"
            if not isinstance(node, ast.ClassDef) and is_open(node.args.kwarg):
                yield name
            yield from open_functions(node, name)


def is_open(more: ast.arg | None) -> bool:
    return more is not None and (more.annotation is None or ast.unparse(more.annotation) in ("Any", "object"))


def is_public(name: str) -> bool:
    return not name.startswith("_") or name.endswith("__")


def test_a_public_function_names_and_types_what_it_takes():
    found = set[str]()
    for path in modules():
        module = path.relative_to(PROJECT).with_suffix("").parts
        if all(map(is_public, module)):
            found |= set(open_functions(parsed(path), ".".join(module)))
    assert found - OPEN.keys() == set(), "give it typed parameters, or Unpack of a TypedDict"
    assert OPEN.keys() - found == set(), "no longer open: take it off the list"
