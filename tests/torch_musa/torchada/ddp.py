"""DistributedDataParallel by "nccl" under torchada: ddp.py PORT"""
import json
import os
import sys

import torchada  # noqa: F401
import torch
import torch.distributed as dist
import torch.multiprocessing


def work(rank, world, port):
    os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT=port)
    torch.cuda.set_device(rank)
    dist.init_process_group('nccl', rank=rank, world_size=world)
    total = torch.full((4,), rank + 1.0, device='cuda')
    dist.all_reduce(total)
    torch.manual_seed(rank)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 2).cuda(), device_ids=[rank])
    model(torch.ones(3, 4, device='cuda') * (rank + 1)).sum().backward()
    weights = [torch.empty_like(model.module.weight) for _ in range(world)]
    dist.all_gather(weights, model.module.weight.detach())
    said = json.dumps({'rank': rank, 'total': total.tolist(), 'gradient': model.module.weight.grad[0].tolist(),
                       'alike': all(torch.equal(one, weights[0]) for one in weights)})
    os.write(1, f'{said}\n'.encode())  # at once: the other process writes to the same pipe
    dist.destroy_process_group()


if __name__ == '__main__':
    torch.multiprocessing.spawn(work, args=(2, sys.argv[1]), nprocs=2)
