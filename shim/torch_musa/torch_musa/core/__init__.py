"""Modules under the names that the vendor's torch_musa has them by, for code that asks for those: torchada, and what imports from there."""
