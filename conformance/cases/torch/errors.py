# requires: devices>=2
"""What is refused: tensors of different devices, tensors of the CPU, generators of another device."""
import os

import torch
import torch.nn.functional as F
from observing import Case

case = Case("torch.errors")
c = torch.ones(2, 2)
x = torch.ones(2, 2, device="cuda:0")
y = torch.ones(2, 2, device="cuda:1")
index = torch.tensor([0, 1])


def in_place(target, source):
    target += source


# Two devices of a kind, and the CPU.
case.outcome("add.two_devices", lambda: x + y)
case.outcome("add.cpu", lambda: x + c)
case.outcome("add.cpu_first", lambda: c + x)
case.outcome("add.cpu_number", lambda: (x + torch.tensor(2.0)).device)
case.outcome("add.number_to_cpu", lambda: (c + torch.tensor(2.0, device="cuda")).device)
case.outcome("add.number_of_other_device", lambda: (x + torch.tensor(2.0, device="cuda:1")).device)
case.outcome("add.in_place", lambda: in_place(x, y))
case.outcome("add.in_place_cpu", lambda: in_place(c, x))
case.outcome("add.out", lambda: torch.add(x, x, out=y))
case.outcome("add.out_cpu", lambda: torch.add(x, x, out=c))
case.outcome("matmul.two_devices", lambda: x @ y)
case.outcome("matmul.cpu", lambda: x @ c)
case.outcome("matmul.shapes", lambda: x @ torch.ones(3, 2, device="cuda"))
case.outcome("matmul.types", lambda: x @ x.half())
case.outcome("cat.two_devices", lambda: torch.cat([x, y]))
case.outcome("cat.cpu", lambda: torch.cat([x, c]))
case.outcome("stack.two_devices", lambda: torch.stack([x, y]), message=False)
case.outcome("where.cpu_mask", lambda: torch.where(c > 0, x, x))
case.outcome("where.other", lambda: torch.where(x > 0, x, y))
case.outcome("where.number", lambda: torch.where(x > 0, x, torch.tensor(0.0)).device)
case.outcome("mul.expanded", lambda: (x * torch.ones(1)), message=False)
case.outcome("compare.two_devices", lambda: x == y)
case.outcome("equal.two_devices", lambda: torch.equal(x, y))
case.outcome("allclose.two_devices", lambda: torch.allclose(x, y), message=False)
case.outcome("copy.two_devices", lambda: x.copy_(y).device)
case.outcome("copy.shapes", lambda: x.copy_(torch.ones(3, device="cuda")))

# Indices.
case.outcome("index.cpu", lambda: x[index].device)
case.outcome("index.other_device", lambda: x[index.to("cuda:1")], message=False)
case.outcome("index.device_index_of_cpu", lambda: c[index.to("cuda:0")], message=False)
case.outcome("index.mask_cpu", lambda: x[c > 0].device)
case.outcome("index.number_outside", lambda: x[5])
case.outcome("index_select.cpu", lambda: x.index_select(0, index), message=False)
case.outcome("gather.cpu", lambda: x.gather(0, torch.zeros(2, 2, dtype=torch.long)), message=False)
case.outcome("index_put.value_elsewhere", lambda: x.index_put_((index.cuda(),), c), message=False)
case.outcome("index_put.number_elsewhere", lambda: x.index_put_((index.cuda(),), torch.tensor(4.0)).device)
case.outcome("masked_fill.number_cpu", lambda: x.masked_fill(x > 0, torch.tensor(4.0)).device)
case.outcome("masked_fill.mask_cpu", lambda: x.masked_fill(c > 0, 1.0), message=False)
case.outcome("embedding.cpu_index", lambda: F.embedding(index, x), message=False)

# Modules and losses.
linear = torch.nn.Linear(2, 2)
case.outcome("linear.input_on_device", lambda: linear(x), message=False)
case.outcome("linear.weight_on_device", lambda: F.linear(c, x), message=False)
case.outcome("linear.bias_elsewhere", lambda: F.linear(x, x, torch.ones(2)), message=False)
case.outcome("conv.weight_elsewhere", lambda: F.conv1d(torch.ones(1, 1, 4, device="cuda"), torch.ones(1, 1, 2)))
case.outcome("conv.types", lambda: F.conv1d(torch.ones(1, 1, 4, device="cuda"), torch.ones(1, 1, 2, device="cuda").half()))
case.outcome("loss.target_cpu", lambda: F.cross_entropy(x, index), message=False)
case.outcome("loss.mse_cpu", lambda: F.mse_loss(x, c))
case.outcome("batch_norm.statistics_cpu", lambda: F.batch_norm(x, torch.zeros(2), torch.ones(2)), message=False)
case.outcome("module.no_gradient_device", lambda: torch.autograd.grad(x.sum(), x))

# Generators.
case.outcome("generator.cpu_for_device", lambda: torch.randn(2, device="cuda", generator=torch.Generator()))
case.outcome("generator.device_for_cpu", lambda: torch.randn(2, generator=torch.Generator("cuda")))
case.outcome("generator.other_index", lambda: torch.randn(2, device="cuda:0", generator=torch.Generator("cuda:1")).device, message=False)
case.outcome("generator.in_place", lambda: x.normal_(generator=torch.Generator()), message=False)

# Other.
case.outcome("as_tensor.shares", lambda: torch.as_tensor(x) is x)
case.outcome("from_numpy", lambda: torch.from_numpy(x), message=False)
case.outcome("set_data_type", lambda: setattr(torch.ones(1, requires_grad=True), "data", torch.ones(1, device="cuda")))
case.outcome("share_memory", lambda: x.share_memory_() is x)
case.outcome("resize", lambda: torch.ones(2, device="cuda").resize_(3).shape)
case.outcome("view.shape", lambda: x.view(3))
case.outcome("lu.singular", lambda: torch.linalg.inv(torch.zeros(2, 2, device="cuda")))
case.outcome("cholesky.negative", lambda: torch.linalg.cholesky(-torch.eye(2, device="cuda")))
case.outcome("long_tensor_mean", lambda: torch.ones(2, dtype=torch.long, device="cuda").mean())
case.outcome("unknown_backend", lambda: torch.ones(1, device="gpu"), message=False)

# A child of fork cannot use what its parent has begun.
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    try:
        torch.ones(1, device="cuda")
        said = "ok"
    except RuntimeError as error:
        said = str(error).split(".")[0]
    os.write(writing, said.encode())
    os._exit(0)
os.waitpid(child, 0)
case.observe("fork", os.read(reading, 500).decode())
