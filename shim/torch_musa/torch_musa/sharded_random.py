"""Random numbers of sharded tensors (DTensor): PyTorch counts on states that are a seed and a counter, as those of CUDA's generators.

A generator of a MUSA device is one of the CPU's. The counter is 0 for the state as it is; another one stands for a state that is made of
both, so that ranks that begin alike draw other numbers for other parts of a tensor, and go on alike.
"""
import hashlib

import torch

from torch_musa.imports import when_imported


class _State:
    """What _PhiloxState is for a seed and a counter."""

    def __init__(self, state, as_number):
        self._base = self._now = state.to('cpu')
        self._offset, self._as_number = 0, as_number

    @property
    def state(self):
        return self._now

    @property
    def offset(self):
        return self._offset if self._as_number else torch.tensor([self._offset])

    @offset.setter
    def offset(self, offset):
        self._offset = int(offset)
        self._now = self._base
        if self._offset != 0:
            mixed = hashlib.sha256(self._base.numpy().tobytes() + self._offset.to_bytes(8, 'little')).digest()
            self._now = torch.Generator().manual_seed(int.from_bytes(mixed[:8], 'little', signed=True)).get_state()


def _by_state(module):
    counted = getattr(module, '_PhiloxState', None)
    if counted is None:
        return
    as_number = isinstance(counted(torch.zeros(16, dtype=torch.uint8)).offset, int)
    own = torch.Generator().get_state().numel()
    module._PhiloxState = lambda state: _State(state, as_number) if state.numel() == own else counted(state)


def register():
    when_imported('torch.distributed.tensor._random', _by_state)
