"""From Triton's IR to MUSA C++."""
