"""PyPI's torchada over our torch_musa: it imports, builds its C++ operators, and scripts of torch.cuda calls (torchada/) run under it."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest
from test_distributed import free_port
from test_extension import CUDA, MAIN

pytestmark = pytest.mark.skipif(importlib.util.find_spec('torchada') is None, reason='torchada is not installed')
HERE = pathlib.Path(__file__).resolve().parent
SETUP = '''
import torchada
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(name='twice', ext_modules=[CUDAExtension('twice', ['main.cpp', 'twice.cu'], extra_compile_args={
    'cxx': ['-O1', '-DFROM_CXX'], 'nvcc': ['-O2', '-DFROM_NVCC']})], cmdclass={'build_ext': BuildExtension})
'''
USE = '''
import torchada, torch, twice
for dtype in (torch.float32, torch.bfloat16):
    x = torch.randn(300).to(dtype).cuda()
    assert torch.equal(twice.twice(x), 2 * x)
print('fine')
'''


def run(*command, folder=None, extensions=None):
    environment = {**os.environ, 'OMP_NUM_THREADS': '1', 'MUSA_HOME': os.environ['MUSA_PATH'], 'PYTHONWARNINGS': 'ignore::FutureWarning'}
    if extensions:
        environment['TORCH_EXTENSIONS_DIR'] = str(extensions)
    result = subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, timeout=900, cwd=folder, env=environment)
    assert result.returncode == 0, result.stderr[-3000:]
    return result


@pytest.fixture(scope='module')
def extensions(tmp_path_factory):
    return tmp_path_factory.mktemp('extensions')


def test_calls(extensions):
    result = run(HERE / 'torchada/calls.py', extensions=extensions)
    seen = {name: value for line in result.stdout.splitlines() if line.startswith('{') for name, value in json.loads(line).items()}
    assert seen['streams'] == {'sum': 2000.0, 'timed': True, 'native': True}
    assert seen['training'] == {'half': 'torch.float16', 'bfloat16': 'torch.bfloat16', 'falls': True, 'scale': True}
    assert seen['graphs'] == [6.0] * 4
    assert seen['rotation'] == {'had': True, 'dropped': True, 'result': [6.0] * 4}, result.stderr[-3000:]
    assert all(seen['memory'].values()), seen['memory']
    assert seen['devices'] == {'count': 4, 'current': 1, 'second': 'musa:1', 'name': 'MTT S5000'}
    assert seen['numbers'] and seen['profiler']
    assert seen['library'] == [2.0, 2.0]
    assert seen['compiled'] == [4.0] * 3
    assert seen['operators'] == {'loaded': True, 'pool': True, 'drawn': [1] * 5}, result.stderr[-3000:]


def test_ddp_by_nccl(extensions):
    result = run(HERE / 'torchada/ddp.py', free_port(), extensions=extensions)
    rows = {row['rank']: row for row in map(json.loads, filter(lambda line: line.startswith('{'), result.stdout.splitlines()))}
    assert sorted(rows) == [0, 1]
    for row in rows.values():
        assert row['total'] == [3.0] * 4 and row['gradient'] == [4.5] * 4 and row['alike']


def test_an_extension_by_its_build_extension(tmp_path, extensions):
    for name, text in (('main.cpp', MAIN), ('twice.cu', CUDA), ('setup.py', SETUP), ('use.py', USE)):
        (tmp_path / name).write_text(text)
    run('setup.py', '-q', 'build_ext', '--inplace', folder=tmp_path, extensions=extensions)
    assert run('use.py', folder=tmp_path, extensions=extensions).stdout.strip().endswith('fine')
