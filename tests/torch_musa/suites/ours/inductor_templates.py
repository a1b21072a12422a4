"""A sample of PyTorch's test/inductor/test_torchinductor.py, which are templates for devices: for musa, and for the CPU to measure them by."""
import os
import pathlib
import sys

import torch

sys.path[:0] = [str(pathlib.Path(__file__).parent), os.environ['PYTORCH_TESTS'] + '/inductor']
torch.set_num_threads(1)

import test_torchinductor as upstream  # noqa: E402
from sample import sample  # noqa: E402


class Sample:
    """What copy_tests copies from."""


for _name in sample([name for name in vars(upstream.CommonTemplate) if name.startswith('test_')]):
    setattr(Sample, _name, vars(upstream.CommonTemplate)[_name])
if hasattr(upstream.CommonTemplate, 'is_dtype_supported'):
    Sample.is_dtype_supported = upstream.CommonTemplate.is_dtype_supported


class InductorMUSA(upstream.TestCase):
    common = upstream.check_model_gpu
    device = 'musa'


class InductorCPU(upstream.TestCase):
    common = upstream.check_model
    device = 'cpu'


upstream.copy_tests(Sample, InductorMUSA, 'musa')
upstream.copy_tests(Sample, InductorCPU, 'cpu')
