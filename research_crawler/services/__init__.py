"""What every interface calls: jobs, watches, single fetches, forgetting."""
