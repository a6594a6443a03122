"""Ask for a new job, for every interface: the typed request, its checks, own files, follow-ups, the queue."""
