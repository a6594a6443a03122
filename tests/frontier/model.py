"""The protocol in plain Python: what each script must answer and leave behind.

One command's whole life is in one `Item`; places are found by looking, not by bookkeeping, so that the model shares
no invariant with the scripts that it checks. Only what is free to differ is told to it from outside: tokens, and in
which order `ready` offers the slots.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

DAY_MS, RECHECK_MS, PERMIT_MS, NODE_TIMEOUT_MS, REFUSED = 86_400_000, 1_000, 35_000, 10_000, 300_000
LEASE_MAX_MS, CLAIM_MS, PAUSE, MAX_REDIRECTS, ATTEMPTS_MAX, TAKES_MAX = 300_000, 15_000, 5_000, 10, 3, 6
FINAL = ("completed", "failed", "cancelled")
SPIDERS = ("search", "page", "vendor", "render")


@dataclass
class Host:
    delay: int
    most: int
    next: int = 0
    blocked: int = 0
    vt: int = 0
    permits: dict[str, int] = field(default_factory=dict)
    turns: dict[str, int] = field(default_factory=dict)


@dataclass
class Held:
    """A lease."""

    token: str
    node: str
    since: int
    permit: tuple[str, int] | None = None
    lock: str = ""
    bytes_at: int = 0


@dataclass
class Item:
    """A command."""

    id: str
    url: str
    slot: str
    page_key: str
    search: bool = False
    fresh_ms: int = DAY_MS
    priority: int = 5
    max_wait: int = 0
    render: bool = False
    attempt: int = 0
    redirects: int = 0
    alone: bool = False
    requested_page_key: str = ""
    queue: tuple[str, str] | None = None
    score: int = 0
    queued_at: int = 0
    held: Held | None = None

    @property
    def job(self) -> str:
        return self.id.split(":")[0]

    @property
    def shares(self) -> bool:
        return bool(self.page_key) and not self.search and self.fresh_ms > 0


@dataclass
class Page:
    kind: str
    at: int
    keep: int
    sha: str = ""
    to: tuple[str, str, str] = ("", "", "")


@dataclass
class Draft:
    """A job."""

    state: str = "pending"
    version: int = 0
    token: str = ""
    takes: int = 0
    taken: int = 0
    upto: int | None = None
    now: int = 0
    mail: list[tuple[str, ...]] = field(default_factory=list)
    due: int | None = None
    timers: dict[tuple[str, int], int] = field(default_factory=dict)
    order: int = 0
    ceiling: int | None = None
    ledger: dict[str, tuple[int, int | None]] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)


class Model:
    def __init__(self, hosts: dict[str, tuple[int, int]]) -> None:
        self.now = 0
        self.hosts = {name: Host(*values) for name, values in hosts.items()} | {"_": Host(0, 10**9)}
        self.items: dict[str, Item] = {}
        self.pages: dict[str, Page] = {}
        self.fetching: dict[str, str] = {}
        self.nodes: dict[str, int] = {}
        self.alone: tuple[str, str] | None = None
        self.reaped_at: int | None = None
        self.outbox: list[tuple[str, str]] = []
        self.dead: list[str] = []
        self.jobs: dict[str, Draft] = {}
        self.calling: dict[str, int] = {}
        """By token of a claim or lease: until when a model call under it may last."""
        self.ready: dict[str, dict[str, int]] = {spider: {} for spider in SPIDERS}
        """Told from outside before a lease: when each queue is looked at next is free within its bounds."""

    # -- hosts
    def host(self, name: str) -> Host:
        host = self.hosts[name]
        for permit, deadline in list(host.permits.items()):
            if deadline <= self.now:
                host.next = max(host.next, deadline + host.delay)
                del host.permits[permit]
        return host

    def free_at(self, name: str) -> int:
        host = self.host(name)
        at = max(host.next, host.blocked, self.now)
        return max(at, min(host.permits.values())) if len(host.permits) >= host.most else at

    def give_permit(self, item: Item, name: str, redirects: int) -> None:
        assert item.held
        if item.shares:
            self.fetching[item.page_key] = item.id
            item.held.lock = item.page_key
        self.host(name).permits[f"{item.held.token}:{redirects}"] = self.now + PERMIT_MS
        item.held.permit = (name, redirects)

    def drop(self, name: str, token: str, redirects: int, gap: int) -> None:
        host = self.host(name)
        if host.permits.pop(f"{token}:{redirects}", None) is not None:
            host.next = max(host.next, self.now + gap)

    # -- commands
    def is_fetched_by_another(self, item: Item) -> bool:
        other = self.items.get(self.fetching.get(item.page_key, item.id))
        return bool(other and other is not item and other.held and other.held.lock == item.page_key)

    def needs(self, item: Item) -> tuple[str, Page | None]:
        if item.shares:
            page = self.pages.get(item.page_key)
            if page and self.now - page.at < min(item.fresh_ms, page.keep):
                return page.kind, page
            if self.is_fetched_by_another(item):
                return "want", None
        return "fetch", None

    def enqueue(self, item: Item) -> None:
        self.leave_queue(item)
        while item.redirects < MAX_REDIRECTS and (known := self.needs(item))[0] == "moved" and known[1]:
            (item.url, item.slot, item.page_key), item.redirects = known[1].to, item.redirects + 1
        name = "_" if self.needs(item)[0] in ("page", "refused") else item.slot
        spider = "search" if item.search else "render" if item.render and name != "_" else "page"
        host = self.host(name)
        place = max(host.vt, host.turns.get(item.job, 0)) + 1
        host.turns[item.job] = place
        item.queue, item.score, item.queued_at = (spider, name), item.priority * 10**12 + place, self.now
        self.ready[spider][name] = min(self.ready[spider].get(name, DAY_MS * 99), self.free_at(name))

    def leave_queue(self, item: Item) -> None:
        old, item.queue = item.queue, None
        if old and not self.queued(*old):
            self.ready[old[0]].pop(old[1], None)

    def queued(self, spider: str, name: str) -> list[Item]:
        there = [item for item in self.items.values() if item.queue == (spider, name)]
        return sorted(there, key=lambda item: (item.score, item.id))

    def owner(self, cid: str, token: str) -> Item | None:
        item = self.items.get(cid)
        return item if item and item.held and item.held.token == token else None

    def push(self, item: Item) -> bool:
        if item.id in self.items:
            return True
        record = self.jobs.get(item.job)
        if record and record.state in FINAL:
            return False
        item.requested_page_key = item.requested_page_key or item.page_key
        may_wait = not item.max_wait or item.search or self.needs(item)[0] != "fetch"
        if not may_wait and self.free_at(item.slot) - self.now > item.max_wait:
            self.tell(item, "busy")
            return False
        self.items[item.id] = item
        self.enqueue(item)
        return True

    def tell(self, item: Item, what: str) -> None:
        self.items.pop(item.id, None)
        self.deliver(item.job, ("done", item.id, what))
        self.outbox.append((item.id, what))

    def finish(self, item: Item, what: str) -> None:
        self.end_lease(item, drops=True)
        self.tell(item, what)

    def end_lease(self, item: Item, *, drops: bool) -> None:
        held, item.held = item.held, None
        if drops and held and held.permit:
            self.drop(held.permit[0], held.token, held.permit[1], self.host(held.permit[0]).delay)

    def unshare(self, item: Item) -> None:
        assert item.held
        h, item.held.lock = item.held.lock, ""
        if not h or self.fetching.get(h) != item.id:
            return
        del self.fetching[h]
        waiting = [
            i for i in self.items.values() if i.shares and i.page_key == h and i.queue and i.queue[1] != "_"
        ]
        for other in sorted(waiting, key=lambda other: (other.queued_at, other.id)):
            if self.needs(other)[0] in ("page", "refused", "moved"):
                self.enqueue(other)

    def try_again(self, item: Item, *, counts: bool, drops: bool) -> None:
        self.end_lease(item, drops=drops)
        item.attempt += counts
        if counts and item.attempt >= ATTEMPTS_MAX:
            self.dead.append(item.id)
            self.tell(item, "failed")
        else:
            self.enqueue(item)

    # -- nodes
    def lease(self, node: str, free: int, spiders: Iterable[str]) -> list[Item]:
        """What the node gets; leases have a made-up token until `name` gives them one."""
        out: list[Item] = []
        alone = self.alone
        if alone and alone[0] != node and not (alone[0] in self.nodes and alone[1] in self.items):
            alone = None
        busy = any(item.held and item.held.node == node for item in self.items.values())
        if self.nodes.get(node, 0) <= self.now or free <= 0 or (alone and alone[0] == node and busy):
            return []
        turn = _Turn(self, node, free, busy, out, alone)
        if alone and alone[0] == node:
            turn.serve_alone(alone[1])
        for spider in spiders if not out else ():
            turn.serve_due(spider)
        return out

    def name(self, item: Item, token: str) -> None:
        """Give a fresh lease, and its permit, the token that Redis chose."""
        assert item.held
        if item.held.permit:
            permits, redirects = self.hosts[item.held.permit[0]].permits, item.held.permit[1]
            permits[f"{token}:{redirects}"] = permits.pop(f"{item.held.token}:{redirects}")
        item.held.token = token

    def permit(self, cid: str, token: str, target: tuple[str, str, str], redirects: int) -> tuple[str, int]:
        item = self.owner(cid, token)
        if not item or not item.held:
            return "lost", 0
        if f"{token}:{redirects}" in self.host(target[1]).permits:
            return "go", 0
        if not item.search:
            item.url, item.slot, item.page_key = target
            item.redirects = redirects
            what, _ = self.needs(item)
            if what != "fetch":
                return what, 0
        wait = self.free_at(target[1]) - self.now
        if item.search and target[1] != item.slot and self.queued("search", target[1]):
            wait = max(wait, RECHECK_MS)  # it stands behind those that wait for a turn there
        if wait > 0:
            return "wait", wait
        self.give_permit(item, target[1], redirects)
        return "go", 0

    def download_ended(
        self,
        cid: str,
        token: str,
        name: str,
        redirects: int,
        outcome: str,
        to: tuple[str, str, str] | None,
        block: int,
    ) -> bool:
        item, host = self.owner(cid, token), self.host(name)
        host.blocked = max(host.blocked, self.now + block) if block else host.blocked
        self.drop(name, token, redirects, min(1_000, host.delay) if outcome == "robots" else host.delay)
        if not item or not item.held:
            return False
        if item.held.permit == (name, redirects):
            item.held.permit = None
        item.held.bytes_at = self.now
        if item.shares and outcome == "refused":
            self.pages[item.page_key] = Page("refused", self.now, REFUSED)
        elif item.shares and outcome == "redirect" and to:
            self.pages[item.page_key] = Page("moved", self.now, REFUSED, to=to)
        if outcome in ("refused", "redirect", "transient"):
            self.unshare(item)
        return True

    def stored(self, cid: str, token: str, sha: str, final_h: str) -> bool:
        item = self.owner(cid, token)
        if not item or not item.held:
            return False
        at = item.held.bytes_at or self.now
        for h in {item.page_key, final_h, item.requested_page_key} if item.shares else ():
            self.pages[h] = Page("page", at, DAY_MS, sha=sha)
        self.unshare(item)
        return True

    def settle(self, cid: str, token: str, what: str) -> bool:
        item = self.owner(cid, token)
        if item:
            self.finish(item, what)
        return bool(item)

    def give_back(self, cid: str, token: str, why: str, target: tuple[str, str, str], redirects: int) -> bool:
        item = self.owner(cid, token)
        if not item:
            return False
        if why == "no_page" and item.page_key in self.pages and self.pages[item.page_key].kind == "page":
            del self.pages[item.page_key]
        if why == "wait" and not item.search:
            (item.url, item.slot, item.page_key), item.redirects = target, redirects
        if why == "turn":
            item.slot = target[1]
        if why == "render":
            (item.url, item.slot, item.page_key), item.redirects = target, 0
            item.render, item.requested_page_key = True, target[2]
        self.try_again(item, counts=why == "transient", drops=True)
        return True

    def reroute(self, name: str) -> int:
        moved = self.queued("search", name) if name != "_" else []
        for item in moved:
            item.slot = "_"
            self.enqueue(item)
        return len(moved)

    def beat(self, node: str, named: dict[str, str]) -> list[str]:
        self.nodes[node] = self.now + NODE_TIMEOUT_MS
        lost = [cid for cid, token in named.items() if not self.owner(cid, token)]
        kept = set(named) - set(lost)
        for item in self.held_by(node):
            if item.id not in kept and item.held and item.held.since < self.now - NODE_TIMEOUT_MS:
                self.try_again(item, counts=False, drops=False)
        return lost

    def held_by(self, node: str) -> list[Item]:
        there = [item for item in self.items.values() if item.held and item.held.node == node]
        return sorted(there, key=lambda item: item.id)

    def leave(self, node: str) -> int:
        held = self.held_by(node)
        for item in held:
            self.try_again(item, counts=False, drops=True)
        self.nodes.pop(node, None)
        if self.alone and self.alone[0] == node:
            self.alone = None
        return len(held)

    def reap(self) -> int:
        last, self.reaped_at = self.reaped_at, self.now
        if last is not None and self.now - last > PAUSE:
            self.nodes = {node: max(at, self.now + NODE_TIMEOUT_MS) for node, at in self.nodes.items()}
            return 0
        self.nodes = {node: at for node, at in self.nodes.items() if at > self.now}
        taken = [
            item
            for item in sorted(self.items.values(), key=lambda item: item.id)
            if item.held
            and (item.held.node not in self.nodes or self.is_late(item.held.token, item.held.since))
        ]
        for item in taken:
            item.alone = item.attempt + 1 >= ATTEMPTS_MAX - 1
            self.try_again(item, counts=True, drops=False)
        for record in self.jobs.values():
            for rid, (tokens, deadline) in record.ledger.items():
                if deadline is not None and deadline <= self.now:
                    record.ledger[rid] = (tokens, None)
        return len(taken)

    # -- jobs
    def is_late(self, token: str, since: int) -> bool:
        return self.now - since >= LEASE_MAX_MS and self.calling.get(token, 0) <= self.now

    def submit(self, job: str, ceiling: int | None) -> bool:
        if job in self.jobs:
            return False
        self.jobs[job] = Draft(order=len(self.jobs), ceiling=ceiling, due=self.now)
        self.jobs[job].mail.append(("start", "", ""))
        return True

    def deliver(self, job: str, event: tuple[str, ...]) -> bool:
        record = self.jobs.get(job)
        if not record or record.state in FINAL:
            return False
        record.mail.append(event)
        if not record.token:
            record.due = self.now if record.due is None else min(record.due, self.now)
        return True

    def active(self) -> set[str]:
        idle = (*FINAL, "pending", "waiting_for_human")
        return {job for job, record in self.jobs.items() if record.state not in idle}

    def take(self, most: int) -> str | None:
        """The job that is claimed; its token is for the caller to fill in."""
        while True:
            due = [
                j
                for j, r in self.jobs.items()
                if r.state != "pending" and r.due is not None and r.due <= self.now
            ]
            pending = [j for j, r in self.jobs.items() if r.state == "pending"]
            if due:
                job = min(due, key=lambda j: (self.jobs[j].due, j))
            elif pending and len(self.active()) < most:
                job = min(pending, key=lambda j: (self.jobs[j].due, j))
            else:
                return None
            record = self.jobs[job]
            if record.takes + 1 > TAKES_MAX:
                self.end(job, "failed")
                continue
            record.state = "planning" if record.state == "pending" else record.state
            record.takes, record.taken, record.due = record.takes + 1, self.now, self.now + CLAIM_MS
            if record.upto is None:
                record.upto, record.now = len(record.mail), self.now
            return job

    def end(self, job: str, state: str) -> None:
        record = self.jobs[job]
        record.state, record.token, record.due = state, "", None
        record.timers.clear()
        self.withdraw(job)
        record.mail.clear()

    def withdraw(self, job: str) -> None:
        self.items = {cid: item for cid, item in self.items.items() if item.job != job}

    def renew(self, job: str, token: str) -> None:
        record = self.jobs[job]
        if record.token == token and not self.is_late(token, record.taken):
            record.due = self.now + CLAIM_MS

    def release(self, job: str, token: str) -> int:
        record = self.jobs[job]
        if record.token != token:
            return 0
        record.token, record.takes, record.due = "", record.takes - 1, self.now
        return 1

    def commit(
        self,
        job: str,
        token: str,
        version: int,
        state: str,
        items: list[Item],
        timers: dict[tuple[str, int], int],
        withdraw: bool,
    ) -> str:
        record = self.jobs[job]
        if record.state in FINAL or record.token != token or record.version != version:
            return "lost"
        assert record.upto is not None
        rest = record.mail[record.upto :]
        has_open = any(item.job == job for item in self.items.values()) and not withdraw
        if state not in FINAL and not (rest or items or timers or state == "waiting_for_human" or has_open):
            return "refused"
        record.state, record.version, record.token, record.takes, record.upto = (
            state,
            version + 1,
            "",
            0,
            None,
        )
        record.mail, record.due = rest, None
        if state in FINAL:
            self.end(job, state)
            return "ok"
        if withdraw:
            self.withdraw(job)
        for item in items:
            self.push(item)
        record.timers = dict(timers)
        self.fire_due(job)
        record.due = self.now if record.mail else None
        return "ok"

    def cancel(self, job: str) -> bool:
        if job not in self.jobs or self.jobs[job].state in FINAL:
            return False
        self.end(job, "cancelled")
        return True

    def fire_due(self, job: str) -> int:
        record = self.jobs[job]
        by_time = sorted(record.timers, key=lambda timer: (record.timers[timer], f"{timer[0]} {timer[1]}"))
        due = [timer for timer in by_time if record.timers[timer] <= self.now]
        for timer in due:
            del record.timers[timer]
            self.deliver(job, (timer[0], "", str(timer[1])))
        return len(due)

    # -- money
    def reserve(self, job: str, call: str, token: str, bound: int, lasts: int) -> str:
        record, item = self.jobs[job], self.owner(":".join(call.split(":")[:2]), token)
        if record.state in FINAL or not (record.token == token or (item and item.job == job)):
            return "lost"
        rid = f"{job}:{call}:{token}"
        if rid not in record.ledger:
            if (
                record.ceiling is not None
                and sum(t for t, _ in record.ledger.values()) + bound > record.ceiling
            ):
                return "no"
            record.ledger[rid] = (bound, self.now + lasts)
        self.calling[token] = max(self.calling.get(token, 0), self.now + lasts + CLAIM_MS)
        return "yes"

    def spend(self, job: str, call: str, token: str, rid: str, tokens: int, answer: str) -> None:
        record, item = self.jobs[job], self.owner(":".join(call.split(":")[:2]), token)
        record.ledger[rid] = (tokens, None)
        if record.state not in FINAL and (record.token == token or (item and item.job == job)):
            record.answers.setdefault(call, answer)


@dataclass
class _Turn:
    """One call of lease."""

    model: Model
    node: str
    free: int
    busy: bool
    out: list[Item]
    alone: tuple[str, str] | None

    def serve_due(self, spider: str) -> None:
        ready = self.model.ready[spider]
        while len(self.out) < self.free:
            due = sorted((at, name) for name, at in ready.items() if at <= self.model.now)
            if not due:
                return
            for _, name in due[: self.free - len(self.out)]:
                if len(self.out) < self.free:
                    self.serve(spider, name)

    def serve(self, spider: str, name: str) -> None:
        passed, look = 0, 0
        while len(queue := self.model.queued(spider, name)) > passed:
            if len(self.out) >= self.free or self.model.free_at(name) > self.model.now:
                look = 0
                break
            if self.is_passed_over(queue[passed], name):
                passed, look = passed + 1, self.model.now + RECHECK_MS
        if queue:
            self.model.ready[spider][name] = max(look, self.model.free_at(name))

    def serve_alone(self, cid: str) -> None:
        item = self.model.items.get(cid)
        if item and item.queue and self.model.free_at(item.queue[1]) <= self.model.now:
            first = item.queue
            self.look_at(item, first)
            # A redirect may have led to a stored page: that waits for no host, and the node is empty for it now.
            if first[1] != "_" and item.queue and item.queue[1] == "_" and not self.out:
                self.look_at(item, item.queue)
        if not self.out:
            self.alone = self.model.alone = None

    def look_at(self, item: Item, place: tuple[str, str]) -> None:
        spider, name = place
        self.is_passed_over(item, name)
        if self.model.queued(spider, name):
            self.model.ready[spider][name] = max(0, self.model.free_at(name))

    def is_passed_over(self, item: Item, name: str) -> bool:
        """Hand out, or send elsewhere, one command; or leave it where it is."""
        model = self.model
        what, _ = model.needs(item)
        if what == "want":
            return True
        if what == "moved" and item.redirects >= MAX_REDIRECTS:
            model.leave_queue(item)
            model.tell(item, "failed")
        elif what == "moved" or (what == "fetch" and name == "_" and not item.search):
            model.enqueue(item)
        elif self.must_wait(item):
            return True
        else:
            model.host(name).vt = max(model.host(name).vt, item.score % 10**12)
            model.leave_queue(item)
            item.held = Held(f"?{item.id}", self.node, model.now)
            if what == "fetch" and name != "_":
                model.give_permit(item, name, item.redirects)
            self.out.append(item)
        return False

    def must_wait(self, item: Item) -> bool:
        if not item.alone:
            return False
        if not self.alone:
            self.alone = self.model.alone = (self.node, item.id)
        if self.alone != (self.node, item.id):
            return True
        beside_others = self.busy or bool(self.out)
        self.free = 0 if beside_others else 1
        return beside_others
