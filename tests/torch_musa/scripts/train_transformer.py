"""A small language model by FSDP2; rank 0 prints the losses. CHECKPOINT is a folder."""
import os

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.RMSNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(approximate='tanh'), nn.Linear(2 * width, width))
        self.heads = heads

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in self.qkv(self.norm1(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.norm2(x))


class Model(nn.Module):
    def __init__(self, words=50, width=32, layers=2, heads=4, length=12):
        super().__init__()
        self.embedding, self.position = nn.Embedding(words, width), nn.Parameter(torch.randn(length, width) * 0.02)
        self.layers = nn.ModuleList([Layer(width, heads) for _ in range(layers)])
        self.head = nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        x = self.embedding(tokens) + self.position
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False) if self.training else layer(x)
        return self.head(x)


def step(model, tokens):
    return F.cross_entropy(model(tokens).flatten(0, 1)[:-1].float(), tokens.flatten()[1:])


def main():
    local = int(os.environ['LOCAL_RANK'])
    torch.cuda.set_device(local)
    dist.init_process_group('nccl', device_id=torch.device('cuda', local))
    rank, world = dist.get_rank(), dist.get_world_size()
    device = torch.device('cuda', torch.cuda.current_device())
    mesh = init_device_mesh('cuda', (world,), mesh_dim_names=('dp',))
    torch.manual_seed(3)
    with torch.device('meta'):
        model = Model()
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    for layer in model.layers:
        fully_shard(layer, mesh=mesh, mp_policy=policy)
    fully_shard(model, mesh=mesh, mp_policy=policy)
    model.to_empty(device='cuda')
    with torch.no_grad():
        nn.init.normal_(model.position, std=0.02)
    for module in model.modules():
        if hasattr(module, 'reset_parameters'):
            module.reset_parameters()
    parts = model.embedding.weight.full_tensor().chunk(world)
    assert not torch.equal(parts[0], parts[1])  # each rank draws its own
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2, fused=True)
    data = torch.randint(50, (64, 12), generator=torch.Generator().manual_seed(5))
    sampler = DistributedSampler(TensorDataset(data), world, rank, shuffle=True, seed=0)
    loader = DataLoader(TensorDataset(data), 4, sampler=sampler, pin_memory=True)
    losses = []
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for index, (tokens,) in enumerate(loader):
            model.set_requires_gradient_sync(index % 2 == 1)
            loss = step(model, tokens.to(device, non_blocking=True)) / 2
            loss.backward()
            if index % 2 == 1:
                norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
                shown = loss.detach().clone()
                dist.all_reduce(shown, op=dist.ReduceOp.AVG)
                losses.append(shown.item() * 2)
    folder = os.environ['CHECKPOINT']
    weights, state = get_state_dict(model, optimizer)
    dcp.save({'model': weights, 'optimizer': state}, checkpoint_id=folder)
    dist.barrier()
    before = {name: value.full_tensor().clone() for name, value in model.state_dict().items()}
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    weights, state = get_state_dict(model, optimizer)
    dcp.load({'model': weights, 'optimizer': state}, checkpoint_id=folder)
    set_state_dict(model, optimizer, model_state_dict=weights, optim_state_dict=state)
    for name, value in model.state_dict().items():
        assert torch.equal(value.full_tensor(), before[name]), name
    assert torch.isfinite(norm.full_tensor())
    if rank == 0:
        print('losses', losses, flush=True)
    dist.destroy_process_group()


if __name__ == '__main__':
    main()
