"""The functions that every interface calls: jobs, watches, single fetches, forgetting."""
