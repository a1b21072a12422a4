"""What PyTorch does, or does right, from some release on, for the releases before it."""
import importlib.abc
import importlib.util
import sys

import torch

RELEASE = tuple(int(part) for part in torch.__version__.split('+')[0].split('.')[:2])


class _WhenImported(importlib.abc.MetaPathFinder):
    """Changes a module as soon as it has been imported, which may never be."""

    def __init__(self, name, change):
        self.name, self.change = name, change

    def find_spec(self, name, path, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            self.change(module)
        spec.loader.exec_module = exec_module
        return spec


def _change(name, change):
    if name in sys.modules:
        change(sys.modules[name])
    else:
        sys.meta_path.insert(0, _WhenImported(name, change))


def _alike_in_pipelines(stage):
    """In 2.9 stages greet their neighbours with an int64 that is received as a float32: MCCL refuses what NCCL leaves undefined."""
    greet = stage._PipelineStageBase._get_init_p2p_neighbors_ops

    def alike(self):
        operations = greet(self)
        for operation in operations:
            operation.tensor = operation.tensor.reshape(1).float()
        return operations
    stage._PipelineStageBase._get_init_p2p_neighbors_ops = alike


def register():
    if RELEASE == (2, 9):
        _change('torch.distributed.pipelining.stage', _alike_in_pipelines)
