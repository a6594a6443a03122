"""An archive in memory, for tests. It behaves like the real ones."""

import copy
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any

from planner.memory.memory_search import text_of_finding
from research_crawler.core.models.archive.keeping import Due, Removal, RetentionRule, Selection
from research_crawler.core.models.archive.memory import FindingFilter
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.web.pages import StoredPage


class MemoryArchive:
    """The port `Archive` in dictionaries."""

    def __init__(self) -> None:
        self._pages: dict[str, StoredPage] = {}
        self._raw: dict[str, bytes] = {}
        self._findings: dict[str, tuple[Finding, list[float] | None]] = {}
        self._retracted: dict[str, str] = {}
        self._recorded: dict[str, CommandDone] = {}
        self._jobs: dict[str, tuple[Job, list[Finding], dict[str, Any]]] = {}

    async def open(self) -> None:
        """Nothing to connect."""

    async def close(self) -> None:
        """Nothing to free."""

    async def put_page(self, page: StoredPage, raw: bytes | None) -> None:
        """Store a page. If `raw` is None, raw bytes that are already stored stay."""
        self._pages[page.sha] = page
        if raw is not None:
            self._raw[page.sha] = raw

    async def get_page(self, sha: str) -> StoredPage | None:
        """A page by its hash."""
        return self._pages.get(sha)

    async def raw_page(self, sha: str) -> bytes | None:
        """The page's bytes as downloaded, if they are still stored."""
        return self._raw.get(sha)

    async def index_event(self, event: CommandDone) -> None:
        """Replace the findings of the event's command."""
        if not event.command:
            return
        others = {key: entry for key, entry in self._findings.items() if entry[0].command != event.command}
        self._findings = others | {finding.id: (finding, None) for finding in event.findings}
        self._recorded[event.command] = event
        self._mark_retracted()

    async def recorded_events(self, job: str) -> list[CommandDone]:
        """The events of a job's commands, in the order in which they came."""
        return [event for event in self._recorded.values() if event.job == job]

    async def retract(self, job: str, findings: Collection[str]) -> None:
        """Mark findings as rejected by a person, also those that are indexed later."""
        self._retracted |= dict.fromkeys(findings, job)
        self._mark_retracted()

    def _mark_retracted(self) -> None:
        self._findings = {
            key: (finding.changed(retracted=key in self._retracted), vector)
            for key, (finding, vector) in self._findings.items()
        }

    async def save_job(self, job: Job, findings: Sequence[Finding], report: Mapping[str, Any]) -> None:
        """Keep a finished job with its findings, in their order, and its report."""
        self._jobs[job.id] = (job, list(findings), copy.deepcopy(dict(report)))

    async def get_job(self, job: str) -> tuple[Job, list[Finding], dict[str, Any]] | None:
        """A finished job, its findings and its report."""
        return copy.deepcopy(self._jobs.get(job))

    async def get_record(self, job: str) -> Job | None:
        """The record of a finished job alone."""
        kept = await self.get_job(job)
        return kept[0] if kept else None

    async def get_report(self, job: str) -> tuple[Job, dict[str, Any]] | None:
        """A finished job and its report, without its findings."""
        kept = await self.get_job(job)
        return (kept[0], kept[2]) if kept else None

    async def list_jobs(self, limit: int = 100) -> list[Job]:
        """Finished jobs, newest first."""
        jobs = sorted((job for job, _, _ in self._jobs.values()), key=lambda job: job.id)
        return sorted(jobs, key=lambda job: job.completed_at, reverse=True)[:limit]

    async def find_findings(self, ids: Sequence[str]) -> list[Finding]:
        """The findings with these ids, in this order; unknown ids are left out."""
        known = {finding.id: finding for finding, _ in self._findings.values()}
        return [known[id_] for id_ in ids if id_ in known]

    async def find_by_words(self, words: Sequence[str], where: FindingFilter, *, limit: int) -> list[Finding]:
        """Findings that contain one of these words, newest first, without retracted ones."""
        found = [
            finding
            for finding, _ in self._findings.values()
            if not finding.retracted
            and where.covers(finding)
            and any(word.lower() in text_of_finding(finding).lower() for word in words)
        ]
        return sorted(found, key=lambda finding: finding.fetched_at, reverse=True)[:limit]

    async def vectors(self) -> AsyncIterator[tuple[Finding, list[float]]]:
        """All findings that have a vector."""
        return self._read_vectors()

    async def _read_vectors(self) -> AsyncIterator[tuple[Finding, list[float]]]:
        for _, (finding, vector) in sorted(self._findings.items()):
            if vector is not None and not finding.retracted:
                yield finding, vector

    async def findings_of(self, commands: Collection[str]) -> list[tuple[Finding, list[float] | None]]:
        """The findings of commands, each with its vector if it has one yet."""
        return [pair for _, pair in sorted(self._findings.items()) if pair[0].command in commands]

    async def put_vectors(self, vectors: Mapping[str, Sequence[float]]) -> None:
        """Store vectors of findings by their ids."""
        for id_ in vectors.keys() & self._findings.keys():
            self._findings[id_] = (self._findings[id_][0], list(vectors[id_]))

    async def kept_pages(self, shas: Collection[str]) -> set[str]:
        """Those of these pages that are stored."""
        return set(shas) & self._pages.keys()

    async def forget(self, selection: Selection, *, in_use: Collection[str] = ()) -> Removal:
        """Delete everything that the selection covers."""
        pages, commands = self._pages_and_commands(selection)
        citing = {job_of_command(command) for command in commands}
        removed = self._drop_findings(commands) + self._drop_pages(pages)
        jobs, read, findings = self._parts_of_jobs(selection)
        self._jobs = {key: entry for key, entry in self._jobs.items() if key not in jobs}
        gone = {*jobs, *selection.jobs}
        self._recorded = {
            command: event
            for command, event in self._recorded.items()
            if event.job not in gone and command not in commands
        }
        self._retracted = {
            key: job for key, job in self._retracted.items() if job not in {*jobs, *selection.jobs}
        }
        removed += self._drop_findings(findings)
        old = {sha for sha, page in self._pages.items() if page.fetched_at < selection.before}
        removed += self._drop_pages((read | old) - set(in_use) - self._cited())
        return removed + Removal(jobs=jobs, citing=sorted(citing))

    async def retain(self, rule: RetentionRule) -> Removal:
        """Delete what the rule no longer keeps."""
        removed = self._drop_pages(self._forbidden(rule))
        removed += self._drop_raw(self._old_raw(rule)) + self._drop_pages(self._uncited(rule))
        while rule.max_bytes and self._held_bytes() > rule.max_bytes:
            raw = self._oldest(self._raw)
            pages = self._oldest(self._pages.keys() - self._cited() - rule.in_use)
            if not raw and not pages:
                break
            removed += self._drop_raw(raw[:1]) if raw else self._drop_pages(pages[:1])
        return removed

    async def due(self, rule: RetentionRule) -> Due:
        """What `retain` would delete now."""
        held_bytes, raw = self._held_bytes(), self._old_raw(rule)
        return Due(
            raw_pages=len(raw),
            raw_bytes=sum(len(self._raw[sha]) for sha in raw),
            pages=len(self._uncited(rule)),
            noarchive=len(self._forbidden(rule)),
            held_bytes=held_bytes,
            over_bytes=max(0, held_bytes - rule.max_bytes) if rule.max_bytes else 0,
        )

    def _pages_and_commands(self, selection: Selection) -> tuple[set[str], set[str]]:
        """Pages by URL or host, and the commands whose findings rest on them."""
        findings = [finding for finding, _ in self._findings.values()]
        shas = {sha for sha, page in self._pages.items() if selection.covers(page.url, page.final_url)}
        return shas, {
            finding.command
            for finding in findings
            if finding.page_sha256 in shas or selection.covers(finding.url)
        }

    def _parts_of_jobs(self, selection: Selection) -> tuple[list[str], set[str], set[str]]:
        """Jobs to forget, the pages they read, and their commands."""
        ended = [key for key, (job, _, _) in self._jobs.items() if "" < job.completed_at < selection.before]
        jobs = list(dict.fromkeys([*selection.jobs, *sorted(ended)]))
        findings = [
            finding for finding, _ in self._findings.values() if job_of_command(finding.command) in jobs
        ]
        records = [self._jobs[key][0] for key in jobs if key in self._jobs]
        pages = {visit.sha for job in records for visit in job.visits} | {
            finding.page_sha256 for finding in findings
        }
        existing = {job.id for job in records} | {job_of_command(finding.command) for finding in findings}
        return (
            [key for key in jobs if key in existing],
            pages | set(selection.pages),
            {finding.command for finding in findings},
        )

    def _cited(self) -> set[str]:
        return {finding.page_sha256 for finding, _ in self._findings.values()}

    def _forbidden(self, rule: RetentionRule) -> list[str]:
        forbidden = {sha for sha, page in self._pages.items() if page.page.noarchive} - rule.in_use
        return [sha for sha in forbidden if self._pages[sha].fetched_at < rule.noarchive_before]

    def _old_raw(self, rule: RetentionRule) -> list[str]:
        return [sha for sha in self._raw if self._pages[sha].fetched_at < rule.pages_before]

    def _uncited(self, rule: RetentionRule) -> list[str]:
        spared = self._cited() | rule.in_use
        return [sha for sha in self._pages.keys() - spared if self._pages[sha].fetched_at < rule.pages_before]

    def _oldest(self, shas: Collection[str]) -> list[str]:
        return sorted(shas, key=lambda sha: (self._pages[sha].fetched_at, sha))

    def _held_bytes(self) -> int:
        texts = sum(len(page.to_wire()) for page in self._pages.values())
        return texts + sum(map(len, self._raw.values()))

    def _drop_raw(self, shas: Collection[str]) -> Removal:
        dropped = [sha for sha in shas if self._raw.pop(sha, None) is not None]
        return Removal(raw_pages=len(dropped))

    def _drop_pages(self, shas: Collection[str]) -> Removal:
        dropped = [sha for sha in shas if self._pages.pop(sha, None) is not None]
        return Removal(pages=len(dropped)) + self._drop_raw(dropped)

    def _drop_findings(self, commands: Collection[str]) -> Removal:
        before = len(self._findings)
        self._findings = {
            key: entry for key, entry in self._findings.items() if entry[0].command not in commands
        }
        return Removal(findings=before - len(self._findings), commands=sorted(commands))

    async def sizes(self) -> dict[str, int]:
        """Entries by kind, and bytes of raw pages."""
        return {
            "pages": len(self._pages),
            "findings": len(self._findings),
            "jobs": len(self._jobs),
            "raw_pages": len(self._raw),
            "bytes": sum(map(len, self._raw.values())),
        }


def job_of_command(command: str) -> str:
    """The job of a command id, `job:n`."""
    return command.rpartition(":")[0]
