"""Whether a model keeps to the planner's large schema, which its first answers show: small models often do not."""

import asyncio
from typing import Final

from research_crawler.core.ports.models import SchemaMemory, Schemas

MOST_FAILED: Final = 2
"""After so many first answers of no use, a model is asked with flat schemas from then on; one may be an accident."""


class SchemaCompliance:
    """What the first answers of a model have shown, for all jobs, and for later processes where it is remembered."""

    def __init__(self, memory: SchemaMemory | None = None) -> None:
        self._failed, self._memory = 0, memory
        self._known: Schemas | None = memory.read() if memory else None

    @property
    def is_flat(self) -> bool:
        """Whether the model is asked with flat schemas."""
        return self._known == "flat"

    async def kept(self) -> None:
        """The model has kept to the large schema: what fails later is an accident."""
        if self._known is None:
            await self._keep("large")

    async def failed(self) -> bool:
        """Note an answer of no use; whether the model is to be asked with flat schemas from now on."""
        if self._known is not None:
            return self.is_flat
        self._failed += 1
        if self._failed >= MOST_FAILED:
            await self._keep("flat")
        return self.is_flat

    async def _keep(self, schemas: Schemas) -> None:
        self._known = schemas
        if self._memory:
            await asyncio.to_thread(self._memory.keep, schemas)
