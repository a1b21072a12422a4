"""What PyTorch does right from some release on, for the releases before it."""
import torch

from torch_musa.imports import when_imported


def release():
    """(2, 15) for 2.15.0+cpu."""
    return tuple(int(part) for part in torch.__version__.split('+')[0].split('.')[:2])


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
    if release() == (2, 9):
        when_imported('torch.distributed.pipelining.stage', _alike_in_pipelines)
