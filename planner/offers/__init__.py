"""Phase 2: decide which vendors to ask and what to search them for, rank their offers, recommend one."""
