"""torch.cuda under torchada: each part says what it saw, as one line of JSON."""
import json

import torchada  # noqa: F401
import torch
import torch.nn as nn


def streams():
    stream, begin, end = torch.cuda.Stream(), torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    with torch.cuda.stream(stream):
        begin.record()
        values = torch.ones(1000, device='cuda') * 2
        end.record()
    torch.cuda.current_stream().wait_stream(stream)
    end.synchronize()
    return {'sum': values.sum().item(), 'timed': begin.elapsed_time(end) >= 0, 'native': stream.cuda_stream != 0}


def training():
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler()
    x, y = torch.randn(8, 16).cuda(), torch.randint(0, 4, (8,)).cuda()
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        with torch.cuda.amp.autocast():
            out = model(x)
            loss = nn.functional.cross_entropy(out, y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    with torch.amp.autocast('cuda', dtype=torch.bfloat16):
        product = x @ x.t()
    return {'half': str(out.dtype), 'bfloat16': str(product.dtype), 'falls': losses[-1] < losses[0], 'scale': scaler.get_scale() > 1}


def graphs():
    graph, given = torch.cuda.CUDAGraph(), torch.zeros(4, device='cuda')
    with torch.cuda.graph(cuda_graph=graph):
        result = given + 1
    given.fill_(5)
    graph.replay()
    torch.cuda.synchronize()
    return result.tolist()


def rotation():
    """torchada drops what is executable of a graph, and makes it again from what was captured."""
    from torchada._cpp_ops import load_graph_rotation_ops
    tool, graph, given = load_graph_rotation_ops(), torch.cuda.CUDAGraph(), torch.zeros(4, device='cuda')
    with torch.cuda.graph(cuda_graph=graph):
        result = given + 1
    had = tool.has_exec(graph)
    tool.free_exec(graph)
    dropped = not tool.has_exec(graph)
    tool.inst_exec(graph)
    given.fill_(5)
    graph.replay()
    torch.cuda.synchronize()
    return {'had': had, 'dropped': dropped, 'result': result.tolist()}


def memory():
    held = torch.zeros(1 << 20, device='cuda')
    seen = {'held': torch.cuda.memory_allocated() >= held.nbytes, 'peak': torch.cuda.max_memory_allocated() >= held.nbytes,
            'free': 0 < torch.cuda.mem_get_info()[0] <= torch.cuda.mem_get_info()[1], 'pinned': torch.ones(3).pin_memory().is_pinned()}
    torch.cuda.empty_cache()
    return seen


def devices():
    with torch.cuda.device(1):
        current = torch.cuda.current_device()
    return {'count': torch.cuda.device_count(), 'current': current, 'second': str(torch.zeros(2, device='cuda:1').device),
            'name': torch.cuda.get_device_name(0)}


def numbers():
    torch.cuda.manual_seed(7)
    state = torch.cuda.get_rng_state()
    first = torch.rand(4, device='cuda')
    torch.cuda.set_rng_state(state)
    return torch.equal(first, torch.rand(4, device='cuda'))


def profiler():
    x = torch.ones(8, 8, device='cuda')
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]) as profile:
        (x @ x).sum().item()
    return any('aten::mm' == event.key for event in profile.key_averages())


def library():
    mine = torch.library.Library('mine', 'DEF')
    mine.define('twice(Tensor x) -> Tensor')
    mine.impl('twice', lambda x: x * 2, 'CUDA')
    return torch.ops.mine.twice(torch.ones(2, device='cuda')).tolist()


def compiled():
    """Dynamo asks torch.cuda for classes and helpers of its own; a factory's device is in the graph."""
    return torch.compile(lambda x: torch.ones(x.shape[0], device=x.device) + x.sum(), fullgraph=True)(torch.arange(3.0, device='cuda')).tolist()


def operators():
    """torchada's own, C++ and kernels, which it builds with our headers and mcc when it is imported."""
    from torchada import _cpp_ops
    module = _cpp_ops.load_cpp_ops()
    if module is None:
        return None
    pool = torch.cuda.graph_pool_handle()

    def address(inside):
        if inside:
            module._cuda_beginAllocateCurrentThreadToPool(0, pool)
        place = torch.zeros(1 << 18, device='cuda').data_ptr()
        if inside:
            module._cuda_endAllocateToPool(0, pool)
        return place

    first, outside, again = address(True), address(False), address(True)
    for _ in range(2):
        module._cuda_releasePool(0, pool)
    x = torch.tensor([1.0, 2.0, 4.0], device='cuda')
    logarithm = torch.log(x)
    torch.testing.assert_close(logarithm.cpu(), x.cpu().log())
    drawn = torch.multinomial(torch.tensor([0.0, 1.0, 0.0], device='cuda'), 5, replacement=True)
    return {'loaded': module.is_loaded(), 'pool': first == again != outside, 'drawn': drawn.tolist()}


if __name__ == '__main__':
    for part in (streams, training, graphs, rotation, memory, devices, numbers, profiler, library, compiled, operators):
        print(json.dumps({part.__name__: part()}), flush=True)
