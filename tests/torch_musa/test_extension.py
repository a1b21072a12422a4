"""Extensions with kernels: in a setup.py and at run time, ported from CUDA."""
import os
import pathlib
import shutil
import subprocess
import sys
import textwrap

import pytest
import torch

SDK = pathlib.Path(os.environ['MUSA_PATH'])
CUDA = '''
#include <c10/cuda/CUDAGuard.h>
#include <ATen/cuda/CUDAContext.h>
#include <torch/types.h>
#if !defined(FROM_NVCC) || defined(FROM_CXX)
#error "each compiler gets its own flags"
#endif

template <typename T>
__global__ void twiceKernel(const T* x, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

torch::Tensor twice(torch::Tensor x) {
  TORCH_CHECK(x.is_cuda(), "x must be on the device");
  const c10::cuda::CUDAGuard guard(x.device());
  auto y = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "twice", [&] {
    twiceKernel<scalar_t><<<(x.numel() + 127) / 128, 128, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.numel());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
'''
MAIN = '#include <torch/extension.h>\ntorch::Tensor twice(torch::Tensor x);\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("twice", &twice); }\n'
SETUP = '''
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(name='twice', ext_modules=[CUDAExtension('twice', ['main.cpp', 'twice.cu'], extra_compile_args={
    'cxx': ['-O1', '-DFROM_CXX'], 'nvcc': ['-O2', '-DFROM_NVCC', '--expt-relaxed-constexpr', '-gencode=arch=compute_90,code=sm_90']})],
    cmdclass={'build_ext': BuildExtension})
'''
USE = '''
import torch
import twice

x = torch.randn(1000, device="cuda")
assert torch.equal(twice.twice(x), 2 * x)
for kind in (torch.half, torch.bfloat16, torch.double):
    assert torch.equal(twice.twice(x.to(kind)), 2 * x.to(kind))
try:
    twice.twice(x.cpu())
except RuntimeError as error:
    print("refused" if "must be on the device" in str(error) else error)
'''


def test_a_ported_extension(tmp_path):
    source, ported = tmp_path / 'cuda', tmp_path / 'musa'
    source.mkdir()
    for name, text in (('twice.cu', CUDA), ('main.cpp', MAIN), ('setup.py', SETUP), ('use.py', USE)):
        (source / name).write_text(text)
    result = subprocess.run([SDK / 'bin/musaport', source, '-o', ported, '--strict'], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    built = subprocess.run([sys.executable, 'setup.py', 'build_ext', '--inplace'], cwd=ported, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[-3000:]
    used = subprocess.run([sys.executable, 'use.py'], cwd=ported, capture_output=True, text=True)
    assert used.stdout == 'refused\n', used.stderr[-2000:]


PRODUCT = '''
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

torch::Tensor product(torch::Tensor a, torch::Tensor b) {
  const c10::cuda::CUDAGuard guard(a.device());
  auto c = torch::empty({a.size(0), b.size(1)}, a.options());
  const int m = a.size(0), n = b.size(1), k = a.size(1);
  const float one = 1, zero = 0;
  cublasHandle_t handle = at::cuda::getCurrentCUDABlasHandle();
  const cublasStatus_t status = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b.data_ptr<float>(), n,
                                            a.data_ptr<float>(), k, &zero, c.data_ptr<float>(), n);
  TORCH_CHECK(status == CUBLAS_STATUS_SUCCESS, "cublasSgemm");
  return c;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("product", &product); }
'''


def test_a_ported_extension_with_cublas(tmp_path):
    from torch_musa.utils.musa_extension import load
    (tmp_path / 'product.cu').write_text(PRODUCT)
    ported = tmp_path / 'product.mu'
    result = subprocess.run([SDK / 'bin/musaport', tmp_path / 'product.cu', '-o', ported, '--strict'], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    build = tmp_path / 'build'
    build.mkdir()
    module = load('product', [str(ported)], extra_ldflags=['-lmublas'], build_directory=str(build))
    for device in ('musa:0', 'musa:1'):
        a, b = torch.randn(30, 50, device=device), torch.randn(50, 20, device=device)
        with torch.musa.stream(torch.musa.Stream(device)):
            c = module.product(a, b)
        torch.musa.synchronize(device)
        torch.testing.assert_close(c.cpu(), a.cpu() @ b.cpu())
    handle = torch.musa.current_blas_handle()
    assert handle != 0 and handle == torch.musa.current_blas_handle()
    with torch.musa.device(1):
        assert torch.musa.current_blas_handle() not in (0, handle)


@pytest.fixture(scope='module')
def inline(tmp_path_factory):
    from torch_musa.utils.musa_extension import load_inline
    kernel = textwrap.dedent('''
        __global__ void fill(float* x, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = i; }
        void count(torch::Tensor x) { fill<<<1, 64, 0, at::musa::getCurrentMUSAStream()>>>(x.data_ptr<float>(), x.numel()); }
    ''')
    folder = tmp_path_factory.mktemp('inline')
    return load_inline('counting', 'void count(torch::Tensor x);', musa_sources=kernel, functions=['count'], build_directory=str(folder))


def test_load_inline(inline):
    x = torch.zeros(100, device='musa')
    inline.count(x)
    assert torch.equal(x.cpu(), torch.arange(100.0))


def test_errors_of_the_compiler_are_shown(tmp_path):
    from torch_musa.utils.musa_extension import load_inline
    with pytest.raises(RuntimeError, match='error: '):
        load_inline('broken', '', musa_sources='this is no C++', functions=[], build_directory=str(tmp_path))


def test_the_sdk_is_looked_for(monkeypatch):
    from torch_musa.utils import musa_extension
    monkeypatch.setattr(musa_extension, 'MUSA_HOME', None)
    with pytest.raises(OSError, match='set MUSA_HOME'):
        musa_extension.include_paths()
    assert shutil.which('mcc', path=str(SDK / 'bin'))
