"""What torch.distributed builds on the backend: meshes, tensor and pipeline parallel, object collectives, coalescing, splits; on four ranks."""
import pytest
import torch
import torch.distributed as dist
from test_distributed import WORLD, data, spawn, train


def mesh(rank, device):
    from torch.distributed.device_mesh import init_device_mesh
    grid = init_device_mesh('musa', (2, 2), mesh_dim_names=('dp', 'tp'))
    assert tuple(grid.get_coordinate()) == (rank // 2, rank % 2) and grid.size(1) == 2
    x = torch.full((2,), float(rank), device=device)
    dist.all_reduce(x, group=grid.get_group('tp'))
    assert x[0].item() == (1 if rank < 2 else 5)
    y = torch.full((2,), float(rank), device=device)
    dist.all_reduce(y, group=grid.get_group('dp'))
    assert y[0].item() == (2 if rank % 2 == 0 else 4)


def tensors(rank, device):
    from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor, init_device_mesh
    line = init_device_mesh('musa', (WORLD,))
    torch.manual_seed(0)
    a, b = torch.randn(8, 12), torch.randn(12, 4)
    left, right = distribute_tensor(a.to(device), line, [Shard(1)]), distribute_tensor(b.to(device), line, [Shard(0)])
    assert isinstance(left, DTensor) and left.to_local().shape == (8, 3)
    product = left @ right
    torch.testing.assert_close(product.full_tensor().cpu(), a @ b)
    torch.testing.assert_close(left.redistribute(line, [Shard(0)]).to_local().cpu(), a[2 * rank:2 * rank + 2])
    torch.testing.assert_close(left.redistribute(line, [Replicate()]).to_local().cpu(), a)


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(16, 32), torch.nn.Linear(32, 16)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))


def blocks():
    torch.manual_seed(0)
    return torch.nn.Sequential(*(Block() for _ in range(WORLD)))


def tensor_parallel(rank, device):
    """Columns, then rows: after 20 steps as one process on the CPU."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
    line = init_device_mesh('musa', (WORLD,))
    net = blocks().to(device)
    parallelize_module(net, line, {f'{i}.{name}': style for i in range(WORLD) for name, style in (('up', ColwiseParallel()), ('down', RowwiseParallel()))})
    assert net[0].up.weight.to_local().shape == (8, 16)
    inputs, targets = data()
    train(net, inputs.to(device), targets.to(device))
    expected = blocks()
    train(expected, inputs, targets)
    for ours, theirs in zip(net.parameters(), expected.parameters()):
        assert (ours.full_tensor().detach().cpu() - theirs).abs().max() < 1e-5


def pipeline(rank, device):
    """A stage of the model on each rank, micro-batches by GPipe: gradients as of one process."""
    from torch.distributed.pipelining import PipelineStage, ScheduleGPipe
    whole = blocks()
    stage = PipelineStage(whole[rank].to(device), rank, WORLD, device)
    schedule = ScheduleGPipe(stage, 4, loss_fn=lambda output, target: (output - target).square().mean())
    inputs, targets = (part.to(device) for part in data())
    losses = []
    if rank == 0:
        schedule.step(inputs)
    elif rank == WORLD - 1:
        schedule.step(target=targets, losses=losses)
    else:
        schedule.step()
    expected = blocks()
    loss = (expected(data()[0]) - data()[1]).square().mean()
    loss.backward()
    for ours, theirs in zip(stage.submod.parameters(), expected[rank].parameters()):
        torch.testing.assert_close(ours.grad.cpu(), theirs.grad, rtol=1e-4, atol=1e-6)
    if losses:
        torch.testing.assert_close(torch.stack(losses).mean().cpu(), loss.detach())


def objects(rank, device):
    words = [f'of rank {i}' for i in range(WORLD)] if rank == 1 else [None] * WORLD
    dist.broadcast_object_list(words, src=1, device=device)
    assert words[3] == 'of rank 3'
    mine = [None]
    dist.scatter_object_list(mine, [{'to': i} for i in range(WORLD)] if rank == 0 else None, src=0)
    assert mine == [{'to': rank}]
    gathered = [None] * WORLD if rank == 2 else None
    dist.gather_object((rank, 'x' * rank), gathered, dst=2)
    assert rank != 2 or gathered[3] == (3, 'xxx')
    if rank == 0:
        dist.send_object_list([1, 'two'], dst=1, device=device)
    if rank == 1:
        received = [None, None]
        dist.recv_object_list(received, src=0, device=device)
        assert received == [1, 'two']


def coalesced(rank, device):
    with dist._coalescing_manager(device=device, async_ops=True) as manager:
        first, second = torch.full((3,), float(rank), device=device), torch.full((2,), 2.0 * rank, device=device)
        dist.all_reduce(first)
        dist.all_reduce(second)
    manager.wait()
    assert first[0].item() == 6 and second[1].item() == 12
    parts = [torch.zeros(2 * WORLD, device=device) for _ in range(2)]
    with dist._coalescing_manager(device=device):
        for i, part in enumerate(parts):
            dist.all_gather_into_tensor(part, torch.full((2,), float(10 * i + rank), device=device))
    assert parts[1].tolist() == [10.0 + i // 2 for i in range(2 * WORLD)]


def splits(rank, device):
    evens, odds = dist.new_group([0, 2]), dist.new_group([1, 3])
    x = torch.full((1,), float(rank), device=device)
    dist.all_reduce(x, group=evens if rank % 2 == 0 else odds)
    assert x.item() == (2 if rank % 2 == 0 else 4)
    group, groups = dist.new_subgroups(2)
    dist.broadcast(x, src=rank // 2 * 2, group=group)
    assert len(groups) == 2 and x.item() == 2
    sizes = [i + 1 for i in range(WORLD)]
    sent = torch.cat([torch.full((rank + 1,), float(rank), device=device) for _ in range(WORLD)])
    received = torch.zeros(sum(sizes), device=device)
    dist.all_to_all_single(received, sent, output_split_sizes=sizes, input_split_sizes=[rank + 1] * WORLD)
    assert received.tolist() == [float(i) for i in range(WORLD) for _ in range(i + 1)]


def batch_norm(rank, device):
    """Parts of different sizes, as one batch on the CPU."""
    torch.manual_seed(2)
    whole, begin, end = torch.randn(10, 3, 4, requires_grad=True), rank * (rank + 1) // 2, (rank + 1) * (rank + 2) // 2
    expected = torch.nn.BatchNorm1d(3)
    torch.nn.init.normal_(expected.weight)
    net = torch.nn.BatchNorm1d(3)
    net.load_state_dict(expected.state_dict())
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.SyncBatchNorm.convert_sync_batchnorm(net).to(device), device_ids=[rank])
    part = whole.detach()[begin:end].to(device).requires_grad_()
    factors = torch.randn(10, 3, 4)
    ours, theirs = net(part), expected(whole)
    torch.testing.assert_close(ours.cpu(), theirs[begin:end], rtol=1e-4, atol=1e-5)
    (ours * factors[begin:end].to(device)).sum().backward()
    (theirs * factors).sum().backward()
    torch.testing.assert_close(part.grad.cpu(), whole.grad[begin:end], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(net.module.running_var.cpu(), expected.running_var)
    torch.testing.assert_close(net.module.weight.grad.cpu() * WORLD, expected.weight.grad, rtol=1e-4, atol=1e-5)


def barrier_before_all_else(rank, device):
    torch.musa.set_device(0)  # as in a program that chooses none: each rank takes the device of its number
    dist.barrier()
    torch.musa.set_device(rank)
    x = torch.ones(1, device=device)
    dist.all_reduce(x)
    assert x.item() == WORLD


def functional(rank, device):
    import torch.distributed._functional_collectives as collectives
    x = torch.full((WORLD,), float(rank), device=device)
    assert collectives.all_reduce(x, 'sum', dist.group.WORLD)[0].item() == 6
    assert collectives.all_gather_tensor(x[:1], 0, dist.group.WORLD).tolist() == [0.0, 1.0, 2.0, 3.0]
    assert collectives.reduce_scatter_tensor(x, 'avg', 0, dist.group.WORLD).tolist() == [1.5]


@pytest.mark.parametrize('body', [mesh, tensors, tensor_parallel, pipeline, objects, coalesced, splits, batch_norm, barrier_before_all_else, functional])
def test_four_ranks(body):
    spawn(body)
