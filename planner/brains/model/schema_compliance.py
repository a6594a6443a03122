"""Whether a model keeps to the planner's large schema, which its first answers show: small models often do not."""

from typing import Final

MOST_FAILED: Final = 2
"""After so many first answers of no use, a model is asked with flat schemas from then on; one may be an accident."""


class SchemaCompliance:
    """What the first answers of a model have shown, for all jobs of a process."""

    def __init__(self) -> None:
        self._failed = 0
        self._is_known = False

    def kept(self) -> None:
        """The model has kept to the large schema: what fails later is an accident."""
        self._is_known = True

    def failed(self) -> bool:
        """Note an answer of no use; whether the model is to be asked with flat schemas from now on."""
        if self._is_known:
            return False
        self._failed += 1
        return self._failed >= MOST_FAILED
