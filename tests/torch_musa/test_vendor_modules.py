"""What public code asks of the vendor's torch_musa by its own names, torchada first: torch.musa is its torch_musa, with torch_musa.core."""
import copy
import pickle

import pytest
import torch


def test_modules_are_where_the_vendors_are():
    import torch_musa
    from torch_musa.core._utils import _get_musa_arch, _get_musa_device_index
    from torch_musa.core.device import Device, current_device
    from torch_musa.core.memory import memory_allocated
    assert torch.musa.core is torch_musa.core and torch.musa.streams is torch_musa.core.stream
    for name in ('_lazy_init', 'device', 'memory', 'random', 'stream'):
        assert hasattr(torch.musa.core, name), name
    assert torch.musa.StreamContext.__module__ == 'torch_musa.core.stream'
    assert torch.musa.__version__ == torch_musa.__version__ == torch.__version__.split('+')[0] + '+musa5.2.0'
    assert _get_musa_arch() in (21, 22, 31) and memory_allocated(0) >= 0
    with Device(2):
        assert current_device() == 2 == _get_musa_device_index(None) == _get_musa_device_index('musa')
        assert _get_musa_device_index(torch.device('musa'), optional=True) == 2
    assert _get_musa_device_index('musa:3') == 3 == _get_musa_device_index(torch.musa.device(3)) == _get_musa_device_index(3)
    assert _get_musa_device_index('cpu', allow_cpu=True) == -1
    for device, words in (('cpu', 'Expected a musa device'), (torch.device('musa'), 'with a specified index')):
        with pytest.raises(ValueError, match=words):
            _get_musa_device_index(device)


def test_settings_of_products_are_an_object_of_their_own():
    ours, others = torch.backends.musa.matmul, torch.backends.cuda.matmul
    assert type(ours) is not type(others)  # torchada replaces what the class of `others` has by what `ours` has
    before = ours.allow_tf32
    ours.allow_tf32 = not before
    assert ours.allow_tf32 == others.allow_tf32 == (not before)
    others.allow_tf32 = before
    assert ours.allow_tf32 == before
    with pytest.raises((AttributeError, AssertionError)):
        ours.no_such_setting


def test_devices_can_be_exchanged():
    assert (torch.musa._exchange_device(3), torch.musa._maybe_exchange_device(1), torch.musa._exchange_device(-1)) == (0, 3, -1)
    assert (torch.musa.current_device(), torch.musa._exchange_device(0)) == (1, 1)


@pytest.mark.parametrize('copied', [copy.deepcopy, lambda generator: pickle.loads(pickle.dumps(generator))])
def test_generators_can_be_copied(copied):
    generator = torch.Generator(device='musa:1').manual_seed(42)
    torch.rand(3, device='musa:1', generator=generator)
    other = copied(generator)
    assert (other.device, other.initial_seed()) == (torch.device('musa:1'), 42)
    assert torch.equal(torch.rand(9, device='musa:1', generator=generator), torch.rand(9, device='musa:1', generator=other))
    assert torch.equal(torch.rand(3, generator=copied(torch.Generator().manual_seed(1))), torch.rand(3, generator=torch.Generator().manual_seed(1)))


@pytest.mark.skipif('dtype' not in torch.ops.aten.mm.overloads(), reason='this PyTorch has no out_dtype')
@pytest.mark.parametrize('dtype', [torch.float16, torch.bfloat16])
def test_products_come_out_in_single_precision(dtype):
    # Whole numbers, so that sums are exact; most are beyond what the narrow types tell apart.
    a, b, c = (torch.randint(-9, 10, size).to(dtype) for size in ((2, 5, 300), (2, 300, 4), (2, 5, 4)))
    x, y, z, single = a.musa(), b.musa(), c.musa(), torch.float32
    torch.testing.assert_close(torch.mm(x[0], y[0], out_dtype=single).cpu(), a[0].float() @ b[0].float())
    torch.testing.assert_close(torch.bmm(x, y, out_dtype=single).cpu(), a.float() @ b.float())
    torch.testing.assert_close(torch.addmm(z[0], x[0], y[0], out_dtype=single, beta=2).cpu(), 2 * c[0].float() + a[0].float() @ b[0].float())
    torch.testing.assert_close(torch.baddbmm(z, x, y, out_dtype=single, alpha=3).cpu(), c.float() + 3 * (a.float() @ b.float()))
    out = torch.empty(5, 4, device='musa')
    assert torch.mm(x[0], y[0], out_dtype=single, out=out) is out
    torch.testing.assert_close(out.cpu(), a[0].float() @ b[0].float())
    with pytest.raises(RuntimeError, match='out_dtype must be the same'):
        torch.mm(x[0], y[0], out_dtype=torch.float64)


def test_graphs_are_drawn_and_kept(tmp_path, capfd):
    given = torch.zeros(4, device='musa')
    drawn, kept, plain = torch.musa.MUSAGraph(), torch.musa.MUSAGraph(keep_graph=True), torch.musa.MUSAGraph()
    drawn.enable_debug_mode()
    results = []
    for graph in (drawn, kept, plain):
        with torch.musa.graph(graph):
            results.append(given + 1)
    drawn.debug_dump(str(tmp_path / 'graph.dot'))
    assert (tmp_path / 'graph.dot').read_text().startswith('digraph')
    drawn.debug_dump(str(tmp_path / 'again.dot'))
    assert 'debug not enabled' in capfd.readouterr().err and not (tmp_path / 'again.dot').exists()
    assert kept.raw_cuda_graph() != 0
    with pytest.raises(RuntimeError, match='until instantiate'):
        kept.raw_cuda_graph_exec()
    kept.instantiate()
    assert kept.raw_cuda_graph_exec() != 0
    with pytest.raises(RuntimeError, match='keep_graph=true'):
        plain.raw_cuda_graph()
    given.fill_(5)
    for graph, result in zip((drawn, kept, plain), results):
        graph.replay()
        assert result.tolist() == [6.0] * 4


def test_pools_of_memory():
    with torch.musa.device(1):
        pool, other = torch.musa.MemPool(), torch.musa.MemPool()
        assert pool.id != other.id and pool.use_count() == 1 and pool.allocator is None
        with torch.musa.use_mem_pool(pool):
            assert pool.use_count() == 2
            first = torch.empty(1 << 21, device='musa')
        assert pool.use_count() == 1
        place = first.data_ptr()
        del first
        outside = torch.empty(1 << 21, device='musa')  # a free block of the pool is not for others
        with torch.musa.use_mem_pool(other, 1):
            apart = torch.empty(1 << 21, device='musa')
        with torch.musa.use_mem_pool(pool):
            again = torch.empty(1 << 21, device='musa')
            with pytest.raises(RuntimeError, match='allocated to this pool already'):
                torch.musa.memory._cuda_beginAllocateCurrentThreadToPool(1, pool.id)
        (segment,), (theirs,) = pool.snapshot(), other.snapshot()
        assert segment['address'] <= place < segment['address'] + segment['total_size'] and theirs['address'] != segment['address']
        assert len(torch.musa.memory_snapshot()) > 2 and segment['device'] == 1
        assert again.data_ptr() == place and len({place, outside.data_ptr(), apart.data_ptr()}) == 3
        graph = torch.musa.MUSAGraph()
        with torch.musa.graph(graph, pool=pool.id, stream=torch.musa.Stream()):
            result = again[:4] * 0 + 1
        graph.replay()
        assert pool.use_count() == 2 and result.tolist() == [1.0] * 4
        del graph
        assert pool.use_count() == 1
        reserved = torch.musa.memory_reserved()
        del pool, other, again, apart, result
        torch.musa.empty_cache()
        assert torch.musa.memory_reserved() < reserved
    with pytest.raises(NotImplementedError, match='no allocator of their own'):
        torch.musa.MemPool(use_on_oom=True)
    assert torch.musa.is_tf32_supported() == (torch.musa.get_device_capability() >= (2, 2))
