"""The memory of all jobs: searching their findings, and what a new job recalls of them."""
