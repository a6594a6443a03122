"""Jobs that are named by the first characters of their ids."""

import pytest

from planner.job.factory import make_job
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import UnknownJob, UsageError
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.runtime.runtime import running
from research_crawler.services.jobs.job_lookup import job_named


def job(id_):
    return make_job(JobInputs(goal="how deep is it"), Limits(), job_id=id_)


async def test_a_job_is_named_by_the_beginning_of_its_id_wherever_it_is_stored(tmp_path):
    async with running(load_core_config(home=tmp_path), crawl=False, plan=False) as runtime:
        parts = runtime.container
        await parts.jobs.submit(job("abcdefgh2345"))
        await parts.archive.save_job(job("abczefgh2345"), [], {})
        assert await job_named(parts, "abcd") == "abcdefgh2345"
        assert await job_named(parts, "ABCZ") == "abczefgh2345"
        assert (
            await job_named(parts, "zzzzzzzz2345") == "zzzzzzzz2345"
        )  # a whole id is looked up by who needs it
        with pytest.raises(
            UsageError, match="several jobs: abcdefgh2345, abczefgh2345; give more characters"
        ):
            await job_named(parts, "abc")
        for name in ("xyz", "ab", "a%c", "---"):
            with pytest.raises(UnknownJob):
                await job_named(parts, name)
