"""The sweep leaves what a job that is not over is going to read."""

from research_crawler.background.retention_sweep import pages_of
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.planning_state import StoredSource
from research_crawler.core.models.jobs.records import VisitRecord


def test_files_of_a_job_are_in_use_before_they_are_read():
    own = StoredSource(url="file:///a.md", sha="own")
    visit = VisitRecord(n=1, command="j:1", url="https://a.example/", round=1, sha="read")
    job = Job(id="j", inputs=JobInputs(goal="g", files=[own]), visits=[visit])
    assert pages_of([job]) == {"own", "read"}
