"""Phase 2: which vendors are asked for what, and which offer is recommended."""
