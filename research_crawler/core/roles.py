"""The roles in which a model is asked. MIND_MODEL has the thorough ones, REFLEX_MODEL the quick ones."""

from typing import Final, Literal, get_args

Role = Literal[
    "planner",
    "scorer",
    "extractor",
    "report",
    "auditor",
    "section_writer",
    "recommender",
    "product_extractor",
    "column_reader",
    "claim_verifier",
]
ROLES: Final[tuple[str, ...]] = get_args(Role)
