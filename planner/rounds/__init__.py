"""Phase 1: apply a job's events, ask the brain for a decision, and start the next round of searches or visits."""
