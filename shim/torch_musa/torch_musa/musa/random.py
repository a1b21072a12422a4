"""Random numbers: one generator for each device."""
import copyreg

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


def _restored(device, seed, state):
    generator = torch.Generator(device=device)
    generator.manual_seed(seed)
    generator.set_state(state)
    return generator


def _reduced(generator):
    if generator.device.type != 'musa':
        return generator.__reduce__()
    return _restored, (generator.device, generator.initial_seed(), generator.get_state())


def pickle_generators():
    """PyTorch asks generators of all devices but the CPU's for an offset; ours go on from a state instead, as the CPU's."""
    copyreg.pickle(torch.Generator, _reduced)
