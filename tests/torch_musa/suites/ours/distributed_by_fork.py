"""PyTorch's tests of a backend of torch.distributed (they come with its package), their ranks by fork: one import for all."""
import os

import torch
import torch.multiprocessing

# PyTorch's modules count devices when they are imported, and a process that has begun its devices cannot be forked, as with CUDA.
for module in (torch.musa, torch.accelerator):
    module.device_count = lambda: int(os.environ['MUSASHIM_DEVICES'])
    module.is_available = lambda: True

from torch.testing._internal.distributed.distributed_test import DistributedTest, TestDistBackend  # noqa: E402


class TestMccl(TestDistBackend, DistributedTest._DistTestBase):
    def setUp(self):
        super().setUp()
        self._start_processes(torch.multiprocessing.get_context('fork').Process)
