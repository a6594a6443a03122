"""What all answers of brains have in common: who gave them, and why it was another brain than the job's own."""

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.reasons import CeilingOwner


class BrainAnswer(Frozen):
    """An answer of a brain, by its name."""

    by: str
    note: str = ""
    """Why another brain than the configured one answered, if one did."""
    ceiling: CeilingOwner | None = None
    """Whose ceiling let no model answer, if that is why."""
