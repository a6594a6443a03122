"""The pages of the dashboard. A noun is a file."""
