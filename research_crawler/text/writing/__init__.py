"""What code writes into documents, and how it writes what others wrote."""
