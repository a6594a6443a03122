"""What interfaces show of interventions, what a person answers, and the browser in which a person does so."""
