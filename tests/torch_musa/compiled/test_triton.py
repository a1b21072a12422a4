"""Triton kernels on musa: what each kind of operation computes, what a kernel is told that cannot be compiled."""
import subprocess
import sys

import pytest
import torch

triton = pytest.importorskip('triton')
import triton.language as tl  # noqa: E402
from triton.language.extra import libdevice  # noqa: E402


def random(*shape, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0)).to(dtype).to('musa')


@triton.jit
def add_kernel(x, y, z, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = place < n
    tl.store(z + place, tl.load(x + place, mask=mask) + tl.load(y + place, mask=mask, other=1.0), mask=mask)


@pytest.mark.core
@pytest.mark.parametrize('dtype', [torch.float32, torch.float16, torch.bfloat16, torch.int32])
def test_add(dtype):
    n = 1000
    x, y = random(n).mul(9).to(dtype), random(n).mul(5).to(dtype)
    z = torch.full((n + 24,), 7, dtype=dtype, device='musa')
    add_kernel[(triton.cdiv(n, 256),)](x, y, z, n, BLOCK=256)
    assert torch.equal(z[:n].cpu(), (x.cpu() + y.cpu())) and (z[n:] == 7).all()


@triton.jit
def matmul_kernel(a, b, c, M, N, K, PRECISION: tl.constexpr, B: tl.constexpr):
    rows, columns, depth = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B), tl.arange(0, B)
    sum_ = tl.zeros((B, B), tl.float32)
    for k in range(0, tl.cdiv(K, B)):
        inside = depth + k * B
        left = tl.load(a + rows[:, None] * K + inside[None, :], mask=(rows[:, None] < M) & (inside[None, :] < K), other=0.0)
        right = tl.load(b + inside[:, None] * N + columns[None, :], mask=(inside[:, None] < K) & (columns[None, :] < N), other=0.0)
        sum_ = tl.dot(left, right, sum_, input_precision=PRECISION)
    tl.store(c + rows[:, None] * N + columns[None, :], sum_, mask=(rows[:, None] < M) & (columns[None, :] < N))


@pytest.mark.core
@pytest.mark.parametrize('dtype,precision,tolerance', [(torch.float32, 'ieee', 1e-4), (torch.float32, 'tf32', 5e-2), (torch.float16, None, 1e-2)])
def test_dot(dtype, precision, tolerance):
    a, b = random(70, 50).to(dtype), random(50, 90).to(dtype)
    c = torch.empty(70, 90, device='musa')
    matmul_kernel[(3, 3)](a, b, c, 70, 90, 50, PRECISION=precision, B=32)
    exact = a.double().cpu() @ b.double().cpu()
    torch.testing.assert_close(c.double().cpu(), exact, atol=tolerance, rtol=tolerance)
    if precision == 'tf32':  # it is rounded, as matrix units do
        assert (c.double().cpu() - exact).abs().max() > 1e-4


@triton.jit
def rows_kernel(x, sums, places, scans, sorted_, N: tl.constexpr):
    row = tl.program_id(0)
    value = tl.load(x + row * N + tl.arange(0, N))
    tl.store(sums + row, tl.sum(value, 0))
    tl.store(places + row, tl.argmax(value, 0))
    tl.store(scans + row * N + tl.arange(0, N), tl.cumsum(value, 0, reverse=True))
    tl.store(sorted_ + row * N + tl.arange(0, N), tl.sort(value, descending=True))


@pytest.mark.core
def test_reductions_scans_and_sorts():
    x = random(3, 64)
    sums, places = torch.empty(3, device='musa'), torch.empty(3, dtype=torch.int32, device='musa')
    scans, sorted_ = torch.empty_like(x), torch.empty_like(x)
    rows_kernel[(3,)](x, sums, places, scans, sorted_, N=64)
    torch.testing.assert_close(sums, x.sum(1))
    assert torch.equal(places.long(), x.argmax(1))
    torch.testing.assert_close(scans, x.flip(1).cumsum(1).flip(1))
    assert torch.equal(sorted_, x.sort(1, descending=True).values)


@triton.jit
def columns_kernel(x, out, M: tl.constexpr, N: tl.constexpr):
    value = tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    tl.store(out + tl.arange(0, N), tl.max(value, 0) - tl.min(value, 0))


def test_reduction_of_the_first_axis():
    x = random(16, 32)
    out = torch.empty(32, device='musa')
    columns_kernel[(1,)](x, out, M=16, N=32)
    torch.testing.assert_close(out, x.amax(0) - x.amin(0))


@triton.jit
def atomics_kernel(counts, floats, lock, total, N: tl.constexpr):
    tl.atomic_add(counts + tl.arange(0, N) % 4, 1)
    tl.atomic_add(floats, 0.5, sem='relaxed', scope='cta')
    tl.atomic_max(counts + 4, tl.program_id(0))
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total, tl.load(total) + 1)
    tl.atomic_xchg(lock, 0)


@pytest.mark.core
def test_atomics():
    counts, floats = torch.zeros(5, dtype=torch.int32, device='musa'), torch.zeros(1, device='musa')
    lock, total = torch.zeros(1, dtype=torch.int32, device='musa'), torch.zeros(1, dtype=torch.int32, device='musa')
    atomics_kernel[(40,)](counts, floats, lock, total, N=16)
    assert counts.tolist() == [160] * 4 + [39] and floats.item() == 20 and total.item() == 40


@triton.jit(noinline=True)
def twice_or_half(value, up):
    if up > 2:
        return value * 2
    return value // 2


@triton.jit
def shapes_kernel(x, out, histogram, n, B: tl.constexpr):
    if n < 0:
        return
    place = tl.arange(0, B)
    value = tl.load(x + place)
    first, second = tl.split(tl.reshape(value, (B // 2, 2)))
    whole = tl.reshape(tl.join(second, first), (B,))  # neighbours change places
    turned = tl.reshape(tl.trans(tl.reshape(whole, (4, B // 4))), (B,))
    there = tl.gather(turned, B - 1 - place, 0)
    tl.store(out + place, there + twice_or_half(n, n))
    tl.store(histogram + tl.arange(0, 8), tl.histogram(value % 8, 8))


@pytest.mark.core
def test_shapes_and_calls():
    x = torch.arange(32, dtype=torch.int32, device='musa')
    out, histogram = torch.empty_like(x), torch.empty(8, dtype=torch.int32, device='musa')
    shapes_kernel[(1,)](x, out, histogram, 3, B=32)
    swapped = torch.arange(32).reshape(16, 2).flip(1).reshape(-1)
    assert out.tolist() == (swapped.reshape(4, 8).t().reshape(-1).flip(0) + 6).tolist()
    assert histogram.tolist() == [4] * 8
    out.fill_(-1)
    shapes_kernel[(1,)](x, out, histogram, -3, B=32)
    assert (out == -1).all()


@triton.jit
def descriptor_kernel(x, out, M, N, B: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [M, N], [N, 1], [B, B])
    target = tl.make_tensor_descriptor(out, [M, N], [N, 1], [B, B])
    row, column = tl.program_id(0) * B, tl.program_id(1) * B
    target.store([row, column], source.load([row, column]) * 2)


def test_tensor_descriptors():
    x = random(20, 36)
    out = torch.zeros_like(x)
    descriptor_kernel[(2, 3)](x, out, 20, 36, B=16)
    assert torch.equal(out, x * 2)


@triton.jit
def floats_kernel(x, out, DTYPE: tl.constexpr, N: tl.constexpr):
    place = tl.arange(0, N)
    tl.store(out + place, tl.load(x + place).to(DTYPE).to(tl.float32))


@pytest.mark.parametrize('there,dtype', [(tl.float8e5, torch.float8_e5m2), (tl.float8e4nv, torch.float8_e4m3fn), (tl.bfloat16, torch.bfloat16),
                                         (tl.float16, torch.float16), (tl.float8e4b8, torch.float8_e4m3fnuz)])
def test_small_floats(there, dtype):
    x = (random(1024) * torch.logspace(-6, 2, 1024).to('musa')).clamp(-200, 200)
    out = torch.empty_like(x)
    floats_kernel[(1,)](x, out, DTYPE=there, N=1024)
    assert torch.equal(out.cpu(), x.cpu().to(dtype).float())


@triton.jit
def functions_kernel(x, out, N: tl.constexpr):
    place = tl.arange(0, N)
    value = tl.load(x + place)
    tl.store(out + place, libdevice.pow(tl.exp(value), 2.0) + libdevice.tanh(value) + tl.math.rsqrt(tl.abs(value) + 1))


def test_functions():
    x = random(128)
    out = torch.empty_like(x)
    functions_kernel[(1,)](x, out, N=128)
    y = x.double().cpu()
    torch.testing.assert_close(out.double().cpu(), (2 * y).exp() + y.tanh() + (y.abs() + 1).rsqrt(), rtol=1e-5, atol=1e-5)


@triton.jit
def random_kernel(out, seed, N: tl.constexpr):
    tl.store(out + tl.arange(0, N), tl.rand(seed, tl.arange(0, N)))


def test_random_numbers():
    out = torch.empty(4096, device='musa')
    random_kernel[(1,)](out, 5, N=4096)
    assert 0 <= out.min() and out.max() < 1 and abs(out.mean().item() - 0.5) < 0.02 and out.unique().numel() > 4000


@pytest.mark.core
def test_streams_and_events():
    stream, event = torch.musa.Stream(), torch.musa.Event()
    x, z = torch.ones(1 << 16, device='musa'), torch.empty(1 << 16, device='musa')
    torch.musa.synchronize()
    with torch.musa.stream(stream):
        add_kernel[(256,)](x, x, z, 1 << 16, BLOCK=256)
        event.record()
    event.synchronize()
    assert (z == 2).all()


@triton.autotune([triton.Config({'BLOCK': 128}, num_warps=1), triton.Config({'BLOCK': 512}, num_warps=4, num_stages=2)], key=['n'])
@triton.jit
def tuned_kernel(x, z, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z + place, tl.load(x + place, mask=place < n) * 3, mask=place < n)


def test_autotuning():
    x = random(3000)
    z = torch.empty_like(x)
    tuned_kernel[lambda meta: (triton.cdiv(3000, meta['BLOCK']),)](x, z, 3000)
    assert torch.equal(z, x * 3) and tuned_kernel.best_config.kwargs['BLOCK'] in (128, 512)


@triton.jit
def assembly_kernel(x):
    tl.store(x, tl.inline_asm_elementwise('mov.b32 $0, $1;', '=r,r', [tl.load(x)], dtype=tl.int32, is_pure=True, pack=1))


@pytest.mark.core
def test_what_is_lacking_is_said_with_its_line():
    x = torch.zeros(1, dtype=torch.int32, device='musa')
    with pytest.raises(Exception, match=r'test_triton\.py:\d+: tl\.inline_asm_elementwise is not supported on musa'):
        assembly_kernel[(1,)](x)


def test_memory_of_the_processor_is_refused():
    with pytest.raises(ValueError, match='cpu tensor'):
        add_kernel[(1,)](torch.zeros(4), torch.zeros(4), torch.zeros(4), 4, BLOCK=16)


def test_more_warps_than_a_block_has():
    from triton.runtime.errors import OutOfResources
    x = torch.zeros(4, device='musa')
    with pytest.raises(OutOfResources, match='threads'):
        add_kernel[(1,)](x, x, x, 4, BLOCK=16, num_warps=64)


_SPEAKING = '''
import torch, triton, triton.language as tl
@triton.jit
def speak(x, N: tl.constexpr):
    value = tl.load(x + tl.arange(0, N))
    tl.device_print("value", value)
    tl.device_assert(value < 2, "too much")
speak[(1,)](torch.arange(COUNT, dtype=torch.int32, device='musa'), N=COUNT, debug=True)
torch.musa.synchronize()
'''


@pytest.mark.parametrize('count', [2, 4])
def test_print_and_assert(tmp_path, count):
    script = tmp_path / 'speak.py'
    script.write_text(_SPEAKING.replace('COUNT', str(count)))
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=300)
    assert 'pid (0, 0, 0) idx (1) value: 1' in run.stdout
    if count == 2:
        assert run.returncode == 0, run.stderr
    else:
        assert run.returncode != 0 and 'too much' in run.stderr and 'speak.py:7' in run.stderr
