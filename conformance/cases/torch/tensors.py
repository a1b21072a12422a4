"""Tensors on a device: their types, copies, how they print, what is kept when they are stored."""
import copy
import io

import torch
from observing import Case

case = Case("torch.tensors")
x = torch.arange(6.0, device="cuda").reshape(2, 3)
case.observe("is_cuda", x.is_cuda)
case.observe("is_cpu", x.is_cpu)
case.observe("type", x.type())
case.observe("type.long", torch.ones(1, device="cuda", dtype=torch.long).type())
case.observe("type.half", torch.ones(1, device="cuda", dtype=torch.half).type())
case.observe("repr", repr(x))
case.observe("repr.empty", repr(torch.empty(0, device="cuda")))
case.observe("repr.grad", repr(torch.ones(2, device="cuda", requires_grad=True)))
case.observe("repr.int", repr(torch.tensor([1, 2], device="cuda")))
case.observe("repr.half", repr(torch.tensor([1.5], device="cuda", dtype=torch.half)))
case.observe("repr.storage_device", x.untyped_storage().device)
case.observe("item", x[1, 2].item())
case.observe("tolist", x.tolist())
case.observe("bool", bool(x[0, 1] == 1))
case.observe("len", len(x))
case.observe("iteration", [row.sum().item() for row in x])
case.outcome("numpy", lambda: x.numpy())
case.outcome("array", lambda: __import__("numpy").asarray(x), message=False)
case.observe("numpy.through_cpu", x.cpu().numpy().sum())
case.observe("cpu.same_values", torch.equal(x.cpu(), torch.arange(6.0).reshape(2, 3)))
case.observe("copy.device", copy.deepcopy(x).device)
case.observe("copy.is_other", copy.deepcopy(x).data_ptr() != x.data_ptr())
case.observe("clone.strides", x.t().clone().stride())
case.observe("view.shares", x.view(3, 2).data_ptr() == x.data_ptr())
case.observe("view.offset", x[1:].storage_offset())
y = torch.zeros(2, 3)
y.copy_(x)
case.observe("copied_to_cpu", y.tolist())
x.copy_(y + 1)
case.observe("copied_back", x.tolist())
x.copy_(torch.tensor([7, 8, 9]))
case.observe("copied_with_conversion", x.tolist())

# Pinned memory.
case.observe("pinned.not", torch.ones(3).is_pinned())
pinned = torch.ones(3).pin_memory()
case.observe("pinned.is", pinned.is_pinned())
case.observe("pinned.new", torch.empty(3, pin_memory=True).is_pinned())
case.observe("pinned.view", pinned[1:].is_pinned())
case.observe("pinned.sum", (pinned + 1).is_pinned())
case.observe("pinned.of_device", x.is_pinned())
case.outcome("pinned.device_tensor", lambda: x.pin_memory())
case.outcome("pinned.new_on_device", lambda: torch.empty(3, device="cuda", pin_memory=True))
moved = pinned.to("cuda", non_blocking=True)
torch.cuda.synchronize()
case.observe("pinned.moved", moved.tolist())
back = torch.empty(3, pin_memory=True)
back.copy_(moved * 5, non_blocking=True)
torch.cuda.synchronize()
case.observe("pinned.back", back.tolist())

# Stored and read again.
stored = io.BytesIO()
torch.save({"x": x, "n": 3}, stored)


def loaded(**options):
    stored.seek(0)
    return torch.load(stored, **options)["x"].device


case.outcome("load", lambda: loaded())
case.outcome("load.to_cpu", lambda: loaded(map_location="cpu"))
case.outcome("load.to_cuda", lambda: loaded(map_location="cuda:0"))
case.outcome("load.by_function", lambda: loaded(map_location=lambda storage, location: storage))


def print_location(location, storage):
    case.observe("load.location_text", location)
    return storage


case.outcome("load.by_location", lambda: loaded(map_location=lambda storage, location: print_location(location, storage)))

# Modules.
module = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
case.observe("module.returns_itself", module.cuda() is module)
case.observe("module.parameters", sorted({str(p.device) for p in module.parameters()}))
case.observe("module.buffers", sorted({str(b.device) for b in module.buffers()}))
case.observe("module.result", module(torch.ones(4, 2, device="cuda")).device)
case.observe("module.state", sorted({str(v.device) for v in module.state_dict().values()}))
case.observe("module.back", module.to("cpu")[0].weight.device)
case.observe("module.half", module.to("cuda", torch.half)[0].weight.dtype)
case.outcome("module.input_elsewhere", lambda: module.float()(torch.ones(4, 2)), message=False)

# Types of other kinds.
case.observe("kind.bool", (x > 8).tolist())
case.observe("kind.complex", (torch.tensor([1 + 2j], device="cuda") * 1j).tolist())
case.observe("kind.int_division", (torch.tensor([7, -7], device="cuda") // 2).tolist())
case.observe("kind.int_remainder", (torch.tensor([7, -7], device="cuda") % 3).tolist())
case.observe("kind.uint8_wraps", (torch.tensor([250], device="cuda", dtype=torch.uint8) + 10).tolist())
case.observe("kind.promotion", (torch.ones(1, device="cuda", dtype=torch.half) + torch.ones(1, device="cuda")).dtype)
case.observe("kind.scalar_keeps", (torch.ones(1, device="cuda", dtype=torch.half) + 1.5).dtype)
case.observe("kind.cpu_scalar", (torch.ones(2, device="cuda") + torch.tensor(2.0)).tolist())
case.observe("kind.sorted", torch.tensor([3, 1, 2], device="cuda").sort()[1].tolist())
case.observe("kind.unique", torch.tensor([3, 1, 3], device="cuda").unique(return_counts=True)[1].tolist())
case.observe("kind.nonzero", torch.tensor([0, 5, 0, 6], device="cuda").nonzero().flatten().tolist())
case.observe("kind.max_nan", torch.tensor([1.0, float("nan")], device="cuda").max().item())
case.observe("kind.argmax_first", torch.tensor([2, 7, 7], device="cuda").argmax().item())
case.observe("kind.float_to_int", torch.tensor([2.9, -2.9], device="cuda").int().tolist())
case.observe("kind.bincount", torch.tensor([0, 2, 2], device="cuda").bincount().tolist())
case.observe("kind.divide_by_zero", (torch.tensor([1.0, -1.0, 0.0], device="cuda") / 0).tolist())
