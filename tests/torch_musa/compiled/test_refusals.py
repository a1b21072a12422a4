"""What is said where Triton is missing, is of another release, or a kernel needs what musa lacks: one sentence each."""
import importlib.metadata

import pytest
import torch

triton = pytest.importorskip('triton')
import triton.language as tl  # noqa: E402

import triton_musa  # noqa: E402


def says(error):
    text = str(error.value)
    assert '\n' not in text.strip() and 20 < len(text) < 400, text
    return text


@pytest.mark.parametrize('version', ['3.5.1', '3.10.0'])
def test_another_release(monkeypatch, version):
    monkeypatch.setattr(importlib.metadata, 'version', lambda name: version)
    with pytest.raises(ImportError) as error:
        triton_musa._check_version()
    assert says(error) == f'triton_musa is for Triton 3.6 to 3.9, and this is {version}; install one of those'


def test_no_triton(monkeypatch):
    def version(name):
        raise importlib.metadata.PackageNotFoundError(name)
    monkeypatch.setattr(importlib.metadata, 'version', version)
    with pytest.raises(ImportError) as error:
        triton_musa._check_version()
    assert 'pip install "triton>=3.6"' in says(error)


def test_torch_compile_without_triton(monkeypatch):
    """Dynamo's question says what is missing, and what is done instead."""
    from torch._dynamo.device_interface import get_interface_for_device
    from torch._dynamo.exc import TritonUnavailableError
    from torch_musa.inductor import interface
    monkeypatch.setattr(interface, 'triton_problem', lambda: 'triton_musa is missing; without it torch.compile writes C++ for musa')
    device = get_interface_for_device('musa')
    with pytest.raises(TritonUnavailableError, match='without it torch.compile writes C\\+\\+ for musa'):
        device.raise_if_triton_unavailable()
    assert not device.is_triton_capable() and not device.is_gpu()


@triton.jit
def assembly_kernel(x):
    tl.store(x, tl.inline_asm_elementwise('mov.b32 $0, $1;', '=r,r', [tl.load(x)], dtype=tl.int32, is_pure=True, pack=1))


@triton.jit
def small_float_kernel(x):
    tl.store(x, tl.load(x).to(tl.float8e4b15).to(tl.float32))


@triton.jit
def plain_kernel(x):
    tl.store(x, tl.load(x) + 1)


def test_inline_assembly():
    with pytest.raises(Exception) as error:
        assembly_kernel[(1,)](torch.zeros(1, dtype=torch.int32, device='musa'))
    assert 'test_refusals.py:' in str(error.value) and 'tl.inline_asm_elementwise is not supported on musa' in str(error.value)


def test_a_type_of_other_devices():
    with pytest.raises(Exception, match=r"float8e4b15[\s\S]*target doesn't provide conversion for this type"):
        small_float_kernel[(1,)](torch.zeros(1, device='musa'))


@pytest.mark.parametrize('options,sentence', [({'num_ctas': 2}, 'num_ctas greater than 1 is not supported on musa'),
                                              ({'num_warps': 3}, 'num_warps must be a power of 2')])
def test_options(options, sentence):
    with pytest.raises((ValueError, AssertionError), match=sentence):
        plain_kernel[(1,)](torch.zeros(1, device='musa'), **options)


def test_instrumentation():
    from triton_musa.compiler import MUSAOptions
    with pytest.raises(ValueError, match="instrumentation_mode='fpsan' is not supported on musa"):
        MUSAOptions(instrumentation_mode='fpsan')


def test_gluon():
    from triton.experimental import gluon
    from triton.experimental.gluon import language as gl

    @gluon.jit
    def gluon_kernel(x):
        gl.store(x, gl.load(x))
    with pytest.raises(Exception, match='Gluon kernels are not supported on musa'):
        gluon_kernel[(1,)](torch.zeros(1, device='musa'))


def test_code_ahead_of_time(tmp_path):
    model, x = torch.nn.Linear(4, 4).to('musa'), torch.ones(2, 4, device='musa')
    with torch.no_grad(), pytest.raises(Exception, match='AOTInductor and cpp_wrapper are not supported on musa: .*use torch.compile'):
        torch._inductor.aoti_compile_and_package(torch.export.export(model, (x,)), package_path=str(tmp_path / 'model.pt2'))
    torch._dynamo.reset()
    with torch.no_grad(), pytest.raises(Exception, match='AOTInductor and cpp_wrapper are not supported on musa'):
        torch.compile(model, options={'cpp_wrapper': True})(x)
