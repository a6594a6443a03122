"""Phase 1: from events to the next round of searches and visits."""
