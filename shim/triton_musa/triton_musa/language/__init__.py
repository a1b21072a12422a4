"""What stands in Triton's `language` package beside its own."""
