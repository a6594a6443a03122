"""Code that mypy must refuse: each line that is marked says which error it is to give. Nothing runs it."""

from planner.job.job_editor import JobEditor
from planner.offers.vendor_events import set_phase2
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.outline import Leaf
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.watches.watch import Tracked


def change_wrongly(
    record: JobEditor, job: Job, visit: VisitRecord, product: Tracked, config: Config, leaf: Leaf
) -> None:
    record.plan(itertion=3)  # error: call-arg
    record.plan(iteration="seven")  # error: arg-type
    record.set(state="done")  # error: arg-type
    set_phase2(record, vendor=[])  # error: call-arg
    job.changed(plan=job.plan.changed(open_commands="a:1"))  # error: arg-type
    visit.changed(counted=None)  # error: arg-type
    product.changed(pending_at="12:00")  # error: call-arg
    config.changed(page_max_tokens="many")  # error: arg-type
    leaf.changed(txt="")  # error: call-arg
    update = {"findings": "three"}
    visit.changed(**update)  # error: arg-type


def change_rightly(record: JobEditor, job: Job, visit: VisitRecord, product: Tracked) -> None:
    record.plan(iteration=3, open_commands=[])
    record.set(state="completed", warnings=["late"])
    set_phase2(record, vendors=[])
    kept: Job = job.changed(plan=job.plan.changed(open_commands=["a:1"]))
    record.set(visits=[visit.changed(counted=False)], searches=kept.searches)
    product.changed(pending=None, reference=None)
