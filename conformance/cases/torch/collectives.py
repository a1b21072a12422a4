# requires: devices>=2
"""torch.distributed with NCCL on two devices: results, what is refused, groups, objects."""
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from observing import Case

case = Case("torch.collectives")


class Rank:
    """What a rank has to say; rank 0 prints it for both at the end."""

    def __init__(self, rank):
        self.rank, self.said = rank, []
        self.here = torch.device("cuda", rank)

    def observe(self, key, value):
        self.said.append((f"{key}.rank{self.rank}", value))

    def outcome(self, key, call, message=True):
        try:
            value = call()
        except Exception as error:
            self.observe(key, type(error).__name__)
            if message:
                self.observe(f"{key}.message", str(error).split("\n")[0].split(". ")[0])
            return
        self.observe(key, "ok" if value is None else value)

    def tensor(self, *values, dtype=torch.float):
        return torch.tensor(values, dtype=dtype, device=self.here)


def collectives(r):
    rank = r.rank
    x = r.tensor(1 + rank, 10 + rank)
    for name in ("SUM", "PRODUCT", "MIN", "MAX", "AVG"):
        y = x.clone()
        dist.all_reduce(y, op=getattr(dist.ReduceOp, name))
        r.observe(f"all_reduce.{name}", y.tolist())
    for dtype in (torch.int64, torch.int32, torch.uint8, torch.int8, torch.half, torch.bfloat16, torch.double, torch.bool):
        def reduced(dtype=dtype):
            y = x.to(dtype)
            dist.all_reduce(y)
            return y.tolist()
        r.outcome(f"all_reduce.{str(dtype).removeprefix('torch.')}", reduced)
    complex_ = torch.complex(x, x)
    r.outcome("all_reduce.complex", lambda: (dist.all_reduce(complex_), complex_.tolist())[1], message=False)
    r.outcome("all_reduce.complex_max", lambda: dist.all_reduce(complex_, op=dist.ReduceOp.MAX), message=False)
    r.outcome("all_reduce.band", lambda: dist.all_reduce(x.int(), op=dist.ReduceOp.BAND))
    r.outcome("all_reduce.avg_int", lambda: (y := x.int(), dist.all_reduce(y, op=dist.ReduceOp.AVG), y.tolist())[2], message=False)
    y = x.clone()
    dist.all_reduce(y, op=dist._make_nccl_premul_sum(2.0))
    r.observe("all_reduce.premul", y.tolist())
    strided = torch.zeros(2, 2, device=r.here)
    r.outcome("all_reduce.strided", lambda: dist.all_reduce(strided[:, 0]), message=False)
    empty = torch.empty(0, device=r.here)
    r.outcome("all_reduce.empty", lambda: dist.all_reduce(empty))
    r.outcome("all_reduce.cpu", lambda: dist.all_reduce(torch.ones(1)))
    y = x.clone()
    dist.broadcast(y, src=1)
    r.observe("broadcast", y.tolist())
    y = x.clone()
    dist.reduce(y, dst=0)
    if rank == 0:
        r.observe("reduce", y.tolist())
    parts = [torch.zeros(2, device=r.here) for _ in range(2)]
    dist.all_gather(parts, x)
    r.observe("all_gather", [part.tolist() for part in parts])
    whole = torch.zeros(4, device=r.here)
    dist.all_gather_into_tensor(whole, x)
    r.observe("all_gather_into_tensor", whole.tolist())
    r.outcome("all_gather_into_tensor.size", lambda: dist.all_gather_into_tensor(torch.zeros(3, device=r.here), x))
    r.outcome("all_gather.types", lambda: dist.all_gather_into_tensor(torch.zeros(4, device=r.here, dtype=torch.int), x))
    y = torch.zeros(1, device=r.here)
    dist.reduce_scatter(y, list(x.split(1)))
    r.observe("reduce_scatter", y.tolist())
    dist.reduce_scatter_tensor(y, x)
    r.observe("reduce_scatter_tensor", y.tolist())
    y = torch.zeros(2, device=r.here)
    dist.all_to_all_single(y, x)
    r.observe("all_to_all_single", y.tolist())
    sizes = [[1, 2], [2, 1]]
    out = torch.zeros(3, device=r.here)
    dist.all_to_all_single(out, torch.arange(3.0, device=r.here) + 10 * rank,
                           output_split_sizes=[sizes[0][rank], sizes[1][rank]], input_split_sizes=sizes[rank])
    r.observe("all_to_all_single.split", out.tolist())
    got = [torch.zeros(1, device=r.here) for _ in range(2)]
    dist.all_to_all(got, list(x.split(1)))
    r.observe("all_to_all", [part.item() for part in got])
    into = [torch.zeros(2, device=r.here) for _ in range(2)] if rank == 0 else None
    dist.gather(x, into, dst=0)
    if rank == 0:
        r.observe("gather", [part.tolist() for part in into])
    y = torch.zeros(2, device=r.here)
    dist.scatter(y, [r.tensor(1, 2), r.tensor(3, 4)] if rank == 0 else None, src=0)
    r.observe("scatter", y.tolist())
    if rank == 0:
        dist.send(x, dst=1)
    else:
        y = torch.zeros(2, device=r.here)
        r.observe("recv.returns", dist.recv(y, src=0))
        r.observe("recv", y.tolist())
    y = torch.zeros(2, device=r.here)
    for work in dist.batch_isend_irecv([dist.P2POp(dist.isend, x, 1 - rank), dist.P2POp(dist.irecv, y, 1 - rank)]):
        work.wait()
    r.observe("batch", y.tolist())
    r.outcome("barrier", dist.barrier)
    r.outcome("barrier.device_ids", lambda: dist.barrier(device_ids=[rank]))
    if rank == 1:
        r.outcome("wrong_root", lambda: dist.broadcast(x, src=7), message=False)


def works(r):
    x = r.tensor(1, 2)
    work = dist.all_reduce(x, async_op=True)
    r.observe("work.wait", work.wait())
    torch.cuda.synchronize()
    r.observe("work.completed", work.is_completed())
    r.outcome("work.success", work.is_success, message=False)
    r.observe("work.result", x.tolist())
    y = r.tensor(3)
    future = dist.all_reduce(y, async_op=True).get_future()
    r.observe("future.value", [value.item() for value in future.wait()])
    then = dist.all_reduce(y, async_op=True).get_future().then(lambda done: done.value()[0] / 2)
    r.observe("future.then", then.wait().item())
    a, b = r.tensor(1), r.tensor(2)
    with dist._coalescing_manager(device=r.here):
        dist.all_reduce(a)
        dist.all_reduce(b)
    r.observe("coalesced", [a.item(), b.item()])


def groups(r):
    r.observe("backend", dist.get_backend())
    r.observe("world", dist.get_world_size())
    r.observe("initialized", dist.is_initialized())
    r.observe("available", dist.is_nccl_available())
    alone = dist.new_group([0])
    r.observe("group.rank", dist.get_rank(alone))
    r.observe("group.size", dist.get_world_size(alone))
    if r.rank == 0:
        x = r.tensor(5)
        dist.all_reduce(x, group=alone)
        r.observe("group.reduced", x.item())
    both = dist.new_group([0, 1], backend="nccl")
    x = r.tensor(1)
    dist.all_reduce(x, group=both)
    r.observe("group.both", x.item())
    r.observe("group.ranks", dist.get_process_group_ranks(both))
    objects = [None, None]
    dist.all_gather_object(objects, {"rank": r.rank})
    r.observe("objects.gathered", objects)
    one = [f"from {r.rank}"]
    dist.broadcast_object_list(one, src=1)
    r.observe("objects.broadcast", one)
    received = [None]
    dist.scatter_object_list(received, ["a", "b"] if r.rank == 0 else None, src=0)
    r.observe("objects.scattered", received)
    mesh = dist.device_mesh.init_device_mesh("cuda", (2,), mesh_dim_names=("data",))
    r.observe("mesh.type", mesh.device_type)
    r.observe("mesh.rank", mesh.get_local_rank("data"))
    dist.all_reduce(x, group=mesh.get_group())
    r.observe("mesh.reduced", x.item())
    from torch.distributed.tensor import Shard, distribute_tensor
    sharded = distribute_tensor(torch.arange(8.0, device=r.here).reshape(4, 2), mesh, [Shard(0)])
    r.observe("tensor.local", sharded.to_local().tolist())
    r.observe("tensor.sum", sharded.sum().full_tensor().item())


def parallel(r):
    torch.manual_seed(0)
    model = torch.nn.Linear(2, 1, bias=False, device=r.here)
    torch.nn.init.ones_(model.weight)
    ddp = torch.nn.parallel.DistributedDataParallel(model, device_ids=[r.rank])
    ddp(r.tensor(1 + r.rank, 2 + r.rank)[None]).sum().backward()
    r.observe("ddp.gradient", model.weight.grad.tolist())
    with ddp.no_sync():
        ddp(r.tensor(1 + r.rank, 2)[None]).sum().backward()
    r.observe("ddp.no_sync", model.weight.grad.tolist())
    r.outcome("ddp.wrong_device", lambda: torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1).to(r.here), device_ids=[r.rank, 1 - r.rank]), message=False)
    r.observe("ddp.input_moved", ddp(torch.ones(1, 2)).device.index)


def run(rank, folder):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"file://{folder}/store", rank=rank, world_size=2)
    r = Rank(rank)
    for part in (collectives, works, groups, parallel):
        part(r)
    torch.cuda.synchronize()
    others = [None, None]
    dist.all_gather_object(others, [(key, str(value)) for key, value in r.said])
    if rank == 0:
        for said in others:
            for key, value in said:
                case.observe(key, value)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(run, (folder,), 2)
    case.observe("ended", dist.is_initialized())
