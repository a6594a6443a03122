"""Reviews of jobs, for every interface: what a job asks a person, and the person's answer. Nothing is printed here."""
