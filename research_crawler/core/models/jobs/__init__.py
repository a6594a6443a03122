"""Jobs: what was asked, how far it is, and what was decided and recorded."""
