"""The options that say what a job is; `run` and `submit` take the same."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from planner.job.strategy import strategy_named
from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs import Job, JobInputs, Strategy
from research_crawler.services.new_jobs import new_job

_OPTIONS = [
    click.option("--intent", type=click.Choice(["informational", "commerce"]), help="Default: from the goal's words."),
    click.option("--context", default="", help="What is known already, or the session so far."),
    click.option("--task", default="", help="The specific task, where it differs from the goal."),
    click.option("--topic", default="", help="Subject area, e.g. 'Person (Ada Lovelace)'."),
    click.option("--prior-turn-context", default="", help="The conversation before: shapes the wording of queries."),
    click.option("--phase1-only", is_flag=True, help="Learn about the topic; do not go on to vendors."),
    click.option("--vendors", type=click.IntRange(1, 10), metavar="N",
                 help="Vendors that are to answer, for an offer. Default: PHASE2_VENDORS (3)."),
    click.option("--from", "from_job", default="", metavar="JOB",
                 help="Ask vendors on what the finished JOB has learned; its goal is taken over where none is given."),
    click.option("--strategy", metavar="NAME",
                 help="phase1_only, phase1_and_phase2 (also phase1_then_phase2) or phase2_only. Default: by the goal."),
    click.option("--region", default="", metavar="CC", help="Country of the buyer, e.g. DE. Default: from the goal."),
    click.option("--currency", default="", metavar="CUR", help="What prices are compared in, e.g. EUR. "
                 "Default: from the goal and the region."),
    click.option("--max-searches", type=click.IntRange(0, 50), help="Default: PHASE1_MAX_SEARCHES (2)."),
    click.option("--max-visits", type=click.IntRange(0, 200), help="Default: PHASE1_MAX_VISITS (8)."),
    click.option("--timeout", type=click.FloatRange(1), metavar="SECONDS",
                 help="Default: PHASE1_TIMEOUT_SECONDS (120)."),
    click.option("--max-tokens", type=click.IntRange(1), help="Ceiling of model tokens for the job. Default: none."),
    click.option("--url", "urls", multiple=True, metavar="URL", help="A page to read first; may be repeated."),
    click.option("--include-host", "include_hosts", multiple=True, metavar="HOST", help="Visit only these hosts."),
    click.option("--exclude-host", "exclude_hosts", multiple=True, metavar="HOST", help="Never visit these hosts."),
    click.option("--lang", "language", default="en", metavar="CODE", help="Language of queries. Default: en."),
    click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
                 help="Folder of the job's documents."),
]  # fmt: skip


def job_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with the options of a job."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def job_of(config: Config, inputs: JobInputs, given: dict[str, Any]) -> Job:
    """The job that inputs and options describe.

    Raises:
        UsageError: empty goal, malformed URL, an unknown country, currency or strategy, a folder that cannot be
            written.
    """
    if given["out"]:
        _check_folder(given["out"])
    return new_job(
        config,
        inputs,
        folder=given["out"],
        max_searches=given["max_searches"],
        max_visits=given["max_visits"],
        timeout_s=given["timeout"],
        max_tokens=given["max_tokens"],
    )


def inputs_of(config: Config, goal: str, given: dict[str, Any]) -> JobInputs:
    """What the options ask for.

    Raises:
        UsageError: a strategy that there is not.
    """
    if not goal and not given["from_job"]:
        raise UsageError(
            'the goal is empty; say what to research, e.g. research run "how do heat pumps work"'
        )
    return JobInputs(
        goal=goal,
        context=given["context"],
        task=given["task"],
        intent=given["intent"] or "informational",
        intent_given=given["intent"] is not None,
        prior_turn_context=given["prior_turn_context"],
        topic=given["topic"],
        language=given["language"],
        include_hosts=list(given["include_hosts"]),
        exclude_hosts=list(given["exclude_hosts"]),
        urls=list(given["urls"]),
        vendors=given["vendors"] or config.phase2_vendors,
        strategy=_strategy_of(given),
        region=given["region"],
        currency=given["currency"],
        from_job=given["from_job"],
    )


def checked_inputs(config: Config, goal: str, given: dict[str, Any]) -> JobInputs:
    """The same, with everything said that is wrong and can be seen before anything starts.

    Raises:
        UsageError: see `job_of` and `inputs_of`.
    """
    inputs = inputs_of(config, goal, given)
    job_of(config, inputs if inputs.goal else inputs.changed(goal="?"), given)
    return inputs


def _strategy_of(given: dict[str, Any]) -> Strategy | None:
    """What --strategy and --phase1-only ask for; None: neither."""
    named = strategy_named(given["strategy"]) if given["strategy"] else None
    if given["phase1_only"] and named not in (None, "phase1_only"):
        raise UsageError(
            f"--phase1-only and --strategy {given['strategy']} exclude each other; give one of them"
        )
    return "phase1_only" if given["phase1_only"] else named


def _check_folder(folder: Path) -> None:
    """Now, and not when the first document is to be written."""
    nearest = folder.absolute()
    while not nearest.exists():
        nearest = nearest.parent
    if not (nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)):
        raise UsageError(f"--out {folder}: {nearest} is no folder that can be written; choose another one")
