"""Random numbers: one generator for each device."""
import torch

from torch_musa import _C
from torch_musa.musa.utils import index_of


def _generator(device):
    return _C.default_generator(index_of(device))


def get_rng_state(device='musa'):
    """A ByteTensor of the CPU's."""
    return _generator(device).get_state()


def set_rng_state(new_state, device='musa'):
    _generator(device).set_state(new_state)


def get_rng_state_all():
    return [get_rng_state(index) for index in range(_C.device_count())]


def set_rng_state_all(new_states):
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def manual_seed(seed):
    _generator(None).manual_seed(int(seed))


def manual_seed_all(seed):
    """Begins no device, so that a process that calls torch.manual_seed() can still be forked."""
    _C.seed_all(int(seed) % 2**64)


def seed():
    _generator(None).seed()


def seed_all():
    _C.seed_all(torch.initial_seed())


def initial_seed():
    return _generator(None).initial_seed()
