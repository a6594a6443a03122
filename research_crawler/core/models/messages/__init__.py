"""Commands, events, and what both carry between the planner and the nodes."""
