"""torch.musa: devices, tensors, memory, streams, random numbers, autocast, modules."""
import io
import os
import subprocess
import sys

import pytest
import torch

pytestmark = pytest.mark.core


def same(ours, theirs, **tolerance):
    torch.testing.assert_close(ours.cpu(), theirs, **tolerance)


def test_is_loaded_with_torch():
    assert torch.musa.is_available() and torch.musa.device_count() == 4
    assert torch.device('musa').type == 'musa' and torch.accelerator.current_accelerator().type == 'musa'
    assert torch.musa.get_device_properties(0).warp_size in (32, 128)
    assert 'MTT' in torch.musa.get_device_name()
    assert torch.version.musa.count('.') == 1


def test_backends():
    mudnn = torch.backends.mudnn
    assert torch.backends.musa.is_built() and mudnn.is_available() and mudnn.version() >= 90000
    for name in ('enabled', 'benchmark', 'deterministic', 'allow_tf32'):
        before = getattr(mudnn, name)
        setattr(mudnn, name, not before)
        assert getattr(mudnn, name) is not before and getattr(torch.backends.cudnn, name) is not before
        setattr(mudnn, name, before)
    before = mudnn.allow_tf32, mudnn.benchmark
    with mudnn.flags(allow_tf32=False, benchmark=not before[1]):
        assert mudnn.allow_tf32 is False and mudnn.benchmark is not before[1]
    assert (mudnn.allow_tf32, mudnn.benchmark) == before
    assert mudnn.set_flags(not before[0])[0] == before[0] and mudnn.allow_tf32 is not before[0]
    mudnn.set_flags(before[0])
    assert mudnn.is_acceptable(torch.ones(1, device='musa')) and not mudnn.is_acceptable(torch.ones(1))
    torch.backends.musa.matmul.allow_tf32 = True
    assert torch.backends.cuda.matmul.allow_tf32
    torch.backends.musa.matmul.allow_tf32 = False
    assert isinstance(torch.backends.musa.flash_sdp_enabled(), bool)
    with pytest.raises(AttributeError, match='nothing_like_it'):
        torch.backends.musa.nothing_like_it


def test_devices():
    with torch.musa.device(2):
        assert torch.musa.current_device() == 2 and torch.ones(1, device='musa').get_device() == 2
    assert torch.musa.current_device() == 0
    with pytest.raises(RuntimeError, match='invalid device ordinal'):
        torch.ones(1, device='musa:9')
    with pytest.raises(AssertionError, match='Invalid device id'):
        torch.musa.get_device_properties(9)
    with pytest.raises(ValueError, match='Expected a musa device'):
        torch.musa.set_device('cpu')
    with torch.musa.device_of(torch.ones(1, device='musa:3')):
        assert torch.musa.current_device() == 3


@pytest.mark.parametrize('make', [
    lambda x: x @ x.t() + 1, lambda x: x.softmax(1).log(), lambda x: x[1:, ::2].contiguous(), lambda x: x.sort(1)[0],
    lambda x: torch.cat([x, x.flip(0)]), lambda x: x.masked_fill(x > 0, 0).sum(0), lambda x: torch.einsum('ij,kj->ik', x, x),
    lambda x: x.view(2, -1).transpose(0, 1).reshape(-1), lambda x: torch.where(x > 0, x, -x).cumsum(1), lambda x: x.unfold(1, 2, 1),
    lambda x: torch.linalg.svdvals(x), lambda x: torch.fft.rfft(x).abs(), lambda x: x.topk(2)[1], lambda x: x.var(1),
    lambda x: torch.nn.functional.conv1d(x[None], torch.ones(2, 4, 3).to(x)), lambda x: x.index_select(0, torch.tensor([1, 3]).to(x.device))])
def test_operators(make):
    x = torch.randn(4, 6)
    same(make(x.musa()), make(x))


def test_in_place_out_and_views():
    x, y = torch.randn(3, 4), torch.randn(3, 4)
    ours = x.musa()
    view = ours[1]
    view.add_(1)
    ours.mul_(2)
    same(ours, torch.cat([x[:1], x[1:2] + 1, x[2:]]) * 2)
    assert view.data_ptr() == ours.data_ptr() + 16
    out = torch.empty(0, device='musa')
    torch.add(x.musa(), y.musa(), out=out)
    same(out, x + y)
    ours[torch.tensor([0, 2])] = 7  # indices of the CPU
    assert ours[2, 3].item() == 7
    ours.resize_(5, 4)
    assert ours.shape == (5, 4)


def test_torchscript():
    """Its lists of indices are of a type of its own."""
    @torch.jit.script
    def chosen(x, row, column):
        return torch.cat([x[row], x[row, column].unsqueeze(1)], 1)

    x, row, column = torch.randn(4, 3), torch.tensor([3, 0]), torch.tensor([1, 2])
    for _ in range(3):  # it is made anew when it has seen its arguments
        same(chosen(x.musa(), row.musa(), column.musa()), chosen(x, row, column))


def test_results_that_are_resized():
    x = torch.randn(3, 5)[:, 0]
    for _ in range(5):
        values, places = torch.tensor(0.0, device='musa'), torch.tensor(0, device='musa')
        torch.sort(x.musa(), out=(values, places))
        same(values, x.sort()[0])
        same(places, x.sort()[1])


def test_gradients():
    def loss(x, w):
        return torch.nn.functional.gelu(x @ w).pow(2).mean()
    x, w = torch.randn(5, 4), torch.randn(4, 3, requires_grad=True)
    loss(x, w).backward()
    ours = w.detach().musa().requires_grad_()
    loss(x.musa(), ours).backward()
    same(ours.grad, w.grad)


@pytest.mark.parametrize('kind', [lambda: torch.nn.LSTM(4, 6, 2), lambda: torch.nn.GRU(4, 6), lambda: torch.nn.MultiheadAttention(4, 2),
                                  lambda: torch.nn.Sequential(torch.nn.Conv1d(3, 4, 2), torch.nn.BatchNorm1d(4), torch.nn.Linear(3, 2))])
def test_modules(kind):
    torch.manual_seed(0)
    module = kind()
    x = torch.randn(5, 3, 4)
    arguments = (x, x, x) if isinstance(module, torch.nn.MultiheadAttention) else (x,)

    def run(model, inputs):
        result = model(*inputs)
        result = result[0] if isinstance(result, tuple) else result
        result.square().sum().backward()
        gradients = [p.grad.cpu().clone() for p in model.parameters()]
        model.zero_grad()
        return result.detach(), gradients
    expected, gradients = run(module, arguments)
    module.musa()
    result, ours = run(module, [a.musa() for a in arguments])
    same(result, expected, rtol=1e-4, atol=1e-5)
    for one, other in zip(ours, gradients):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-4)


def test_wrong_devices_are_refused():
    with pytest.raises(RuntimeError, match='found at least two devices, musa:0 and cpu'):
        torch.ones(3, device='musa') + torch.ones(3)
    with pytest.raises(RuntimeError, match='found at least two devices, musa:0 and musa:1'):
        torch.ones(3, device='musa') + torch.ones(3, device='musa:1')
    same(torch.ones(3, device='musa') * torch.tensor(2.0), torch.full((3,), 2.0))


def test_indices_to_fill_are_of_the_device():
    with pytest.raises(RuntimeError, match='found at least two devices, musa:0 and cpu'):
        torch.ones(3, device='musa').index_fill_(0, torch.tensor([1]), 2.0)


def test_copies():
    x = torch.randn(100)
    there = x.to('musa:1').to('musa:2', non_blocking=True)
    assert there.get_device() == 2
    same(there, x)
    same(x.musa().to(torch.float64), x.double())
    z = torch.randn(4, dtype=torch.complex64)
    same(z.musa().conj() * 2, z.conj() * 2)
    pinned = x.pin_memory()
    assert pinned.is_pinned() and not x.is_pinned()
    same(pinned.musa(non_blocking=True), x)


def test_dlpack_shares_memory():
    x = torch.arange(6., device='musa:1').view(2, 3).t()
    assert x.__dlpack_device__() == (torch.utils.dlpack.DLDeviceType.kDLExtDev, 1)
    for y in (torch.from_dlpack(x), torch.from_dlpack(torch.utils.dlpack.to_dlpack(x))):
        assert y.device == x.device and y.data_ptr() == x.data_ptr() and y.stride() == x.stride()
        y[0, 1] += 1
    assert x[0, 1].item() == 5
    assert torch.ones(1).__dlpack_device__()[0] == torch.utils.dlpack.DLDeviceType.kDLCPU


def test_memory():
    torch.musa.empty_cache()
    before = torch.musa.memory_allocated()
    torch.musa.reset_peak_memory_stats()
    block = torch.empty(1 << 20, device='musa')
    assert torch.musa.memory_allocated() - before == 4 << 20
    del block
    assert torch.musa.memory_allocated() == before and torch.musa.max_memory_allocated() - before == 4 << 20
    assert torch.musa.memory_reserved() >= 4 << 20
    torch.musa.empty_cache()
    free, total = torch.musa.mem_get_info()
    assert 0 < free <= total
    if hasattr(torch.accelerator, 'memory_allocated'):  # from 2.9 on
        assert torch.accelerator.memory_allocated() == before
    torch.musa.set_per_process_memory_fraction(0.001)
    with pytest.raises(torch.OutOfMemoryError, match='MUSA out of memory. Tried to allocate'):
        torch.empty(total // 100, dtype=torch.uint8, device='musa')
    assert torch.musa.get_per_process_memory_fraction() == 0.001
    torch.musa.set_per_process_memory_fraction(1.0)
    with pytest.warns(FutureWarning, match='renamed'):
        assert torch.musa.memory_cached() == torch.musa.memory_reserved()


def test_streams_and_events():
    first, second = torch.musa.Event(enable_timing=True), torch.musa.Event(enable_timing=True)
    stream = torch.musa.Stream()
    with torch.musa.stream(stream):
        assert torch.musa.current_stream().stream_id == stream.stream_id
        first.record()
        x = torch.ones(10, device='musa') * 2
        second.record()
    assert torch.musa.current_stream() == torch.musa.default_stream()
    torch.musa.current_stream().wait_stream(stream)
    stream.synchronize()
    assert second.query() and first.elapsed_time(second) >= 0 and x.sum().item() == 20
    external = torch.musa.ExternalStream(stream.musa_stream)
    assert external.musa_stream == stream.musa_stream and external.priority == 0


def test_waits_are_told_of():
    x = torch.arange(4., device='musa')
    host, pinned = torch.empty(4), torch.empty(4, pin_memory=True)
    waits = [x.cpu, lambda: x[2].item(), x.nonzero, lambda: x[x > 1], lambda: torch.equal(x, x), lambda: x.copy_(host),
             torch.musa.current_stream().synchronize]
    none = [lambda: x + 1, lambda: pinned.copy_(x, non_blocking=True), lambda: x.to('musa:1'), torch.musa.synchronize]
    assert torch.musa.get_sync_debug_mode() == 0
    try:
        torch.musa.set_sync_debug_mode('warn')
        for call in waits:
            with pytest.warns(UserWarning, match='called a synchronizing MUSA operation'):
                call()
        torch.musa.set_sync_debug_mode(2)
        assert torch.musa.get_sync_debug_mode() == 2
        for call in waits:
            with pytest.raises(RuntimeError, match='called a synchronizing MUSA operation'):
                call()
        for call in none:
            call()
    finally:
        torch.musa.set_sync_debug_mode('default')
    for mode in ('loud', 3):
        with pytest.raises(RuntimeError, match='invalid value of debug_mode'):
            torch.musa.set_sync_debug_mode(mode)
    assert torch.musa.get_stream_from_external(torch.musa.Stream().musa_stream).device_index == 0


def test_random_numbers():
    torch.manual_seed(3)
    first = torch.randn(5, device='musa')
    state = torch.musa.get_rng_state()
    second = torch.rand(5, device='musa')
    torch.musa.set_rng_state(state)
    assert torch.equal(torch.rand(5, device='musa'), second)
    torch.musa.manual_seed_all(3)
    assert torch.equal(torch.randn(5, device='musa'), first)
    generator = torch.Generator('musa').manual_seed(3)
    assert torch.equal(torch.randn(5, device='musa', generator=generator), first)
    sample = torch.nn.functional.dropout(torch.ones(10000, device='musa'), 0.25)
    assert abs((sample == 0).float().mean().item() - 0.25) < 0.03


def test_a_seed_comes_through_a_fork():
    """As with CUDA: seeds begin no device, and a child whose parent has begun none is as good as its parent."""
    code = """if True:
        import os, torch
        torch.manual_seed(3)
        if os.fork() == 0:
            first = torch.randn(5, device='musa')
            torch.manual_seed(3)
            print(torch.equal(torch.randn(5, device='musa'), first) and torch.equal(first.cpu(), torch.randn(5)), flush=True)
            os._exit(0)
        print(os.wait()[1], torch.musa.is_initialized())
        torch.ones(1, device='musa')
        if os.fork() == 0:
            try:
                torch.ones(1, device='musa')
            except RuntimeError as error:
                print('Cannot re-initialize MUSA in forked subprocess' in str(error), torch.musa._is_in_bad_fork(), flush=True)
            os._exit(0)
        os.wait()
    """
    result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, env=os.environ)
    assert result.stdout.split() == ['True', '0', 'False', 'True', 'True'], result.stdout + result.stderr


def test_autocast_and_scaler():
    x = torch.randn(4, 4, device='musa', requires_grad=True)
    with torch.autocast('musa', dtype=torch.bfloat16):
        assert (x @ x).dtype == torch.bfloat16 and (x @ x).softmax(0).dtype == torch.float32
    with torch.musa.amp.autocast(dtype=torch.float16):
        assert torch.nn.functional.linear(x, x).dtype == torch.float16
    optimizer = torch.optim.SGD([x], 0.1)
    scaler = torch.amp.GradScaler('musa')
    scaler.scale((x * x).sum()).backward()
    scaler.step(optimizer)
    scaler.update()


def test_save_and_load():
    x = torch.randn(3, device='musa:1')
    file = io.BytesIO()
    torch.save({'x': x}, file)
    for where, device in ((None, 'musa:1'), ('cpu', 'cpu'), ('musa:2', 'musa:2')):
        file.seek(0)
        loaded = torch.load(file, map_location=where)['x']
        assert str(loaded.device) == device
        same(loaded, x.cpu())


def test_data_loader_pins():
    loader = torch.utils.data.DataLoader(torch.arange(8.0), batch_size=4, pin_memory=True)
    assert all(batch.is_pinned() and batch.musa().is_musa for batch in loader)


def test_legacy_types():
    assert torch.musa.FloatTensor(2, 3).shape == (2, 3) and torch.musa.LongTensor([1, 2]).dtype == torch.int64


def test_what_tools_say_of_devices():
    assert 0 <= torch.musa.utilization() <= 100 and 0 <= torch.musa.memory_usage('musa:1') <= 100
    held = torch.empty(2**22, device='musa:1')
    assert torch.musa.device_memory_used(1) >= held.nbytes and torch.musa.clock_rate(1) > 100
    assert f'process {os.getpid():>10d} uses' in torch.musa.list_gpu_processes(1)
    assert 20 <= torch.musa.temperature() <= 100 and 10_000 <= torch.musa.power_draw(1) <= 1_000_000
    runtime = torch.musa.musart()
    assert runtime.musaMemGetInfo(0) == torch.musa.mem_get_info(0)
    with pytest.raises(RuntimeError, match='invalid argument'):
        torch.musa.check_error(runtime.musaHostRegister(0, 0, 0))


def test_ranges_are_in_the_trace(tmp_path):
    program = """
import torch
from torch.musa import nvtx
with torch.musa.profiler.profile():
    assert nvtx.range_push("outer") == 0 and nvtx.range_push("inner") == 1
    assert nvtx.range_pop() == 1 and nvtx.range_pop() == 0
    with nvtx.range("step {}", 3):
        torch.ones(4, device="musa").add_(1)
    nvtx.range_end(nvtx.range_start("anywhere"))
    nvtx.mark("here")
"""
    trace = tmp_path / 'trace.json'
    subprocess.run([sys.executable, '-c', program], check=True, env={**os.environ, 'MUSASHIM_TRACE_FILE': str(trace)})
    text = trace.read_text()
    assert all(f'"{name}"' in text for name in ('outer', 'inner', 'step 3', 'anywhere', 'here'))


def test_versions_outside_are_refused():
    code = "import torch; torch.__version__ = '1.13.0'; import torch_musa; torch_musa._check_version()"
    result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, env=os.environ)
    assert result.returncode != 0 and 'torch_musa is for PyTorch 2.7 to 2.15, and this is 1.13.0' in result.stderr


def test_a_module_that_moves_keeps_its_parameters():
    """As on CUDA: an optimizer that was made before has them."""
    torch.manual_seed(0)
    model = torch.nn.Linear(3, 2)
    weight = model.weight
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    model.to('musa:1')
    assert model.weight is weight and weight.device == torch.device('musa:1')
    before = weight.detach().clone()
    model(torch.ones(1, 3, device='musa:1')).sum().backward()
    optimizer.step()
    torch.testing.assert_close(weight.detach(), before - 0.5)
    assert model.cpu().weight is weight and weight.grad.device.type == 'cpu'
