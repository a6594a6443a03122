"""Pages that stand where the wanted page should be: recognised, never solved. Bytes in, a verdict out, no I/O."""
