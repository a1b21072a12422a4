"""The backend mccl: collectives, groups, DDP, FSDP2, timeouts."""
import os
import re
import socket
import subprocess
import sys
import textwrap

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp

WORLD = 4


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def enter(rank, port, body):
    os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT=str(port))
    torch.musa.set_device(rank)
    dist.init_process_group('mccl', rank=rank, world_size=WORLD)
    body(rank, torch.device('musa', rank))
    dist.destroy_process_group()


def spawn(body):
    mp.spawn(enter, (free_port(), body), nprocs=WORLD)


def collectives(rank, device):
    n = WORLD
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.int64, torch.uint8):
        x = torch.full((5,), rank + 1, dtype=dtype, device=device)
        dist.all_reduce(x)
        assert x[4].item() == n * (n + 1) / 2
    for op, result in ((dist.ReduceOp.MAX, n), (dist.ReduceOp.MIN, 1), (dist.ReduceOp.PRODUCT, 24), (dist.ReduceOp.AVG, 2.5)):
        x = torch.full((3,), float(rank + 1), device=device)
        dist.all_reduce(x, op)
        assert x[0].item() == result
    with pytest.raises(ValueError, match='Cannot use ReduceOp.BAND with MCCL'):
        dist.all_reduce(torch.ones(1, dtype=torch.int32, device=device), dist.ReduceOp.BAND)
    x = torch.full((2,), float(rank), device=device)
    dist.broadcast(x, 2)
    assert x[0] == 2
    dist.reduce(x, 1)
    assert rank != 1 or x[0] == 2 * n
    mine = torch.full((2,), float(rank), device=device)
    parts = [torch.zeros(2, device=device) for _ in range(n)]
    dist.all_gather(parts, mine)
    assert [part[1].item() for part in parts] == list(range(n))
    whole = torch.zeros(2 * n, device=device)
    dist.all_gather_into_tensor(whole, mine)
    assert whole.tolist() == [float(i // 2) for i in range(2 * n)]
    out = torch.zeros(2, device=device)
    dist.reduce_scatter_tensor(out, whole)
    assert out[0] == n * rank
    dist.reduce_scatter(out, [torch.full((2,), float(i), device=device) for i in range(n)])
    assert out[0] == n * rank
    dist.gather(mine, parts if rank == 3 else None, dst=3)
    assert rank != 3 or parts[2][0] == 2
    dist.scatter(out, [torch.full((2,), 5.0 + i, device=device) for i in range(n)] if rank == 0 else None, src=0)
    assert out[0] == 5 + rank
    exchanged = torch.zeros(n, device=device)
    dist.all_to_all_single(exchanged, torch.arange(n, dtype=torch.float32, device=device) + 10 * rank)
    assert exchanged.tolist() == [10.0 * i + rank for i in range(n)]
    dist.all_to_all(parts, [torch.full((2,), float(10 * rank + i), device=device) for i in range(n)])
    assert [part[0].item() for part in parts] == [10.0 * i + rank for i in range(n)]
    objects = [None] * n
    dist.all_gather_object(objects, {'rank': rank})
    assert objects[3] == {'rank': 3}


def points(rank, device):
    to, of = (rank + 1) % WORLD, (rank - 1) % WORLD
    x, y = torch.full((4,), float(rank), device=device), torch.zeros(4, device=device)
    works = dist.batch_isend_irecv([dist.P2POp(dist.isend, x, to), dist.P2POp(dist.irecv, y, of)])
    for work in works:
        work.wait()
    assert y[0].item() == of
    work = dist.all_reduce(x, async_op=True)
    work.get_future().then(lambda future: future.value()[0] * 2).wait()
    assert work.wait() and work.is_completed() in (True, False) and x[0].item() == 6
    group = dist.new_group([0, 1])
    if rank < 2:
        z = torch.ones(1, device=device)
        dist.all_reduce(z, group=group)
        assert z.item() == 2
    with pytest.raises((RuntimeError, ValueError)):
        dist.all_reduce(torch.ones(1))
    dist.barrier()


def pairs(rank, device):
    """Two ranks that talk need no third, before the group's first collective as well as after it."""
    for value in (7.0, 8.0):
        if rank == 1:
            dist.send(torch.full((3,), value, device=device), 3)
        if rank == 3:
            x = torch.zeros(3, device=device)
            dist.recv(x, 1)
            assert x.tolist() == [value] * 3
        dist.barrier()


def profiled(rank, device):
    x = torch.ones(3, device=device)
    with torch.profiler.profile() as profile:
        dist.all_reduce(x)
        dist.send(x, rank ^ 1) if rank % 2 else dist.recv(x, rank ^ 1)
    names = [event.name for event in profile.events()]
    assert names.count('mccl:all_reduce') == 1 and names.count(f'mccl:send {rank}->{rank ^ 1}' if rank % 2 else f'mccl:recv {rank}<-{rank ^ 1}') == 1
    assert 'record_param_comms' in names
    with torch.autograd.profiler.profile(use_device='musa') as profile:
        torch.rand(300, 300, device=device) @ torch.rand(300, 300, device=device)
    multiplied = next(event for event in profile.function_events if event.name == 'aten::mm')
    assert multiplied.device_time > 0 and multiplied.cpu_time > 0


def options(rank, device):
    made = dist.ProcessGroupMCCL.Options(is_high_priority_stream=True)
    group = dist.new_group([0, 2], pg_options=made)
    if rank in (0, 2):
        assert dist.get_process_group_ranks(group) == [0, 2] and list(made.global_ranks_in_group) == [0, 2]
        x = torch.ones(1, device=device)
        dist.all_reduce(x, group=group)
        assert x.item() == 2
    with pytest.raises(TypeError, match='ProcessGroupMCCL.Options'):
        dist.new_group([0, 1, 2, 3], pg_options=dist.ProcessGroupGloo._Options())


def model():
    torch.manual_seed(0)
    return torch.nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)


def train(net, inputs, targets, steps=20):
    optimizer = torch.optim.SGD(net.parameters(), 0.05)
    for _ in range(steps):
        optimizer.zero_grad()
        (net(inputs) - targets).square().mean().backward()
        optimizer.step()


def data():
    torch.manual_seed(1)
    return torch.randn(8, 5, 16), torch.randn(8, 5, 16)


def compare(parameters):
    expected = model()
    train(expected, *data())
    for ours, theirs in zip(parameters, expected.parameters()):
        assert (ours.detach().cpu() - theirs).abs().max() < 1e-5


def ddp(rank, device):
    net = torch.nn.parallel.DistributedDataParallel(model().to(device), device_ids=[rank])
    inputs, targets = (part[2 * rank:2 * rank + 2].to(device) for part in data())
    train(net, inputs, targets)
    compare(net.module.parameters())


def fsdp(rank, device):
    from torch.distributed.fsdp import fully_shard
    net = model().to(device)
    fully_shard(net)
    inputs, targets = (part[2 * rank:2 * rank + 2].to(device) for part in data())
    train(net, inputs, targets)
    compare([parameter.full_tensor() for parameter in net.parameters()])


@pytest.mark.parametrize('body', [pytest.param(collectives, marks=pytest.mark.core), points, pairs, profiled, options, pytest.param(ddp, marks=pytest.mark.core), fsdp])
def test_four_ranks(body):
    spawn(body)


def test_torchrun(tmp_path):
    script = tmp_path / 'run.py'
    script.write_text(textwrap.dedent('''
        import os, torch, torch.distributed as dist
        dist.init_process_group('mccl')
        rank = int(os.environ['LOCAL_RANK'])
        torch.musa.set_device(rank)
        x = torch.ones(3, device='musa') * rank
        dist.all_reduce(x)
        print(f'rank {rank}: {x[0].item()}')
        dist.destroy_process_group()
    '''))
    result = subprocess.run([sys.executable, '-m', 'torch.distributed.run', '--nproc-per-node', '4', '--master-port', str(free_port()), str(script)],
                            capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr[-2000:]
    assert sorted(re.findall(r'rank \d: 6\.0', result.stdout)) == [f'rank {i}: 6.0' for i in range(4)]


def test_a_rank_that_does_not_come_is_named(tmp_path):
    script = tmp_path / 'late.py'
    script.write_text(textwrap.dedent('''
        import datetime, os, sys, time, torch, torch.distributed as dist
        rank = int(os.environ['RANK'])
        torch.musa.set_device(rank)
        dist.init_process_group('mccl', timeout=datetime.timedelta(seconds=3))
        x = torch.ones(1, device='musa')
        dist.all_reduce(x)
        torch.musa.synchronize()
        if rank == 1:
            time.sleep(8)
            os._exit(0)
        try:
            dist.all_reduce(x, async_op=True).wait(datetime.timedelta(seconds=6))
        except Exception as error:
            print(f'{type(error).__name__}: {error}')
            sys.stdout.flush()
            time.sleep(4 if rank == 0 else 0)  # it holds the store
            os._exit(0)
        os._exit(1)
    '''))
    port = free_port()
    ranks = [subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, 'RANK': str(rank), 'WORLD_SIZE': '3', 'MASTER_ADDR': '127.0.0.1', 'MASTER_PORT': str(port)})
             for rank in range(3)]
    said = [rank.communicate(timeout=60) for rank in ranks]
    for rank in (0, 2):
        assert 'Ranks that did not come: 1' in said[rank][0] + said[rank][1], said[rank]
        assert 'DistBackendError' in said[rank][0], said[rank]
