"""Names that code for the vendor's PyTorch and Triton asks for."""
import pytest
import torch

triton = pytest.importorskip('triton')
import triton.language as tl  # noqa: E402


def test_names_of_the_package():
    from torch_musa import current_device, get_device_capability
    assert current_device() == 0 and get_device_capability() == torch.musa.get_device_capability()
    with pytest.raises(ImportError, match='no_such'):
        from torch_musa import no_such  # noqa: F401


def test_libdevice_of_musa():
    from triton.language.extra.musa import libdevice
    assert triton.language.extra.musa.libdevice is libdevice

    x = torch.randn(128, generator=torch.Generator().manual_seed(0)).to('musa')
    out = torch.empty(3, 128, device='musa')
    _functions[(1,)](x, out, N=128)
    for found, expected in zip(out, (x.tanh(), torch.nn.functional.gelu(x), x.atan())):
        torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-6)


@triton.jit
def _functions(x, out, N: tl.constexpr):
    place = tl.arange(0, N)
    value = tl.load(x + place)
    tl.store(out + place, tl.extra.musa.libdevice.fast_tanh(value))
    tl.store(out + N + place, tl.extra.musa.libdevice.fast_gelu(value))
    tl.store(out + 2 * N + place, tl.extra.musa.libdevice.atan(value))
