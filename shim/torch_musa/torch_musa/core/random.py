"""Random numbers: torch_musa.musa.random."""
from torch_musa.musa.random import (get_rng_state, get_rng_state_all, initial_seed, manual_seed, manual_seed_all, seed,  # noqa: F401
                                    seed_all, set_rng_state, set_rng_state_all)
