"""The names of keys and channels in Redis, all with one prefix; the scripts in `lua/` build the same names."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Keys:
    """The names of keys and channels, for code that reads or subscribes without a script."""

    prefix: str = "research:"

    @property
    def server(self) -> str:
        """Id of the server's run, or "ended"."""
        return f"{self.prefix}server"

    @property
    def conf(self) -> str:
        """Hash of the default limits that all processes share."""
        return f"{self.prefix}conf"

    @property
    def outbox(self) -> str:
        """Stream of settled events."""
        return f"{self.prefix}outbox"

    @property
    def forgotten(self) -> str:
        """Sorted set of hashes of forgotten commands by time; the indexers read an entry for one day."""
        return f"{self.prefix}forgotten"

    @property
    def unindexed(self) -> str:
        """Sorted set of commands, by time, whose findings the vector index lacks."""
        return f"{self.prefix}unindexed"

    @property
    def worked(self) -> str:
        """Hash: ms of work for each leased command, as of its node's last beat."""
        return f"{self.prefix}worked"

    @property
    def commands(self) -> str:
        """Hash of the commands that are not settled, by id."""
        return f"{self.prefix}req"

    @property
    def interventions(self) -> str:
        """Hash of what persons are asked, by id."""
        return f"{self.prefix}interventions"

    def asked(self, intervention: str) -> str:
        """Set of the commands that wait for an intervention."""
        return f"{self.prefix}asked:{intervention}"

    def picture(self, intervention: str) -> str:
        """The picture of a wall in base64."""
        return f"{self.prefix}picture:{intervention}"

    @property
    def jobs(self) -> str:
        """Sorted set of job ids by time of submission."""
        return f"{self.prefix}jobs"

    @property
    def withdrawn(self) -> str:
        """Channel: the ids of commands whose leases were withdrawn, separated by blanks."""
        return f"{self.prefix}withdrawn"

    def settled(self, id: str) -> str:
        """Channel: the event of a command without a job, published when the command is settled."""
        return f"{self.prefix}settled:{id}"

    @property
    def wake_jobs(self) -> str:
        """Channel: a job has become runnable."""
        return f"{self.prefix}wake:jobs"

    def wake(self, spider: str) -> str:
        """Channel: ms until a command of this spider can be leased. `model:<origin>` is for a model endpoint."""
        return f"{self.prefix}wake:{spider}"

    def slot(self, slot: str) -> str:
        """Hash of a host's delays, blocks and next free time."""
        return f"{self.prefix}slot:{slot}"

    def turn(self, slot: str) -> str:
        """Sorted set of the jobs that a host has served, by the place of their last command."""
        return f"{self.prefix}turn:{slot}"

    def flying(self, slot: str) -> str:
        """Sorted set of the host's permits by deadline."""
        return f"{self.prefix}fly:{slot}"

    def asking(self, slot: str) -> str:
        """Sorted set of the interactive calls that wait for a model endpoint, by when they count as gone."""
        return f"{self.prefix}asking:{slot}"

    def page(self, page_key: str) -> str:
        """JSON of a PageEntry."""
        return f"{self.prefix}page:{page_key}"

    def cookies(self, command: str) -> str:
        """JSON of a command's cookies, kept between two hops of its redirects."""
        return f"{self.prefix}jar:{command}"

    def robots(self, origin: str) -> str:
        """Parsed robots.txt rules of an origin (scheme, host and port)."""
        return f"{self.prefix}robots:{origin}"

    @property
    def active(self) -> str:
        """Set of the jobs that are under way: neither over, nor pending, nor waiting for a person."""
        return f"{self.prefix}active"

    @property
    def batches(self) -> str:
        """Hash of the batches with rows under way: how many."""
        return f"{self.prefix}batches"

    def rows(self, batch: str) -> str:
        """Sorted set of the jobs of a batch's rows that are under way, by when they were admitted."""
        return f"{self.prefix}rows:{batch}"

    def job(self, job: str) -> str:
        """Hash of a job's record; also the name of the channel that announces its changes."""
        return f"{self.prefix}job:{job}"

    def found(self, job: str) -> str:
        """List of the job's findings."""
        return f"{self.prefix}found:{job}"

    def seen(self, job: str) -> str:
        """Set of 8-byte hashes of URLs that the job may visit."""
        return f"{self.prefix}seen:{job}"

    def answers(self, job: str) -> str:
        """Hash of the model's answers by call."""
        return f"{self.prefix}ans:{job}"

    def budget(self, job: str) -> str:
        """Hash of the job's spent tokens and reserved tokens."""
        return f"{self.prefix}budget:{job}"

    def ledger(self, account: str) -> str:
        """Hash of what a batch (`batch.<id>`), a day, an hour or a model in these has spent and reserved."""
        return f"{self.prefix}ledger:{account}"

    @property
    def models(self) -> str:
        """Sorted set of the models that were called, by the last day."""
        return f"{self.prefix}models"
