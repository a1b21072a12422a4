"""Compiled code: where results are, how they lie, what shares memory with what."""
import os

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

import torch
from observing import Case

case = Case("torch.compiled_results")
torch.manual_seed(0)
x = torch.randn(4, 6, device="cuda")
y = torch.randn(4, 6, device="cuda")


def fresh(function, **options):
    torch._dynamo.reset()
    return torch.compile(function, **options)


def several(a, b):
    return a + b, (a * 2).sum(), a.t(), (a.t() + 1), a.half(), torch.arange(3, device=a.device), torch.zeros(2), a


results = fresh(several)(x, y)
for name, value in zip(("sum", "total", "view", "of_view", "half", "range", "host", "itself"), results):
    case.observe(f"result.{name}.device", value.device)
    case.observe(f"result.{name}.form", f"{value.dtype} {tuple(value.shape)} {value.stride()}")
case.observe("result.view_shares", results[2].data_ptr() == x.data_ptr())
case.observe("result.itself_is_input", results[7] is x)
case.observe("result.host_number", fresh(lambda a, b: a + b)(x, torch.tensor(2.0)).device)
case.observe("result.channels_last", fresh(lambda a: a.relu())(torch.randn(2, 3, 4, 4, device="cuda").to(memory_format=torch.channels_last)).stride())


def in_place(a, b):
    a.add_(b)
    b[0] = 7
    return a


a, b = x.clone(), y.clone()
found = fresh(in_place)(a, b)
case.observe("in_place.input_changed", torch.equal(a, x + y))
case.observe("in_place.is_input", found is a)
case.observe("in_place.item_set", b[0].tolist())
case.observe("in_place.version", a._version)
