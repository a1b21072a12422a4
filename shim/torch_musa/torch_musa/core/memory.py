"""Memory of the caching allocator: torch_musa.musa.memory."""
from torch_musa.musa.memory import *  # noqa: F401,F403
